"""Services that draw gold candidates, store authors' answers, promote candidates to gold, exclude wrong gold questions,
and settle disputes about expected answers.
"""

from annotate.gold.services.candidates import MOST_AT_ONCE, draw_candidates, judge_candidate
from annotate.gold.services.disputes import keep_expected_answer, reopen_disputes
from annotate.gold.services.exclusion import exclude_gold, exclusion_to_undo, is_answered, undo_exclusion
from annotate.gold.services.promotion import promote, promotion_to_undo, undo_promotion

__all__ = [
    "MOST_AT_ONCE",
    "draw_candidates",
    "exclude_gold",
    "exclusion_to_undo",
    "is_answered",
    "judge_candidate",
    "keep_expected_answer",
    "promote",
    "promotion_to_undo",
    "reopen_disputes",
    "undo_exclusion",
    "undo_promotion",
]
