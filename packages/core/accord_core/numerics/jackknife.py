"""Variances and intervals from the jackknife, which excludes each unit, or each group of units, in turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from accord_core.numerics.bootstrap import Interval
from accord_core.numerics.intervals import t_quantile
from accord_core.numerics.labels import Floats, Ints

Whole = TypeVar("Whole", bound=np.integer[Any])

GROUPS = 100
PAIRS = 150
CELLS = 1 << 19  # of arrays that fit into the cache of a processor
# The transformation is vertical near a skewness of 1/t, where a tiny change of the skewness doubles a distance. The
# product of skewness and t is therefore limited too. This limit is the lower one for fewer than 20 groups.
MOST_SKEWNESS = 0.45
MOST_SKEWNESS_TIMES_T = 0.942


class Part(NamedTuple):
    """The result of a jackknife over one kind of unit. `variance` (F,) and `third` (F,) contain the variance and the
    third cumulant of each figure. `undefined` (F,) contains the number of groups whose removal makes the figure
    undefined.
    """

    variance: Floats
    third: Floats
    groups: int
    undefined: Ints


class Errors(NamedTuple):
    """The errors of F figures: their variances (F,), their third cumulants (F,), and the quantile of t for 95%
    intervals.
    """

    variance: Floats
    third: Floats
    t: float

    def distances(self) -> Floats:
        """Return the distances (2, F) of the figures from the lower and the upper ends of their 95% intervals.

        If a few units lower a figure strongly, such as annotators who answer at random, the error of the figure is
        skewed. Samples with few such units have high figures and low variances, so intervals of the form value ± t·SE
        are often too high. The cubic transformation of the studentised figure removes this skewness (Hall 1992). A
        skewness beyond ±.45 or ±.942/t counts as the smaller of these limits.
        """
        error = np.sqrt(self.variance)
        skewness = np.divide(self.third, error**3, out=np.zeros_like(error), where=error > 0)
        most = min(MOST_SKEWNESS, MOST_SKEWNESS_TIMES_T / self.t)
        skewness = np.clip(skewness, -most, most)
        return np.stack([error * _without_skewness(self.t, skewness), -error * _without_skewness(-self.t, skewness)])


def _without_skewness(quantile: float, skewness: Floats) -> Floats:
    """Return the quantile of a studentised figure whose error has this skewness (Hall 1992, equation 2.4)."""
    small = np.abs(skewness) < 1e-6  # The limit is the quantile itself.
    skewness = np.where(small, 1.0, skewness)
    cubic: Floats = 3 / skewness * (np.cbrt(1 + skewness * (quantile - skewness / 6)) - 1)
    return np.where(small, quantile, cubic)


def unit_groups(unit: Ints, generator: np.random.Generator) -> tuple[Ints, int]:
    """Return each row's group, and the number of groups. `unit` (L,) contains the unit of each row.

    Each unit is a group. If there are more than 100 units, they are divided at random into 100 groups of equal size.
    """
    units, number = np.unique(unit, return_inverse=True)
    groups = min(len(units), GROUPS)
    return (generator.permutation(len(units)) % max(1, groups))[number], groups


def jackknife_part(without: Floats) -> Part:
    """Return the variances and third cumulants of F figures from their values without each of G groups, in an array of
    shape (G, F). Undefined values are NaN.
    """
    groups = len(without)
    undefined = np.isnan(without).sum(axis=0)
    defined = np.where(undefined == groups, np.nan, groups - undefined)
    centre = np.nansum(without, axis=0) / defined
    squares, cubes = (np.nansum((centre - without) ** power, axis=0) for power in (2, 3))
    third = (groups - 1) ** 2 / max(1, groups - 2) / defined * cubes
    return Part((groups - 1) / defined * squares, third, groups, undefined)


class Removals:
    """The sets of groups that a second-order jackknife leaves out: the empty set, each single group, and pairs of
    groups.

    With more than `PAIRS` pairs of groups, the pairs are a random sample.
    """

    def __init__(self, groups: int, generator: np.random.Generator) -> None:
        pairs = np.stack(np.triu_indices(groups, 1), axis=1)
        if len(pairs) > PAIRS:
            pairs = pairs[np.sort(generator.choice(len(pairs), PAIRS, replace=False))]
        self.groups, self.pairs = groups, pairs
        nothing = np.full(groups, -1)
        self._left_out = np.concatenate(
            [[[-1, -1]], np.stack([np.arange(groups), nothing], axis=1), pairs.reshape(-1, 2)]
        ).T

    def totals(self, by_group: NDArray[Whole]) -> NDArray[Whole]:
        """Return the totals (n, 1 + groups + pairs) that remain after groups are left out, calculated from each group's
        totals (groups, n).
        """
        return np.concatenate([total for (total,) in self.blocks(by_group)], axis=1)

    def blocks(self, *by_group: NDArray[Whole]) -> Iterator[list[NDArray[Whole]]]:
        """Return the columns of `totals` in consecutive blocks, for several arrays of the same shape.

        All columns for a million judgements would need gigabytes. A block has at most `CELLS` cells or a single column.
        """
        width = max(1, CELLS // max(1, by_group[0].shape[1]))
        totals = [each.sum(axis=0, dtype=each.dtype) for each in by_group]
        for first in range(0, 1 + self.groups + len(self.pairs), width):
            left_out = self._left_out[:, first : first + width]
            yield [self._remaining(*each, left_out) for each in zip(totals, by_group, strict=True)]

    @staticmethod
    def _remaining(total: NDArray[Whole], by_group: NDArray[Whole], left_out: Ints) -> NDArray[Whole]:
        remaining = np.repeat(total[None], left_out.shape[1], axis=0)
        for group in left_out:
            leaving = group >= 0
            remaining[leaving] -= by_group[group[leaving]]  # whole rows, ten times as fast as columns
        return np.ascontiguousarray(remaining.T)

    def part(self, figures: Floats) -> Part:
        """Return the variances of F figures, calculated from their values in an array of shape (1 + groups + pairs, F).

        The jackknife counts the variance from interactions between two units twice. Leaving out pairs of groups
        estimates this variance, which is then subtracted once (Efron and Stein 1981). The result is at least half of
        the uncorrected variance, because interactions cannot contribute more than all of it.
        """
        without, n = figures[1 : self.groups + 1], self.groups
        part = jackknife_part(without)
        one, other = self.pairs.T
        interaction = n * figures[0] - (n - 1) * (without[one] + without[other]) + (n - 2) * figures[n + 1 :]
        defined = np.maximum(1, (~np.isnan(interaction)).sum(axis=0))
        centre = np.nansum(interaction, axis=0) / defined
        doubled = np.nansum((interaction - centre) ** 2, axis=0) / defined / 2
        return part._replace(variance=np.maximum(part.variance - doubled, part.variance / 2))


def crossed_errors(added: list[Part], removed: list[Part]) -> Errors:
    """Return the errors of figures that vary with several kinds of units.

    For two crossed kinds of units, the variance is V₁ + V₂ − V₁₂, and V₁₂ comes from leaving out the units' common rows
    (two-way clustering: Cameron, Gelbach and Miller 2011). The third cumulants of the kinds are added. The number of
    degrees of freedom is the smallest number of groups minus 1 (Cameron and Miller 2015).
    """
    total = np.sum([part.variance for part in added], axis=0) - np.sum([part.variance for part in removed], axis=0)
    # In small samples, V₁ + V₂ − V₁₂ can be smaller than V₁ or V₂.
    variance: Floats = np.max([total, *(part.variance for part in added)], axis=0)
    third: Floats = np.sum([part.third for part in added], axis=0)
    return Errors(variance, third, t_quantile(max(2, min(part.groups for part in added) - 1)))


def fisher_interval(value: float, below: float, above: float, undefined: int = 0) -> Interval:
    """Return an interval on the scale of Fisher's z, because figures near 1 vary less than lower figures. `below` and
    `above` are the distances from the value to the ends, on the scale of the figure.
    """
    if np.isnan(value) or np.isnan(below) or np.isnan(above):
        return Interval(None, None, int(undefined))
    if abs(value) >= 1:
        return Interval(float(value), float(value), int(undefined))
    z, scale = np.arctanh(value), 1 / (1 - value**2)
    return Interval(float(np.tanh(z - below * scale)), float(np.tanh(z + above * scale)), int(undefined))
