"""Agreement within groups of annotators, and over all groups with the groups' shares of the population.

A study with quotas contains a fixed number of judgements from each group, so its overall figures do not describe a
population in which the groups have other shares. The population figure is Σ w_g·θ_g, with the variance Σ w_g²·V_g,
because annotators of different groups are drawn independently (stratified sampling: Cochran 1977, chapter 5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from accord_core.numerics.agreement import Level, agreement
from accord_core.numerics.bootstrap import Coefficient
from accord_core.numerics.crossed import FEWEST_ANNOTATORS, annotators_part, only
from accord_core.numerics.generalising import coefficient_values
from accord_core.numerics.intervals import t_quantile
from accord_core.numerics.jackknife import fisher_interval
from accord_core.numerics.labels import Floats, Ints, Labels

Coefficients = dict[str, Coefficient]


@dataclass(frozen=True)
class GroupedAgreement:
    """The coefficients within each group, and their weighted means over all groups, with 95% intervals that generalise
    to other annotators. `annotators` contains the number of annotators in each group.
    """

    within: list[Coefficients]
    overall: Coefficients
    annotators: list[int]


def agreement_by_group(
    labels: Labels,
    group: ArrayLike,
    weights: Sequence[float],
    *,
    level: Level = "nominal",
    values: ArrayLike | None = None,
    seed: int = 1,
) -> GroupedAgreement:
    """Return the agreement within each of G groups and over all groups.

    `group` (n_annotators,) contains each annotator's group, or −1 for annotators without a group, who are excluded.
    `weights` are the groups' shares of the population, in any unit. An interval is value ± t·SE on the scale of
    Fisher's z. The variance comes from leaving out each annotator, and t has as many degrees of freedom as the group
    has annotators minus 1. Over all groups, t has Satterthwaite's degrees of freedom (1946), at least 2. If a group has
    fewer than three annotators, neither its figures nor the overall figures have intervals. Raises ValueError for
    weights that are not positive.
    """
    if not all(weight > 0 for weight in weights):
        raise ValueError("The weights of groups must be positive.")
    numbers: Ints = np.asarray(group)
    share = np.array(weights) / sum(weights)
    within, variances, annotators = [], [], []
    for at in range(len(share)):
        chosen = only(labels, numbers[labels.annotator] == at)
        coefficients = agreement(chosen, resamples=0, level=level, values=values)
        annotators.append(len(np.unique(chosen.annotator)))
        variances.append(_variance(chosen, annotators[-1], len(coefficients), level, values, seed))
        within.append(_with_intervals(coefficients, variances[-1], np.full(len(coefficients), annotators[-1] - 1.0)))
    return GroupedAgreement(within, _overall(within, np.stack(variances), share, np.array(annotators)), annotators)


def _variance(
    labels: Labels, annotators: int, figures: int, level: Level, values: ArrayLike | None, seed: int
) -> Floats:
    """Return the variance of each coefficient (F,) from leaving out annotators, or NaN for too few annotators."""
    if annotators < FEWEST_ANNOTATORS:
        return np.full(figures, np.nan)
    generator = np.random.default_rng([seed, 0xC0])
    return annotators_part(coefficient_values(level, values), labels, generator).variance


def _overall(within: list[Coefficients], variances: Floats, share: Floats, annotators: Ints) -> Coefficients:
    """Return the weighted means of the coefficients. `variances` has the shape (G, F)."""
    parts = share[:, None] ** 2 * variances
    total = parts.sum(axis=0)
    spread = (parts**2 / np.maximum(1, annotators - 1)[:, None]).sum(axis=0)
    freedom = np.divide(total**2, spread, out=np.full(len(total), float(annotators.sum())), where=spread > 0)
    means = {name: _mean([coefficients[name].value for coefficients in within], share) for name in within[0]}
    return _with_intervals(means, total, freedom)


def _mean(values: list[float | None], share: Floats) -> Coefficient:
    defined = [value for value in values if value is not None]
    if len(defined) < len(values):
        return Coefficient(None, reason="undefined in a group")
    return Coefficient(float(share @ np.array(defined)))


def _with_intervals(coefficients: Coefficients, variance: Floats, freedom: Floats) -> Coefficients:
    """Return the coefficients with intervals. `variance` (F,) and `freedom` (F,) are in the order of the
    coefficients.
    """
    with_intervals = {}
    for (name, coefficient), own, degrees in zip(coefficients.items(), variance, freedom, strict=True):
        value = np.nan if coefficient.value is None else coefficient.value
        half = t_quantile(max(2.0, float(degrees))) * np.sqrt(own)
        interval = fisher_interval(value, half, half)
        with_intervals[name] = replace(coefficient, low=interval.low, high=interval.high)
    return with_intervals
