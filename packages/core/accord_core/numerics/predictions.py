"""Predictions of a study's figures from many simulated studies, with or without the data of a pilot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Scale = Literal["correlation", "share", "positive"]

# The share of simulated pilots that count as similar to the actual pilot. The linear correction below needs pilots from
# a small neighbourhood, but the quantiles need many draws. `bench/plan.py` measures the coverage of the intervals.
SIMILAR = 0.1
DRAWS = 200  # equally probable values of the assumptions
EDGE = 1e-6
# A pilot does not fit the model if it is more than this many standard deviations outside the simulated pilots.
UNUSUAL = 4.0


class Prediction(NamedTuple):
    """The median of a figure, and the ends of its 95% prediction interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Similar:
    """The simulated studies whose pilots are similar to the actual pilot.

    `draws` (K,) contains the numbers of the studies, `weights` (K,) their weights, and `away` (K, q) the differences
    between the statistics of their pilots and of the actual pilot, in standard deviations. `unusual` is true if no
    simulated pilot resembles the actual pilot.
    """

    draws: NDArray[np.int64]
    weights: Floats
    away: Floats
    unusual: bool = False


def all_studies(count: int) -> Similar:
    """Return all simulated studies with equal weights, for a plan without a pilot."""
    return Similar(np.arange(count), np.full(count, 1 / count), np.empty((count, 0)))


def similar_studies(statistics: ArrayLike, observed: ArrayLike) -> Similar:
    """Return the studies whose simulated pilots have nearly the statistics that were `observed` (q,) in the actual
    pilot.

    `statistics` (S, q) contains the statistics of S simulated pilots. The nearest pilots are weighted by Epanechnikov's
    kernel, and a weighted linear regression on the statistics corrects the remaining difference. This is approximate
    Bayesian computation with regression adjustment (Beaumont, Zhang and Balding 2002, Genetics 162). Statistics that
    are undefined in the actual pilot or constant in all simulations are ignored. An undefined statistic of a simulated
    pilot is replaced with the mean.
    """
    simulated, actual = np.asarray(statistics, dtype=np.float64), np.asarray(observed, dtype=np.float64)
    usable = np.isfinite(actual) & (np.isfinite(simulated).mean(axis=0) > 0.5)
    simulated, actual = simulated[:, usable], actual[usable]
    if not len(actual):
        return all_studies(len(simulated))
    simulated = np.where(np.isfinite(simulated), simulated, np.nanmean(simulated, axis=0))
    spread = simulated.std(axis=0)
    varies = spread > 0
    away = (simulated[:, varies] - actual[varies]) / spread[varies]
    distance = np.sqrt((away**2).sum(axis=1))
    count = max(min(len(away), 2 * away.shape[1] + 10), round(SIMILAR * len(away)))
    draws = np.argsort(distance, kind="stable")[:count]
    width = max(float(distance[draws[-1]]), EDGE) * (1 + EDGE)
    weights = 1 - (distance[draws] / width) ** 2
    unusual = bool(np.abs(away).min(axis=0).max() > UNUSUAL)
    return Similar(draws, weights / weights.sum(), away[draws], unusual)


def predict(values: Floats, similar: Similar, scale: Scale, noise: float = 0.0) -> Prediction:
    """Return the prediction of a figure from its `values` (K,) in the similar studies.

    `noise` is the variance of the values, on the unbounded scale, that the actual figure will not have, such as the
    variance from a single random split. The prediction removes this variance. Undefined values are excluded.
    """
    known = np.isfinite(values)
    if not known.any():
        return Prediction(np.nan, np.nan, np.nan)
    weights = similar.weights[known] / similar.weights[known].sum()
    corrected = _corrected(to_unbounded(values[known], scale), weights, similar.away[known])
    mean = weights @ corrected
    # The regression fits the studies themselves, so its residuals are too small, as in an analysis of variance.
    studies, predictors = 1 / float(weights @ weights), similar.away.shape[1] + 1
    variance = weights @ (corrected - mean) ** 2 * studies / max(1.0, studies - predictors)
    if variance > 0:
        spread = np.sqrt(max(0.0, variance - noise) / (weights @ (corrected - mean) ** 2))
        corrected = mean + (corrected - mean) * spread
    low, middle, high = to_bounded(_quantiles(corrected, weights, (0.025, 0.5, 0.975)), scale).tolist()
    return Prediction(middle, low, high)


def draw_similar(values: Floats, similar: Similar, scale: Scale) -> Floats:
    """Return `DRAWS` equally probable values from the `values` (K,) in the similar studies, after the same correction
    as in `predict`.

    The draws are systematic: study k is repeated DRAWS·w_k times, rounded up or down. Calls with the same `similar`
    draw the same studies, so the draws of several parameters belong together.
    """
    corrected = to_bounded(_corrected(to_unbounded(values, scale), similar.weights, similar.away), scale)
    reached = np.cumsum(similar.weights)
    drawn = np.searchsorted(reached, (np.arange(DRAWS) + 0.5) / DRAWS * reached[-1])
    chosen: Floats = corrected[drawn]
    return chosen


def to_unbounded(values: ArrayLike, scale: Scale) -> Floats:
    """Return correlations as Fisher's z, shares as logits, and positive values as logarithms."""
    x = np.asarray(values, dtype=np.float64)
    if scale == "correlation":
        return np.arctanh(np.clip(x, EDGE - 1, 1 - EDGE))
    if scale == "share":
        clipped = np.clip(x, EDGE, 1 - EDGE)
        return np.log(clipped) - np.log1p(-clipped)
    return np.log(np.maximum(x, EDGE))


def to_bounded(values: Floats, scale: Scale) -> Floats:
    """Reverse `to_unbounded`."""
    if scale == "correlation":
        return np.tanh(values)
    return 1 / (1 + np.exp(-values)) if scale == "share" else np.exp(values)


def _corrected(values: Floats, weights: Floats, away: Floats) -> Floats:
    """Adjust the values (K,) by their weighted linear regression on `away` (K, q), to the values expected at the
    statistics of the actual pilot.
    """
    roots = np.sqrt(weights)
    predictors = np.column_stack([np.ones(len(values)), away])
    coefficients, *_ = np.linalg.lstsq(predictors * roots[:, None], values * roots, rcond=None)
    corrected: Floats = values - away @ coefficients[1:]
    return corrected


def _quantiles(values: Floats, weights: Floats, shares: tuple[float, ...]) -> Floats:
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order]) - weights[order] / 2
    return np.interp(shares, reached, values[order])
