"""Precision–recall curves for scored paraphrases, and the choice of a score threshold by cross-validation.

A pair counts as listed if its score is at least the threshold. Precision and recall are defined as for tables without
scores: only judged pairs count, and recall refers to all good pairs of the domain, including pairs that the table does
not contain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord_core.evaluation.numerics.folds import test_folds
from accord_core.numerics.bootstrap import Coefficient, Estimator, percentile_intervals, ratio
from accord_core.paraphrase.systems.numerics.paraphrase_tables import BAD, GOOD

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Pair = tuple[str, str]

CANDIDATES = 250
"""The maximum number of different thresholds from which each resample chooses. Figures for the data themselves use all
scores.
"""


@dataclass(frozen=True, eq=False)
class JudgedScores:
    """The m judged pairs in one domain of a scored table, sorted by descending score, and the domain's U phrases.

    `score` (m,) contains the scores, `good` (m,) is true for good pairs, and `phrase` (m,) contains the number of each
    pair's phrase. `all_good` (U,) is the number of good pairs of each phrase, including pairs outside the table.
    """

    score: Floats
    good: Bools
    phrase: Ints
    all_good: Ints
    phrases: Sequence[str]

    @property
    def last_of_ties(self) -> Ints:
        """Return the position of the last pair in each group of equal scores, starting with the highest score."""
        if not len(self.score):
            return np.zeros(0, dtype=np.int64)
        return np.append(np.flatnonzero(np.diff(self.score)), len(self.score) - 1)


class CurvePoint(NamedTuple):
    """The figures for all pairs whose score is at least `threshold`: the number of judged pairs, the number of good
    pairs among them, precision, recall and F1.
    """

    threshold: float
    judged: int
    good: int
    precision: float
    recall: float
    f1: float


def judged_scores(labels: Mapping[Pair, str], scores: Mapping[Pair, float]) -> JudgedScores:
    """Return the pairs with the label good or bad that have a score. Pairs with equal scores are in label order."""
    phrases = list(dict.fromkeys(phrase for phrase, _ in labels))
    number = {phrase: n for n, phrase in enumerate(phrases)}
    judged = [pair for pair, label in labels.items() if label in (GOOD, BAD) and pair in scores]
    judged.sort(key=lambda pair: -scores[pair])
    of_good = [number[phrase] for (phrase, _), label in labels.items() if label == GOOD]
    return JudgedScores(
        np.array([scores[pair] for pair in judged], dtype=np.float64),
        np.array([labels[pair] == GOOD for pair in judged], dtype=bool),
        np.array([number[phrase] for phrase, _ in judged], dtype=np.int64),
        np.bincount(np.array(of_good, dtype=np.int64), minlength=len(phrases)),
        phrases,
    )


def precision_recall_curve(pairs: JudgedScores) -> list[CurvePoint]:
    """Return one point for each different score, starting with the highest. A domain without good pairs has no
    curve.
    """
    total = int(pairs.all_good.sum())
    if not total:
        return []
    found = np.cumsum(pairs.good)
    points = []
    for place in pairs.last_of_ties.tolist():
        judged, right = place + 1, int(found[place])
        precision, recall = right / judged, right / total
        points.append(
            CurvePoint(float(pairs.score[place]), judged, right, precision, recall, 2 * right / (judged + total))
        )
    return points


def best_threshold(pairs: JudgedScores, of_phrases: Bools | None = None) -> float:
    """Return the score threshold with the highest F1, or infinity if no judged pair has a score.

    `of_phrases` (U,) selects the phrases whose pairs count. If several thresholds have the same F1, the function
    returns the highest threshold.
    """
    chosen = np.ones(len(pairs.phrases), dtype=bool) if of_phrases is None else of_phrases
    counts = chosen[pairs.phrase]
    ends = pairs.last_of_ties
    judged, right = np.cumsum(counts)[ends], np.cumsum(counts & pairs.good)[ends]
    usable = np.flatnonzero(judged)
    if not len(usable):
        return float("inf")
    f1 = 2 * right[usable] / (judged[usable] + pairs.all_good[chosen].sum())
    return float(pairs.score[ends[usable[int(np.argmax(f1))]]])


def threshold_figures(
    labels: Mapping[Pair, str],
    scores: Mapping[Pair, float],
    *,
    folds: int = 5,
    resamples: int = 1000,
    seed: int = 1,
) -> dict[str, Any]:
    """Return the curve and the threshold figures for one domain as a JSON object.

    `average_precision` is the sum of the precision at each threshold, weighted by the increase of recall. `largest_f1`
    and its `threshold` come from all pairs, so `largest_f1` is optimistic. `cross_validated` contains the `thresholds`
    that each of the `folds` chooses without its own phrases, and the `precision`, `recall` and `f1` of all test phrases
    together. A hash of the seed and the phrase assigns each phrase to a fold. The 95% intervals resample phrases, and
    each resample chooses its own thresholds. With fewer than two phrases, `cross_validated` is None. Raises ValueError
    for fewer than two folds.
    """
    if folds < 2:
        raise ValueError(f"The number of folds must be at least 2, not {folds}.")
    pairs = judged_scores(labels, scores)
    curve = precision_recall_curve(pairs)
    best = max(curve, key=lambda point: point.f1, default=None)
    (average,) = _coefficients(
        lambda weights: average_precision(pairs, weights)[None], pairs, ["no pair is labelled good"], resamples, seed
    )
    return {
        "scored": len(pairs.score),
        "average_precision": average.as_figure(),
        "largest_f1": None if best is None else best.f1,
        "threshold": None if best is None else best.threshold,
        "cross_validated": _cross_validated(pairs, folds, resamples, seed),
        "curve": [point._asdict() for point in curve],
    }


def average_precision(pairs: JudgedScores, weights: Floats) -> Floats:
    """Return the average precision (B,) for B samples of phrases. `weights` (B, U) contains how often each sample
    contains each phrase.

    Pairs with equal scores are added together. Good pairs without a score do not count as found at any threshold. For a
    sample without good pairs, the average precision is NaN.
    """
    each = weights[:, pairs.phrase]
    ends = pairs.last_of_ties
    judged, right = (np.cumsum(counts, axis=1)[:, ends] for counts in (each, each * pairs.good))
    precision = np.nan_to_num(ratio(right, judged))
    found = np.diff(right, axis=1, prepend=0.0)
    total: Floats = ratio((precision * found).sum(axis=1), weights @ pairs.all_good.astype(np.float64))
    return total


def _cross_validated(pairs: JudgedScores, folds: int, resamples: int, seed: int) -> dict[str, Any] | None:
    folds = min(folds, len(pairs.phrases))
    if folds < 2:
        return None
    fold_of = test_folds(pairs.phrases, folds, seed)
    thresholds = np.array([best_threshold(pairs, fold_of != fold) for fold in range(folds)])
    chosen = pairs.score >= thresholds[fold_of[pairs.phrase]]
    counts = (chosen & pairs.good).sum(), chosen.sum(), pairs.all_good.sum()
    values = _figures(*(np.array([count], dtype=np.float64) for count in counts))[:, 0]
    reasons = ["no judged pair reaches the threshold", "no pair is labelled good", "no pair is labelled good"]
    estimate = _with_new_thresholds(pairs, fold_of)
    figures = _coefficients(estimate, pairs, reasons, resamples, seed, values=values, width=1)
    return {
        "folds": folds,
        "thresholds": [float(each) if np.isfinite(each) else None for each in thresholds],
        **{name: each.as_figure() for name, each in zip(("precision", "recall", "f1"), figures, strict=True)},
    }


def _figures(found: Floats, listed: Floats, good: Floats) -> Floats:
    """Return precision, recall and F1 (3, B) from B numbers of good listed pairs, of listed pairs and of good pairs."""
    return np.stack([ratio(found, listed), ratio(found, good), ratio(2 * found, listed + good)])


def _with_new_thresholds(pairs: JudgedScores, fold_of: Ints) -> Estimator:
    """Return a function that chooses the thresholds for B samples of phrases and returns their figures (3, B).

    All copies of a phrase are in the same fold, so a phrase never helps to choose its own threshold.
    """
    ends, units = pairs.last_of_ties, len(pairs.phrases)
    if len(ends) > CANDIDATES:
        ends = ends[np.linspace(0, len(ends) - 1, CANDIDATES).astype(np.int64)]
    cell = pairs.phrase * len(ends) + np.searchsorted(ends, np.arange(len(pairs.score)))
    judged, right = (
        np.bincount(cell[which], minlength=units * len(ends)).reshape(units, len(ends)).astype(np.float64)
        for which in (np.ones(len(cell), dtype=bool), pairs.good)
    )
    all_good = pairs.all_good.astype(np.float64)
    folds = [np.flatnonzero(fold_of == fold) for fold in np.unique(fold_of)]

    def estimate(weights: Floats) -> Floats:
        found, listed = np.zeros((2, len(weights)))
        if not len(ends):
            return _figures(found, listed, weights @ all_good)
        # Each entry is the number of pairs in a fold that reach a threshold.
        reached, hits = (
            np.stack([np.cumsum(weights[:, fold] @ table[fold], axis=1) for fold in folds]) for table in (judged, right)
        )
        good = np.stack([weights[:, fold] @ all_good[fold] for fold in folds])
        for fold in range(len(folds)):
            others = [each.sum(axis=0) - each[fold] for each in (reached, hits, good)]
            best = _best_candidates(others[0], others[1], others[2])
            row = np.flatnonzero(best >= 0)
            listed[row] += reached[fold, row, best[row]]
            found[row] += hits[fold, row, best[row]]
        return _figures(found, listed, good.sum(axis=0))

    return estimate


def _best_candidates(reached: Floats, hits: Floats, good: Floats) -> Ints:
    """Return the first candidate (B,) with the highest F1, or −1 for samples without scored pairs."""
    f1 = ratio(2 * hits, reached + good[:, None])
    # A threshold that no pair in the sample reaches cannot be chosen.
    best = np.where(reached > 0, np.nan_to_num(f1), -1.0).argmax(axis=1)
    chosen: Ints = np.where(reached[:, -1] > 0, best, -1)
    return chosen


def _coefficients(
    estimate: Estimator,
    pairs: JudgedScores,
    reasons: Sequence[str],
    resamples: int,
    seed: int,
    *,
    values: Floats | None = None,
    width: int | None = None,
) -> list[Coefficient]:
    """Return figures with percentile intervals from resampled phrases. By default, the values are the estimates for the
    data. `width` is the number of values that `estimate` needs per phrase.
    """
    units = len(pairs.phrases)
    values = estimate(np.ones((1, units)))[:, 0] if values is None else values
    width = 1 + 4 * len(pairs.score) // max(1, units) if width is None else width
    ones = np.ones(units, dtype=np.int64)
    intervals = percentile_intervals(estimate, ones, resamples=resamples, seed=seed, width=width) if resamples else []
    coefficients = []
    for place, (value, reason) in enumerate(zip(values.tolist(), reasons, strict=True)):
        if np.isnan(value):
            coefficients.append(Coefficient(None, reason=reason))
        elif not intervals:
            coefficients.append(Coefficient(value))
        else:
            low, high, undefined = intervals[place]
            coefficients.append(Coefficient(value, low, high, undefined_resamples=undefined))
    return coefficients
