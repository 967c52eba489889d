"""A Gaussian model of link scores, which estimates each link's true score and each annotator's bias and precision."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord_core.numerics.labels import Floats, Ints

TOLERANCE = 1e-5
MOST_ROUNDS = 2_000
PRIOR_SCORES = 3.0
"""The weight of the prior in one annotator's estimates, as a number of scores. The prior mean of the bias is 0."""
TYPICAL_VARIANCE = 0.25
"""The prior variance of an annotator's scores."""


@dataclass(frozen=True, eq=False)
class ScoreModel:
    """Estimates for R links and A annotators.

    `score` (R,) is the expected true score of each link, and NaN for links without a score. `bias` (A,) is the mean
    amount by which an annotator's scores are higher than the true scores. `error` (A,) is the standard deviation of an
    annotator's scores around the true score plus the bias.
    """

    score: Floats
    bias: Floats
    error: Floats
    rounds: int
    converged: bool


def fit_scores(
    row: Ints,
    annotator: Ints,
    score: Floats,
    weight: Floats,
    group: Ints,
    n_annotators: int,
    *,
    tolerance: float = TOLERANCE,
    most_rounds: int = MOST_ROUNDS,
) -> ScoreModel:
    """Estimate the model from L scores by expectation maximisation.

    Score n is by annotator `annotator[n]` for link `row[n]`. `weight` (R,) is the weight of each link, such as its
    probability. The true scores of the links in each `group` (R,), such as the links of one type, are normally
    distributed around the mean of the group. All groups have the same variance.
    """
    size, groups = len(weight), int(group.max(initial=-1)) + 1
    bias, variance = np.zeros(n_annotators), np.full(n_annotators, TYPICAL_VARIANCE)
    sums, counts = (np.bincount(row, values, size).astype(np.float64) for values in (score, np.ones(len(row))))
    mean, spread = _group_means(group, sums, counts, groups), 1.0
    expected = np.full(size, np.nan)
    number, converged = 0, False
    while number < most_rounds and not converged:
        number += 1
        precision = np.bincount(row, 1 / variance[annotator], size)
        evidence = np.bincount(row, (score - bias[annotator]) / variance[annotator], size)
        uncertainty = 1 / (1 / spread + precision)
        before, expected = expected, uncertainty * (mean[group] / spread + evidence)
        scored = weight * (precision > 0)
        mean = _group_means(group, scored * expected, scored, groups)
        deviations = scored * ((expected - mean[group]) ** 2 + uncertainty)
        spread = (deviations.sum() + TYPICAL_VARIANCE) / (scored.sum() + 1)
        bias, variance = _annotators(row, annotator, score, scored, expected, uncertainty, n_annotators)
        converged = bool(np.abs(expected - before).max(initial=0.0) <= tolerance)
    return ScoreModel(np.where(precision > 0, expected, np.nan), bias, np.sqrt(variance), number, converged)


def _annotators(
    row: Ints, annotator: Ints, score: Floats, weight: Floats, expected: Floats, uncertainty: Floats, number: int
) -> tuple[Floats, Floats]:
    """Return the bias and the variance (A,) of each annotator's scores."""

    def total(values: Floats) -> Floats:
        return np.bincount(annotator, values, number).astype(np.float64)

    counted = total(weight[row])
    bias = total(weight[row] * (score - expected[row])) / (counted + PRIOR_SCORES)
    # Only differences between annotators' biases can be estimated, so their mean is 0.
    bias -= counted @ bias / max(counted.sum(), 1.0)
    squares = total(weight[row] * ((score - bias[annotator] - expected[row]) ** 2 + uncertainty[row]))
    return bias, (squares + PRIOR_SCORES * TYPICAL_VARIANCE) / (counted + PRIOR_SCORES)


def _group_means(group: Ints, sums: Floats, counts: Floats, groups: int) -> Floats:
    """Return the mean score of each group, shrunk towards the mean of all groups by the weight of one score."""
    overall = sums.sum() / counts.sum() if counts.sum() else 0.0
    means: Floats = (np.bincount(group, sums, groups) + overall) / (np.bincount(group, counts, groups) + 1)
    return means
