"""Precision, recall and F1 of the four measures of interpretable STS, calculated from sums over sentence pairs that can
be resampled.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord_core.chunks.numerics.scores import MEASURES, IstsScores
from accord_core.evaluation.measure import Measure
from accord_core.evaluation.measures import Ratio, measures_of_sums, precision_recall_f1
from accord_core.evaluation.summed_figures import SummedFigures

Floats = NDArray[np.float64]

TITLES = {"f1_ali": "F1 Ali", "f1_type": "F1 Type", "f1_score": "F1 Score", "f1_typ_sco": "F1 Typ+Sco"}
FIGURES = tuple(Ratio(TITLES[name]) for name in MEASURES)
EXPECTED_FIGURES = tuple(Ratio(f"Expected {TITLES[name]}") for name in MEASURES)
"""The four measures with a randomly drawn annotator's annotation as the gold annotation (`soft_scores.py`)."""
WIDTH = 2 + 2 * len(MEASURES)


def sums_by_pair(scores: IstsScores, ids: Sequence[str]) -> Floats:
    """Return an array of shape (pairs, 10). The first two columns contain the total weights of the system's token links
    and of the gold token links. The remaining columns contain the weights of the confirmed links for each measure.
    """
    rows = []
    for name in dict.fromkeys(ids):
        of = scores.pairs[name]
        rows.append([of.system, of.gold, *(share for measure in MEASURES for share in of.found[measure])])
    return np.array(rows, dtype=np.float64).reshape(-1, WIDTH)


def f1_of_sums(sums: Floats) -> Floats:
    """Return the four F1 values (4, B) for B sums of `sums_by_pair`, which is an array of shape (B, 10).

    If there are no links, all values are 0, as in the official scorers.
    """
    system, gold = sums[:, 0], sums[:, 1]
    return np.stack(
        [
            np.nan_to_num(precision_recall_f1(sums[:, place], system, sums[:, place + 1], gold)[2])
            for place in range(2, sums.shape[1], 2)
        ]
    )


def rarer_weights(sums: Floats) -> Floats:
    """Return the total weight of confirmed or of unconfirmed links, whichever is smaller, for each measure (4,). `sums`
    (U, 10) contains each sentence pair's sums.
    """
    total = sums.sum(axis=0)
    confirmed = total[2::2] + total[3::2]
    rarer: Floats = np.minimum(confirmed, total[0] + total[1] - confirmed)
    return rarer


# The figures of a system if people have annotated a random part of the pairs
ASSISTED = SummedFigures(list(TITLES.values()), f1_of_sums, rarer_weights, ranked=3)


def hard_and_expected_f1(sums: Floats) -> Floats:
    """Return eight F1 values (8, B) for B sums: the four values of `f1_of_sums` for the first ten columns, followed by
    the four values for the last ten columns.
    """
    return np.concatenate([f1_of_sums(sums[:, :WIDTH]), f1_of_sums(sums[:, WIDTH:])])


def f1_measures(scores: IstsScores, *, resamples: int, seed: int) -> list[Measure]:
    """Return the four F1 values with 95% percentile intervals from resampled sentence pairs. A single sentence pair has
    no interval.
    """
    sums = sums_by_pair(scores, list(scores.pairs))
    return measures_of_sums(FIGURES, sums, f1_of_sums, resamples=resamples, seed=seed)
