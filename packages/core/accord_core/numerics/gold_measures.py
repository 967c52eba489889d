"""Measures of accuracy on gold questions. Each measure is a mean of ratios of sums.

A share of correct answers is one ratio. Balanced accuracy is the mean of two ratios, one for each class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .gold_rules import Floats


@dataclass(frozen=True)
class Ratio:
    """The sum of the tallies `above` divided by the sum of the tallies `below`. If a name in `above` has a minus sign,
    its tally is subtracted. If `complement` is true, the ratio is 1 − `above` / `below`.
    """

    above: tuple[str, ...]
    below: tuple[str, ...]
    complement: bool = False


RIGHT = Ratio(("right",), ("right", "wrong"))
Ratios = Sequence[Ratio]


def accuracy_of(tallies: Mapping[str, float], ratios: Ratios) -> float | None:
    """Return the mean of all ratios whose denominator is not 0, or None if there are none."""
    shares = []
    for ratio in ratios:
        below = sum(tallies.get(name, 0) for name in ratio.below)
        if below:
            share = sum(_signed(tallies.get(name.removeprefix("-"), 0), name) for name in ratio.above) / below
            shares.append(1 - share if ratio.complement else share)
    return sum(shares) / len(shares) if shares else None


def accuracies_of(tallies: Floats, names: Sequence[str], ratios: Ratios) -> Floats:
    """Return the accuracy for each sum of tallies. The last axis of `tallies` has one entry per name in `names`.

    The accuracy is NaN if all denominators are 0.
    """
    place = {name: index for index, name in enumerate(names)}
    total = np.zeros(tallies.shape[:-1])
    defined = np.zeros(tallies.shape[:-1])
    for ratio in ratios:
        below = _sum(tallies, place, ratio.below)
        known = below > 0
        share = np.divide(_sum(tallies, place, ratio.above), below, out=np.zeros_like(below), where=known)
        total += np.where(known, 1 - share if ratio.complement else share, 0.0)
        defined += known
    return np.divide(total, defined, out=np.full_like(total, np.nan), where=defined > 0)


def _sum(tallies: Floats, place: Mapping[str, int], names: Sequence[str]) -> Floats:
    total = np.zeros(tallies.shape[:-1])
    for name in names:
        index = place.get(name.removeprefix("-"))
        if index is not None:
            total = total + _signed(tallies[..., index], name)
    return total


def _signed(value: Any, name: str) -> Any:
    return -value if name.startswith("-") else value
