"""Intra-annotator agreement: how often annotators give the same answer to a repeated question, with intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord_core.numerics.bootstrap import Coefficient, Interval
from accord_core.numerics.group_agreement import UNDEFINED, Estimate
from accord_core.numerics.intervals import Z_95, t_quantile, wilson_interval
from accord_core.numerics.jackknife import Errors, fisher_interval, jackknife_part, unit_groups
from accord_core.numerics.labels import Floats, Ints

FEWEST_ANNOTATORS = 5


@dataclass(frozen=True)
class RepeatedShare:
    """A share of repeated questions, and its 95% interval over `annotators` or over `questions`."""

    value: float
    low: float
    high: float
    over: str


def share_of_repeats(same: Ints, annotator: Ints) -> RepeatedShare:
    """Return the share of R repeated questions with the `same` answer (R,), 0 or 1, from the annotators (R,).

    From five annotators on, the interval generalises to new annotators. It is Wilson's interval for the effective
    number of questions, which is smaller because annotators differ (Korn and Graubard 1998; Dean and Pagano 2015). With
    fewer annotators, it generalises only to new questions for the same annotators. Raises ValueError without questions.
    """
    if not len(same):
        raise ValueError("There are no repeated questions.")
    questions, share = len(same), float(np.mean(same))
    annotators, number = np.unique(annotator, return_inverse=True)
    if len(annotators) < FEWEST_ANNOTATORS:
        return _wilson(share, questions, "questions")
    deviations = np.bincount(number, weights=same - share)
    variance = len(annotators) / (len(annotators) - 1) * float((deviations**2).sum()) / questions**2
    ratio = (Z_95 / t_quantile(len(annotators) - 1)) ** 2
    effective = min(float(questions), ratio * share * (1 - share) / variance) if variance else float(questions)
    return _wilson(share, effective, "annotators")


def agreement_of_repeats(counts: Floats, annotator: Ints, estimate: Estimate, *, seed: int) -> list[Coefficient]:
    """Return F figures from the counts of each repeated question (R, C), with intervals over the same units as in
    `share_of_repeats`. The intervals come from the jackknife, because resamples of few annotators vary too little.
    """
    values = estimate(counts.sum(axis=0, keepdims=True))[:, 0]
    by_annotator = len(np.unique(annotator)) >= FEWEST_ANNOTATORS
    group, groups = unit_groups(annotator if by_annotator else np.arange(len(counts)), np.random.default_rng(seed))
    if groups < 3:
        return [_coefficient(value, Interval(None, None, 0)) for value in values]
    sums = np.zeros((groups, counts.shape[1]))
    np.add.at(sums, group, counts)
    part = jackknife_part(estimate(sums.sum(axis=0) - sums).T)
    below, above = Errors(part.variance, part.third, t_quantile(groups - 1)).distances()
    intervals = [fisher_interval(*each) for each in zip(values, below, above, strict=True)]
    return [_coefficient(value, interval) for value, interval in zip(values, intervals, strict=True)]


def _coefficient(value: float, interval: Interval) -> Coefficient:
    if np.isnan(value):
        return Coefficient(None, reason=UNDEFINED)
    # If the units do not differ, the variance is 0, but this does not make the figure certain.
    if interval.low == interval.high:
        return Coefficient(float(value))
    return Coefficient(float(value), interval.low, interval.high)


def _wilson(share: float, questions: float, over: str) -> RepeatedShare:
    low, high = wilson_interval(share * questions, questions) or (share, share)
    return RepeatedShare(share, low, high, over)
