"""Functions that collect answers for reports, and that draw held-out items for gold candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from accord_core.exchange.arrays import Columns, Ints, float_array, table_array
from accord_core.numerics.draws import draw
from accord_core.numerics.printed import with_noun

from .data import AnswerRow, StudyData
from .drafts import CannotBuild, ItemDraft

Json = Any


@dataclass(frozen=True)
class Gathered:
    """A study's judgements in chronological order, its graded gold answers, and the annotators' pseudonyms."""

    judgements: list[AnswerRow]
    graded: list[AnswerRow]

    @cached_property
    def names(self) -> list[str]:
        """Pseudonyms in alphabetical order. The arrays represent each annotator by an index into this list of
        pseudonyms.
        """
        return sorted({row.pseudonym for row in (*self.judgements, *self.graded)})

    @cached_property
    def number_of(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    def columns(self, place_of: Mapping[str, int], *further: Sequence[int]) -> Columns:
        """Return the arrays that most task types store with a report.

        `answers` contains one row per judgement: the position of its question in `place_of`, its annotator, and the
        numbers in `further`. `gold` contains one row per graded answer: its annotator, and whether the answer passed.
        `gold_f1` contains the F1 of each graded answer.
        """
        answers = [
            (place_of[row.ref], self.number_of[row.pseudonym], *more)
            for row, *more in zip(self.judgements, *further, strict=True)
        ]
        return {
            "answers": table_array(answers, 2 + len(further)),
            "seconds": float_array(row.seconds for row in self.judgements),
            "gold": self.gold,
            "gold_f1": float_array((row.tally or {}).get("f1") for row in self.graded),
        }

    @property
    def gold(self) -> Ints:
        return table_array([(self.number_of[row.pseudonym], int(bool(row.passed))) for row in self.graded], 2)


def gather(data: StudyData) -> Gathered:
    """Return a study's judgements and graded gold answers."""
    return Gathered(
        sorted((row for row in data.answers if row.counts), key=lambda row: row.given_at),
        [row for row in data.answers if row.kind == "gold" and row.passed is not None],
    )


def rounds_figures(rounds: Ints) -> dict[str, Json]:
    """Return the number of judgements in the design and in each adaptive round, or nothing without rounds. `rounds`
    contains the round of each judgement, or 0 for the design.
    """
    if not rounds.any():
        return {}
    counts = enumerate(np.bincount(rounds).tolist())
    return {"rounds": [{"round": number, "judgements": count} for number, count in counts if count]}


def draw_held_out(
    items: Sequence[ItemDraft], taken: Sequence[Json], count: int, seed: int, *, only_held_out: bool = False
) -> list[ItemDraft]:
    """Draw `count` items for new gold candidates. Items that already occur in the payloads in `taken` are excluded.

    The function draws from the held-out items. If a study has no held-out items, the function draws from all items
    unless `only_held_out` is set. Raise `CannotBuild` if there are too few items.
    """
    used = {payload.get("item") for payload in taken}
    pool = [item for item in items if item.held_out]
    if not pool and not only_held_out:
        pool = list(items)
    free = sorted((item for item in pool if item.key not in used), key=lambda item: draw(seed, "candidate", item.key))
    if len(free) < count:
        left = f"Only {with_noun(len(free), 'more item')}" if free else "No more items"
        raise CannotBuild(
            f"{left} can be used as gold candidates. Import more items with “yes” in the column “gold_only”."
        )
    return free[:count]
