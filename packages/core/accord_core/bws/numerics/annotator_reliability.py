"""Each annotator's reliability in the MaxDiff model, with intervals, and a test on held-out tuples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord_core.bws.numerics.maxdiff import (
    MaxDiffScores,
    judgement_likelihoods,
    likelihoods_without_own,
    log_likelihoods,
    maxdiff_scores,
    maxdiff_with_reliabilities,
)
from accord_core.bws.numerics.maxdiff_prior import maxdiff_with_prior
from accord_core.bws.numerics.scoring import Floats, Ints, Judgements, counting_scores, drop_inconsistent, tuple_index
from accord_core.numerics.intervals import Z_95, t_quantile

GRID = np.linspace(0, 1, 201)
FOLDS = 5
FEWEST_FOR_INTERVALS = 8
# Half of the 95% quantile of χ² with one degree of freedom.
DROP = Z_95**2 / 2


@dataclass(frozen=True, eq=False)
class AnnotatorReliabilities:
    """The annotators' reliabilities in [0, 1] with 95% intervals, their numbers of judgements, and the item scores.
    Reliabilities and intervals are arrays (annotators,), with NaN for annotators without consistent judgements. With
    fewer than `FEWEST_FOR_INTERVALS` annotators, all interval ends are NaN.
    """

    scores: MaxDiffScores
    reliability: Floats
    low: Floats
    high: Floats
    judgements: Ints


@dataclass(frozen=True)
class HeldOut:
    """The mean log likelihood per held-out judgement under three models and under random choices.

    `difference` is the mean for the model with reliabilities minus the mean for the plain MaxDiff model, with its 95%
    interval over annotators.
    """

    judgements: int
    chance: float
    counting: float
    maxdiff: float
    with_reliabilities: float
    difference: float
    low: float
    high: float

    @property
    def conclusion(self) -> str:
        if self.low > 0:
            return "The annotator reliabilities improve the prediction of held-out tuples."
        if self.high < 0:
            return "The annotator reliabilities make the prediction of held-out tuples worse. Use the plain model."
        return "The annotator reliabilities do not help: the prediction of held-out tuples does not clearly improve."


def annotator_reliabilities(judgements: Judgements) -> AnnotatorReliabilities:
    """Return each annotator's reliability with its 95% likelihood interval, and the scores of
    `maxdiff_with_reliabilities`.

    An annotator's judgements are compared with utilities fitted to other annotators' judgements, because an annotator
    agrees too well with utilities that follow from the same judgements. These utilities have a normal prior with the
    standard deviation of `maxdiff_with_prior`. Under a weaker prior, utilities from few judgements are too large, and
    careful annotators look careless. Each of the others' judgements is weighted by the probability that it follows
    MaxDiff.

    The reliability is the value a, in steps of .005, that maximises the likelihood and a prior with the weight of one
    judgement by MaxDiff. The interval contains the values whose log likelihood is at most 1.92 below its maximum (Wilks
    1938). With fewer than eight annotators, the utilities without an annotator are too uncertain for an interval.
    Raises ValueError if the annotators are unknown.
    """
    scores, fitted = maxdiff_with_reliabilities(judgements)
    consistent, _ = drop_inconsistent(judgements)
    annotator = _annotators(consistent)
    counts = np.bincount(annotator, minlength=len(fitted))
    known = counts > 0
    if not known.any():
        return AnnotatorReliabilities(scores, fitted, fitted, fitted, counts)
    likelihood, chance = judgement_likelihoods(consistent, scores.utility)
    followed = fitted[annotator] * likelihood
    followed /= followed + (1 - fitted[annotator]) * chance
    without = likelihoods_without_own(consistent, followed, 1 / (2 * maxdiff_with_prior(consistent).spread ** 2))
    with np.errstate(divide="ignore"):  # the likelihood at a = 0 can be zero
        by_value = [np.bincount(annotator, np.log(a * without + (1 - a) * chance), len(fitted)) for a in GRID]
        log_likelihood = np.stack(by_value)
        reliability = GRID[(log_likelihood + np.log(GRID)[:, None]).argmax(axis=0)]
    inside = log_likelihood >= log_likelihood.max(axis=0) - DROP
    low, high = GRID[inside.argmax(axis=0)], GRID[::-1][inside[::-1].argmax(axis=0)]
    # The reliability includes a weak prior, so it can be just above the interval.
    high = np.fmax(high, reliability)
    certain = known & (known.sum() >= FEWEST_FOR_INTERVALS)
    return AnnotatorReliabilities(
        scores,
        np.where(known, reliability, np.nan),
        np.where(certain, low, np.nan),
        np.where(certain, high, np.nan),
        counts,
    )


def _annotators(judgements: Judgements) -> Ints:
    if judgements.annotator is None:
        raise ValueError("Annotators' reliabilities can be calculated only if the judgements name their annotators.")
    return judgements.annotator


def held_out_check(judgements: Judgements, *, folds: int = FOLDS, seed: int = 1) -> HeldOut:
    """Return how well counting, MaxDiff and MaxDiff with annotator reliabilities predict the judgements of held-out
    tuples.

    The tuples are divided at random into `folds`. Each fold is predicted from the other folds. Counting-based scores
    predict choices by the MaxDiff model with one scale, which is fitted to the other folds. Items and annotators that
    the other folds do not contain have a utility of 0 and the mean reliability. The interval of the difference is
    clustered by annotator. Raises ValueError for fewer than two tuples or annotators.
    """
    consistent, _ = drop_inconsistent(judgements)
    tuples = tuple_index(consistent)
    if consistent.annotator is None or len(np.unique(consistent.annotator)) < 2 or tuples.max(initial=0) < 1:
        raise ValueError("The test on held-out tuples needs at least two tuples and two annotators.")
    count = int(tuples.max()) + 1
    fold = (np.random.default_rng([seed, 0xF0]).permutation(count) % min(folds, count))[tuples]
    logs = np.zeros((4, len(consistent)))
    for number in range(fold.max() + 1):
        inside = fold == number
        logs[:, inside] = _predicted(consistent.take(~inside), consistent.take(inside))
    gain = logs[3] - logs[2]
    mean = float(gain.mean())
    sums = np.bincount(consistent.annotator, gain - mean)
    annotators = len(np.unique(consistent.annotator))
    error = float(np.sqrt((sums**2).sum() * annotators / (annotators - 1)) / len(gain))
    chance, counting, plain, model = logs.mean(axis=1).tolist()
    half = t_quantile(max(2, annotators - 1)) * error
    return HeldOut(len(gain), chance, counting, plain, model, mean, mean - half, mean + half)


def _predicted(training: Judgements, test: Judgements) -> Floats:
    """Return the log likelihoods (4, M) of the test judgements under chance and under the three models."""
    annotator = _annotators(test)
    score = np.nan_to_num(counting_scores(training).score)
    scales = np.linspace(0.25, 8, 32)
    fitted = log_likelihoods(training, (scale * score for scale in scales))
    counting, chance = judgement_likelihoods(test, scales[int(np.argmax(fitted))] * score)
    plain, _ = judgement_likelihoods(test, np.nan_to_num(maxdiff_scores(training).utility))
    with_reliabilities, reliability = maxdiff_with_reliabilities(training)
    model, _ = judgement_likelihoods(test, np.nan_to_num(with_reliabilities.utility))
    known = np.full(int(max(annotator.max(), len(reliability) - 1)) + 1, np.nanmean(reliability))
    known[: len(reliability)] = np.where(np.isnan(reliability), known[: len(reliability)], reliability)
    a = known[annotator]
    return np.log(np.stack([chance, counting, plain, a * model + (1 - a) * chance]))
