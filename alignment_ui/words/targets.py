"""The precision of the agreement so far. A word-alignment study can have a target for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord_core.numerics.still_needed import FEWEST_UNITS, Attained, width_attained
from annotate.tasktypes import TargetFigure

WIDTH = TargetFigure(
    "width",
    "Width of the 95% interval of F1 between annotators",
    "width",
    "The width is the difference between the two ends of the interval. It depends on the number of sentence pairs with "
    "several annotations.",
    0.06,
    fewest=1,
)
TARGETS = (WIDTH,)


def attained(row: Mapping[str, Any] | None, judgements: int, answered: int, resamples: int) -> list[Attained]:
    """Return the width of the interval for the F1 between annotators. `row` is the row for all subcorpora in Table 3,
    and `answered` the number of sentence pairs with at least one annotation. The list is empty without an interval, or
    if fewer than ten pairs have several annotations.
    """
    f1 = row["och_ney"]["f1"] if row else None
    if row is None or f1 is None or f1["low"] is None or row["pairs"] < FEWEST_UNITS:
        return []
    return [width_attained(WIDTH.name, f1["low"], f1["high"], row["pairs"], judgements - answered, resamples)]
