"""System ranks with intervals, from program-assisted differences between all pairs of systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from accord_core.numerics.assisted import Drawn, Parts, corrected, parts_of_sums
from accord_core.numerics.influence import Influence
from accord_core.numerics.labels import Floats


class Rank(NamedTuple):
    """A system's rank, counted from 1 for the highest figure, with its interval. Equal figures share the best rank."""

    value: int
    low: int
    high: int


def assisted_ranks(parts: Parts, drawn: Drawn) -> list[Rank] | None:
    """Return the rank of each of F systems by its figure, or None if a figure or an interval is undefined.

    All true ranks are in their intervals with a probability of at least 95%. Each difference between two systems has an
    interval at the level 1 − .05/pairs (Bonferroni). The interval of a rank starts after the systems that are certainly
    better, and ends before those that are certainly worse (Mohamad, van Zwet and Goeman 2021).
    """
    systems = len(parts.people.value)
    pairs = list(combinations(range(systems), 2))
    values = [figure.assisted.value for figure in corrected(parts, drawn)]
    differences = corrected(_differences(parts, pairs), drawn, level=1 - 0.05 / max(1, len(pairs)))
    if None in values or any(each.assisted.low is None for each in differences):
        return None
    better, worse = np.zeros(systems, dtype=int), np.zeros(systems, dtype=int)
    for (one, other), difference in zip(pairs, differences, strict=True):
        low, high = difference.assisted.low, difference.assisted.high
        if low is not None and low > 0:
            better[other] += 1
            worse[one] += 1
        elif high is not None and high < 0:
            better[one] += 1
            worse[other] += 1
    figures = np.array(values, dtype=float)
    return [
        Rank(1 + int((figures > figures[place]).sum()), 1 + int(better[place]), systems - int(worse[place]))
        for place in range(systems)
    ]


def ranks_of_sums(
    compared: Sequence[tuple[Floats, Floats]], drawn: Drawn, figure: Callable[[Floats], Floats]
) -> list[Rank] | None:
    """Return the ranks of systems by a function of mean counts, which maps the means (B, K) of one system to (B,).

    `compared` contains the counts (n, K) and (U, K) of each system, as for `assisted_figures`. A single system has no
    rank.
    """
    if len(compared) < 2:
        return None
    people, program = (np.concatenate(side, axis=1) for side in zip(*compared, strict=True))

    def figures(means: Floats) -> Floats:
        return np.stack([figure(part) for part in np.split(means, len(compared), axis=1)])

    return assisted_ranks(parts_of_sums(people, program, drawn, figures), drawn)


def _differences(parts: Parts, pairs: list[tuple[int, int]]) -> Parts:
    one, other = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return Parts(
        *(Influence(each.value[one] - each.value[other], each.of_unit[one] - each.of_unit[other]) for each in parts)
    )
