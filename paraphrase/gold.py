"""Gold questions for paraphrase studies: quality-control questions from a file, or held-out items for authors to
answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from accord_core.exchange.faults import TableError
from accord_core.exchange.tables import Limits, iter_table
from accord_core.paraphrase.formats.quality_control import QualityRow, read_quality_control
from annotate.tasktypes import FileColumn, ItemDraft, QuestionDraft, QuestionsRead, draw_held_out
from paraphrase.items import item_payload

COLUMNS = (
    FileColumn("id", example="quality-1"),
    FileColumn("sentence", required=True, aliases=("context", "text"), example="They had to purchase two tickets."),
    FileColumn("phrase", required=True, aliases=("target phrase", "target", "word"), example="purchase"),
    FileColumn("start", aliases=("offset", "position")),
    FileColumn("synonyms", required=True, aliases=("paraphrases",), example="buy|acquire|obtain"),
    FileColumn("random_words", required=True, aliases=("distractors",), example="whisper|bend|freeze"),
    FileColumn("explanation", aliases=("comment", "reason", "why"), example="To purchase is to buy."),
)


def read_gold(data: bytes, name: str) -> QuestionsRead:
    """Read a file of quality-control questions, and report every error with its line number."""
    try:
        rows = read_quality_control(iter_table(data, name=name, limits=Limits()))
    except TableError as error:
        return QuestionsRead([], error.faults)
    return QuestionsRead([quality_question(row) for row in rows], [])


def draw_candidates(items: Sequence[ItemDraft], existing: Sequence[Any], count: int, seed: int) -> list[QuestionDraft]:
    """Draw held-out items. All other items are excluded, because annotators answer questions about them in the
    study.
    """
    candidates = draw_held_out(items, existing, count, seed, only_held_out=True)
    return [QuestionDraft(f"candidate-{number}", item_payload(item)) for number, item in enumerate(candidates, start=1)]


def quality_question(row: QualityRow) -> QuestionDraft:
    """Return a gold question with its known answer. The synonyms come first in the payload, and the order is shuffled
    for each annotator.
    """
    content = {
        "sentence": row.sentence,
        "phrase": row.phrase,
        "start": row.start,
        "paraphrases": [*row.synonyms, *row.random_words],
    }
    votes = [True] * len(row.synonyms) + [False] * len(row.random_words)
    payload = {"content": content, "synonyms": len(row.synonyms)}
    return QuestionDraft(
        row.ref,
        payload,
        gold={"votes": votes},
        explanation=row.explanation,
        numbered=row.numbered,
        line=row.line,
    )
