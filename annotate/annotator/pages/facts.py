"""The facts about a study that annotators see before they work."""

from __future__ import annotations

from annotate.core.selectors.limits import first_hit_limit, in_time_zone, joining_ends_at
from annotate.core.selectors.own_gold import pass_mark
from annotate.core.selectors.qualification import has_qualification
from annotate.core.selectors.sizes import gold_in_hit, planned_minutes, questions_of
from annotate.models import Question, Study


def set_facts(study: Study) -> dict[str, object]:
    """Return the number of questions in a full set, its planned minutes, and the limits of one annotator."""
    return {
        "questions": study.questions_per_hit + gold_in_hit(study),
        # The template calls the function only where it shows these facts.
        "last_is_shorter": lambda: questions_of(study, Question.Kind.REGULAR) % study.questions_per_hit > 0,
        "minutes": planned_minutes(study),
        "limit": first_hit_limit(study),
        "claiming_ends": in_time_zone(study, study.claiming_ends_at),
    }


def facts_about(study: Study) -> dict[str, object]:
    """Return the facts in the summary on the join page."""
    return set_facts(study) | {
        "study": study,
        "joining_ends": in_time_zone(study, joining_ends_at(study)),
        "has_qualification": has_qualification(study),
        "has_rule": bool(study.gold_block and study.rule_threshold),
        "pass_mark": pass_mark(study.rule_threshold),
    }
