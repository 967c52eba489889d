"""Gold questions for best–worst studies, which are read from a file or drawn as candidates for authors to answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.bws.formats import gold as gold_format
from accord_core.exchange.faults import Fault, TableError
from accord_core.exchange.tables import Limits, iter_table
from accord_core.numerics.draws import sample
from annotate.tasktypes import CannotBuild, FileColumn, ItemDraft, QuestionDraft, QuestionsRead


def columns_of(size: int) -> list[FileColumn]:
    """Return the columns for a file of gold or practice questions about tuples of this size."""
    items = [
        FileColumn(f"Item{number}", required=True, aliases=(f"{number}",), example=f"item-{number}")
        for number in range(1, size + 1)
    ]
    best = FileColumn("BestItem", required=True, aliases=("best", "most"), example="item-1")
    worst = FileColumn("WorstItem", required=True, aliases=("worst", "least"), example=f"item-{size}")
    explanation = FileColumn(
        "Explanation", required=True, aliases=("comment", "reason", "why"), example="Why this is right."
    )
    return [FileColumn("id", example="gold-1"), *items, best, worst, explanation]


def read_gold(data: bytes, name: str, options: Mapping[str, Any], items: Mapping[str, ItemDraft]) -> QuestionsRead:
    """Read a file of gold or practice questions, and report every error with its line number."""
    try:
        table = iter_table(data, name=name, limits=Limits())
        rows = gold_format.read_gold(table, size=options["size"], keys=items, key_of_text=_key_of_text(items))
    except TableError as error:
        return QuestionsRead([], error.faults)
    return QuestionsRead(
        [
            QuestionDraft(
                row.ref,
                {"items": list(row.items)},
                gold={"best": row.best, "worst": row.worst},
                explanation=row.explanation,
                numbered=row.numbered,
                line=row.line,
            )
            for row in rows
        ],
        [] if rows else [Fault(None, None, "the file has no questions")],
    )


def _key_of_text(items: Mapping[str, ItemDraft]) -> dict[str, str]:
    """Return the keys of items by text, except pairs and texts that several items share."""
    texts = {key: item.content["text"].strip() for key, item in items.items() if "text" in item.content}
    occurrences = Counter(texts.values())
    return {text: key for key, text in texts.items() if occurrences[text] == 1}


def draw_candidates(
    items: Sequence[ItemDraft], existing: Sequence[Any], count: int, options: Mapping[str, Any], seed: int
) -> list[QuestionDraft]:
    """Draw `count` new tuples as gold candidates, from held-out items if there are enough. Items with fewer questions
    come first. Raises `CannotBuild`.
    """
    size = options["size"]
    held_out = [item.key for item in items if item.held_out]
    pool = held_out if len(held_out) >= size + 2 else [item.key for item in items]
    if len(pool) < size:
        raise CannotBuild(
            f"Tuples of size {size} require at least {size} items, but the number of items is {len(pool)}."
        )
    used = {frozenset(payload["items"]) for payload in existing}
    uses = Counter(dict.fromkeys(pool, 0))
    uses.update(key for payload in existing for key in payload["items"] if key in uses)
    candidates: list[QuestionDraft] = []
    rare: list[str] = []  # annotators could recognise gold questions by items that they contain more often than others
    for attempt in range(50 * count):
        if len(rare) < size:
            most = sorted(uses.values())[size - 1]
            rare = [key for key in pool if uses[key] <= most]
        places = sample(len(rare), size, seed, "candidate", attempt)
        keys = [rare[place] for place in places]
        if frozenset(keys) in used:
            rare = list(pool)
            continue
        used.add(frozenset(keys))
        uses.update(keys)
        for place in sorted(places, reverse=True):
            rare.pop(place)
        candidates.append(QuestionDraft(f"candidate-{len(candidates) + 1}", {"items": keys}))
        if len(candidates) == count:
            return candidates
    raise CannotBuild(f"Only {len(candidates)} additional tuples could be drawn from {len(pool)} items.")
