"""The values of both studies, unit by unit, for a chart."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from annotate.tasktypes import Outcome

Json = Any
MOST_POINTS = 1_000
BINS = 10


def points(original: Outcome, repeat: Outcome) -> dict[str, Json]:
    """Return the values of an outcome for a chart. For `scores`, these are the scores in both studies, from 0 to 1. For
    `labels`, they are the numbers of units by label in both studies. For `annotations`, they are the numbers of units
    by their first figure, in ten classes from 0 to 1.

    Of more than 1,000 scored items, only one in every few is included.
    """
    theirs = dict(zip(repeat.keys, repeat.values, strict=True))
    both = [
        (key, value, theirs[key])
        for key, value in zip(original.keys, original.values, strict=True)
        if value is not None and theirs.get(key) is not None
    ]
    if original.are_scores:
        step = max(1, -(-len(both) // MOST_POINTS))
        return {"scores": [[key, (one + 1) / 2, (other + 1) / 2] for key, one, other in both[::step]]}
    if original.annotations is None:
        counts = Counter((one, other) for _, one, other in both)
        return {"labels": [[*pair, number] for pair, number in counts.most_common()]}
    return {"annotations": _bins(original, both)}


def _bins(outcome: Outcome, both: list[tuple[str, Any, Any]]) -> list[int]:
    figures = outcome.annotations
    if figures is None:
        return []
    counts = np.array([figures.counts(one, other) for _, one, other in both], dtype=np.float64).reshape(len(both), -1)
    values = figures.estimate(counts)[0] if len(both) else np.array([])
    numbers, _ = np.histogram(values[~np.isnan(values)], bins=BINS, range=(0, 1))
    found: list[int] = numbers.tolist()
    return found
