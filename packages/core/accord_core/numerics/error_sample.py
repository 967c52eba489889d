"""The sample of final labels that reviewers check in order to bound the share of wrong labels.

Labels are divided into those that are probably wrong, which together contain half of the expected wrong labels, and all
others. If one stratum would need fewer decisions, for example because the model cannot tell the labels apart, the
sample is not stratified.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from accord_core.numerics.draws import sample
from accord_core.numerics.error_bound import Stratum, most_wrong, mover_bound
from accord_core.numerics.labels import Floats, Ints

FEWEST = 5  # labels drawn from each stratum, or all of a smaller stratum


@dataclass(frozen=True, eq=False)
class SamplePlan:
    """The positions of the labels in each stratum, the number to draw from each stratum, and the expected bound.

    `bound` is the share of all final labels that can be wrong after the reviewers' decisions, if as many of the checked
    labels are wrong as the model expects.
    """

    strata: Sequence[Ints]
    drawn: Sequence[int]
    bound: float

    @property
    def labels(self) -> int:
        return sum(self.drawn)


def planned_sample(wrong: Floats, wanted: float, *, right: int = 0) -> SamplePlan:
    """Return the smallest sample with which at most the share `wanted` of the final labels is expected to be wrong.

    `wrong` (L,) contains the probability that each label is wrong, and `right` is the number of further labels that
    reviewers have already decided. Raises ValueError unless `wanted` is between 0 and 1 and there are labels.
    """
    if not 0 <= wanted < 1:
        raise ValueError(f"The wanted share must be at least 0 and below 1, not {wanted}.")
    if not len(wrong):
        raise ValueError("There are no labels to check.")
    plans = [_smallest(strata, wrong, wanted, right) for strata in (_by_probability(wrong), [np.arange(len(wrong))])]
    return min(plans, key=lambda plan: plan.labels)


def draw_sample(plan: SamplePlan, seed: int) -> list[list[int]]:
    """Return the places of the labels that are drawn from each stratum, in ascending order."""
    return [
        sorted(places[sample(len(places), drawn, seed, "error sample", number)].tolist())
        for number, (places, drawn) in enumerate(zip(plan.strata, plan.drawn, strict=True))
    ]


def remaining_share(strata: Sequence[Stratum], *, right: int = 0) -> float:
    """Return the upper bound on the share of wrong labels that remain after the wrong ones found have been repaired.

    `right` is the number of labels outside the strata, which reviewers had decided before the sample was drawn.
    """
    return _remaining(most_wrong(strata), strata, right)


def _remaining(most: float, strata: Sequence[Stratum], right: int) -> float:
    labels = sum(stratum.size for stratum in strata) + right
    return (most - sum(stratum.wrong for stratum in strata)) / labels


def _by_probability(wrong: Floats) -> list[Ints]:
    order = np.argsort(-wrong, kind="stable")
    cumulated = wrong[order].cumsum()
    first = int(np.searchsorted(cumulated, cumulated[-1] / 2)) + 1
    return [np.sort(part) for part in (order[:first], order[first:]) if len(part)]


def _smallest(strata: Sequence[Ints], wrong: Floats, wanted: float, right: int) -> SamplePlan:
    """Return the smallest sample by bisection."""
    sizes, shares = [len(places) for places in strata], [float(wrong[places].mean()) for places in strata]

    def plan(total: int) -> SamplePlan:
        drawn = _allocated(sizes, shares, total)
        checked = [
            Stratum(size, number, round(number * share))
            for size, number, share in zip(sizes, drawn, shares, strict=True)
        ]
        return SamplePlan(strata, drawn, _remaining(mover_bound(checked, finite=True), checked, right))

    too_few, enough = 0, sum(sizes)
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        too_few, enough = (too_few, middle) if plan(middle).bound <= wanted else (middle, enough)
    return plan(enough)


def _allocated(sizes: Sequence[int], shares: Sequence[float], total: int) -> list[int]:
    """Divide a sample so that the expected number of wrong labels has the smallest variance (Neyman 1934)."""
    spread = [size * sqrt(max(share * (1 - share), 1e-4)) for size, share in zip(sizes, shares, strict=True)]
    drawn = [
        min(size, max(FEWEST, round(total * each / sum(spread)))) for size, each in zip(sizes, spread, strict=True)
    ]
    # If a stratum is complete, the remaining items are drawn from the other one.
    for place, size in enumerate(sizes):
        drawn[place] = min(size, max(drawn[place], total - (sum(drawn) - drawn[place])))
    return drawn
