"""Agreement between any number of annotators: raw agreement, Fleiss' κ, Gwet's AC1 and Krippendorff's α.

All four depend only on the number of times that an item has each label, so items with equal counts are processed
together. Items with five yes-or-no labels, for example, have only six different counts, so a thousand resamples of a
million items need only multinomial draws. Cohen's κ, which depends on the annotator of each label, is in `cohen`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from accord_core.numerics.bootstrap import Coefficient, percentile_intervals, ratio
from accord_core.numerics.clusters import labelled_clusters
from accord_core.numerics.cohen import cohen_kappa_means
from accord_core.numerics.labels import Floats, Ints, Labels

Figure = Callable[[Floats], Floats]
"""A function from the frequencies of U count profiles in B samples (B, U) to B values (NaN if undefined).
"""
Level = Literal["nominal", "ordinal", "interval"]
RESAMPLES = 1000

TOO_FEW = "no item has two labels"
ALL_EQUAL = "all labels that can be compared are equal, so chance alone would always agree"
ONE_LABEL = "there is only one possible label"

TITLES = {
    "raw_agreement": "Raw agreement",
    "cohen_kappa_mean": "Cohen’s κ, mean of pairs",
    "cohen_kappa_mean_by_items": "Cohen’s κ, by shared items",
    "fleiss_kappa": "Fleiss’ κ",
    "krippendorff_alpha_nominal": "Krippendorff’s α, nominal",
    "krippendorff_alpha_ordinal": "Krippendorff’s α, ordinal",
    "krippendorff_alpha_interval": "Krippendorff’s α, interval",
    "gwet_ac1": "Gwet’s AC1",
}


def agreement(
    labels: Labels,
    *,
    resamples: int = RESAMPLES,
    seed: int = 1,
    clusters: ArrayLike | None = None,
    level: Level = "nominal",
    values: ArrayLike | None = None,
) -> dict[str, Coefficient]:
    """Return all coefficients by name. Confidence intervals are calculated from `resamples` resamples of questions,
    which are either the items or the `clusters` (n_items,), an array with the number of each item's question.

    `level` and `values` add Krippendorff's α for ordered labels, as in `krippendorff_alpha`.
    """
    plain, by_items = cohen_kappa_means(labels, resamples=resamples, seed=seed, clusters=clusters)
    profiles = _profiles(labels, clusters)
    counts = profiles.counts
    figures = [
        _raw(counts),
        _chance_corrected(counts, _fleiss_chance),
        _krippendorff(counts, "nominal", np.arange(labels.n_labels, dtype=np.float64)),
        _chance_corrected(counts, _gwet_chance),
    ]
    if level != "nominal":
        figures.append(_krippendorff(counts, level, _numbers(labels, values)))
    raw, fleiss, krippendorff, gwet, *ordered = _coefficients(figures, profiles, resamples, seed)
    coefficients = {
        "raw_agreement": _explained(raw, labels),
        "cohen_kappa_mean": plain,
        "cohen_kappa_mean_by_items": by_items,
        "fleiss_kappa": _explained(fleiss, labels),
        "krippendorff_alpha_nominal": _explained(krippendorff, labels),
        "gwet_ac1": _explained(gwet, labels),
    }
    return coefficients | {f"krippendorff_alpha_{level}": _explained(each, labels) for each in ordered}


def raw_agreement(
    labels: Labels, *, resamples: int = 0, seed: int = 1, clusters: ArrayLike | None = None
) -> Coefficient:
    """Return the raw agreement P_a: the share of an item's label pairs that are equal, averaged over all items with at
    least two labels.
    """
    profiles = _profiles(labels, clusters)
    return _explained(_coefficients([_raw(profiles.counts)], profiles, resamples, seed)[0], labels)


def fleiss_kappa(
    labels: Labels, *, resamples: int = 0, seed: int = 1, clusters: ArrayLike | None = None
) -> Coefficient:
    """Return Fleiss' κ = (P_a − P_e)/(1 − P_e). Items can have different numbers of labels.

    P_a is `raw_agreement`. P_e = Σ π², where π is a label's share of an item's labels, averaged over all items with at
    least one label. With equal numbers of labels, this is the definition of Fleiss (1971), otherwise of Gwet (2014,
    Handbook of Inter-Rater Reliability, 4th edition, §2.5). κ is undefined if no item has two labels or all labels are
    equal.
    """
    profiles = _profiles(labels, clusters)
    coefficient = _coefficients([_chance_corrected(profiles.counts, _fleiss_chance)], profiles, resamples, seed)[0]
    return _explained(coefficient, labels)


def gwet_ac1(labels: Labels, *, resamples: int = 0, seed: int = 1) -> Coefficient:
    """Return Gwet's AC1, which is like Fleiss' κ but with P_e = Σ π(1 − π)/(q − 1) for q = `labels.n_labels`.

    q includes labels that do not occur. AC1 is undefined if no item has two labels, or q = 1. Source: Gwet (2008,
    2014).
    """
    profiles = _profiles(labels, None)
    coefficient = _coefficients([_chance_corrected(profiles.counts, _gwet_chance)], profiles, resamples, seed)[0]
    return _explained(coefficient, labels)


def krippendorff_alpha(
    labels: Labels,
    level: Level = "nominal",
    *,
    values: ArrayLike | None = None,
    resamples: int = 0,
    seed: int = 1,
) -> Coefficient:
    """Return Krippendorff's α = 1 − D_o/D_e, calculated over items with at least two labels.

    `level` defines the distance of two labels: `nominal` distinguishes only equal and different labels, `ordinal` uses
    the number of labels between them in the order of their numbers, and `interval` uses the squared difference of
    `values` (n_labels,), by default the labels' numbers. α is undefined if no item has two labels or all of these
    labels are equal. Raises ValueError for an unknown level, and for `values` of a different shape or not finite.
    Source: Krippendorff (2019, Content Analysis, 4th edition, chapter 12).
    """
    if level not in get_args(Level):
        raise ValueError(f"The level must be one of {', '.join(get_args(Level))}, not {level}.")
    profiles = _profiles(labels, None)
    figure = _krippendorff(profiles.counts, level, _numbers(labels, values))
    return _explained(_coefficients([figure], profiles, resamples, seed)[0], labels)


def _numbers(labels: Labels, values: ArrayLike | None) -> Floats:
    numbers = np.asarray(range(labels.n_labels) if values is None else values, dtype=np.float64)
    if numbers.shape != (labels.n_labels,) or not np.isfinite(numbers).all():
        raise ValueError(f"`values` must contain {labels.n_labels} finite numbers, one per label.")
    return numbers


def count_profiles(labels: Labels) -> tuple[Ints, Ints, Ints]:
    """Return the distinct nonzero rows of `labels.counts` (U, n_labels), the number of items (U,) for each row, and the
    row (n,) of each item that has labels.
    """
    counts = labels.counts[labels.counts.any(axis=1)]
    base = int(counts.max(initial=0)) + 1
    key, spread = np.zeros(len(counts), dtype=np.int64), 1
    for column in counts.T:
        if spread * base > np.iinfo(np.int64).max:
            distinct, key = np.unique(key, return_inverse=True)
            spread = len(distinct)
        key, spread = key * base + column, spread * base
    _, first, row, times = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    return counts[first], times, row


@dataclass(frozen=True, eq=False)
class _Profiles:
    """The distinct counts (U, n_labels) of items, and the units of a resample.

    `times` (V,) is the number of equal units, and `frequencies` maps the weights (B, V) of the units to frequencies
    (B, U) of the counts. `width` is the number of values that a resample needs per unit.
    """

    counts: Ints
    times: Ints
    frequencies: Callable[[Floats], Floats]
    width: int


def _profiles(labels: Labels, clusters: ArrayLike | None) -> _Profiles:
    counts, times, row = count_profiles(labels)
    if clusters is None:
        return _Profiles(counts, times, lambda weights: weights, 2)
    unit, n_units = labelled_clusters(labels, clusters)
    order = np.argsort(row, kind="stable")
    starts = np.flatnonzero(np.diff(row[order], prepend=-1))
    unit = unit[order]

    def frequencies(weights: Floats) -> Floats:
        return np.add.reduceat(np.take(weights, unit, axis=1), starts, axis=1) if len(starts) else weights[:, :0]

    return _Profiles(counts, np.ones(n_units, dtype=np.int64), frequencies, 2 + len(unit) // max(1, n_units))


def _coefficients(figures: Sequence[Figure], profiles: _Profiles, resamples: int, seed: int) -> list[Coefficient]:
    def estimate(weights: Floats) -> Floats:
        frequencies = profiles.frequencies(weights)
        return np.stack([figure(frequencies) for figure in figures])

    times = profiles.times
    values = [None if np.isnan(value) else float(value) for value in estimate(times[None, :].astype(np.float64))[:, 0]]
    if not resamples or all(value is None for value in values):
        return [Coefficient(value) for value in values]
    intervals = percentile_intervals(estimate, times, resamples=resamples, seed=seed, width=profiles.width)
    return [
        Coefficient(None) if value is None else Coefficient(value, low, high, None, undefined)
        for value, (low, high, undefined) in zip(values, intervals, strict=True)
    ]


def _explained(coefficient: Coefficient, labels: Labels) -> Coefficient:
    if coefficient.value is not None:
        return coefficient
    if labels.counts.sum(axis=1).max(initial=0) < 2:
        return replace(coefficient, reason=TOO_FEW)
    return replace(coefficient, reason=ONE_LABEL if labels.n_labels == 1 else ALL_EQUAL)


def _raw(profiles: Ints) -> Figure:
    m = profiles.sum(axis=1)
    several = (m > 1).astype(np.float64)
    alike = (profiles * (profiles - 1)).sum(axis=1) / np.maximum(m * (m - 1), 1)

    def estimate(weights: Floats) -> Floats:
        return ratio(weights @ alike, weights @ several)

    return estimate


def _chance_corrected(profiles: Ints, chance: Figure) -> Figure:
    """Return the estimator (P_a − P_e)/(1 − P_e) of a chance-corrected coefficient. `chance` calculates the expected
    agreement P_e from the shares (B, n_labels) of the labels.
    """
    observed = _raw(profiles)
    shares = profiles / profiles.sum(axis=1, keepdims=True)

    def estimate(weights: Floats) -> Floats:
        expected = chance(weights @ shares / weights.sum(axis=1, keepdims=True)) if len(shares) else np.ones(1)
        return ratio(observed(weights) - expected, 1 - expected)

    return estimate


def _fleiss_chance(shares: Floats) -> Floats:
    chance: Floats = (shares**2).sum(axis=1)
    return chance


def _gwet_chance(shares: Floats) -> Floats:
    q = shares.shape[1]
    chance: Floats = (shares * (1 - shares)).sum(axis=1) / (q - 1) if q > 1 else np.ones(len(shares))
    return chance


def _krippendorff(profiles: Ints, level: Level, numbers: Floats) -> Figure:
    """Return the estimator of Krippendorff's α. Each label has a position on a line, and the positions of B samples
    have the shape (B, n_labels).

    The disagreement of two labels is their squared distance. For m labels at positions x, the squared distances of all
    ordered pairs sum to 2(m Σx² − (Σx)²). An item has the weight 1/(m − 1), and all labels together have the weight
    1/(n − 1). Ordinal positions are midranks among the labels of the sample, because Krippendorff's cumulated sum
    between two labels equals the difference of their midranks.
    """
    comparable = profiles.sum(axis=1) > 1
    several = profiles[comparable].astype(np.float64)
    m = several.sum(axis=1)

    def estimate(weights: Floats) -> Floats:
        weights = weights[:, comparable]
        totals = weights @ several
        n = totals.sum(axis=1)
        if level == "nominal":
            observed = weights @ ((m**2 - (several**2).sum(axis=1)) / (m - 1))
            expected = ratio(n**2 - (totals**2).sum(axis=1), n - 1)
            return 1 - ratio(observed, expected)
        if level == "ordinal":
            places = np.cumsum(totals, axis=1) - totals / 2
        else:
            places = np.broadcast_to(numbers, totals.shape)
        # Centring the positions preserves precision for large numbers with small differences.
        places = places - ratio((totals * places).sum(axis=1), n)[:, None]
        within = m * (places**2 @ several.T) - (places @ several.T) ** 2
        observed = (weights * within / (m - 1)).sum(axis=1)
        expected = ratio(n * (totals * places**2).sum(axis=1) - (totals * places).sum(axis=1) ** 2, n - 1)
        low = np.where(totals > 0, places, np.inf).min(axis=1)
        high = np.where(totals > 0, places, -np.inf).max(axis=1)
        return np.where(low == high, np.nan, 1 - ratio(observed, expected))

    return estimate
