"""The models' estimates of each annotator's precision, recall, type accuracy and scores, with standard errors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from accord_core.chunks.numerics.link_cells import LinkCells
from accord_core.chunks.numerics.link_model import LinkModel, fit_links
from accord_core.chunks.numerics.score_model import ScoreModel
from accord_core.chunks.numerics.type_model import TypeModel, fit_types
from accord_core.numerics.draws import generator
from accord_core.numerics.jackknife import jackknife_part
from accord_core.numerics.labels import Floats

GROUPS = 20
ROUNDS = 30


class AnnotatorRates(NamedTuple):
    """Estimates (A,) for A annotators. Undefined estimates are NaN.

    `precision` is the expected share of correct links among the links of an annotator. `recall` is the expected share
    of the true links that the annotator drew. `type_accuracy` is the expected share of correct types among the correct
    links. The standard errors are NaN with fewer than two pairs. `score_bias` is the mean amount by which the
    annotator's scores are higher than the true scores, and `score_sd` is the standard deviation of the scores around
    the true score plus the bias. Scores of EQUI links do not count.
    """

    precision: Floats
    recall: Floats
    type_accuracy: Floats
    precision_error: Floats
    recall_error: Floats
    type_error: Floats
    score_bias: Floats
    score_sd: Floats


def annotator_rates(
    cells: LinkCells, links: LinkModel, types: TypeModel, scores: ScoreModel, *, seed: int
) -> AnnotatorRates:
    """Estimate each annotator's rates.

    The standard errors come from a jackknife over 20 random groups of sentence pairs. The jackknife leaves out one
    group at a time and estimates the models again, starting from the probabilities of the complete data. With fewer
    than 20 pairs, each pair is a group.
    """
    ones = np.ones(len(cells.pair))
    values = _rates(cells, links, types, ones)
    number = np.unique(cells.pair)
    groups = min(len(number), GROUPS)
    group_of = generator("annotator rates", seed).permutation(len(number)) % max(groups, 1)
    group = group_of[np.searchsorted(number, cells.pair)]
    without = []
    for left_out in range(groups if groups > 1 else 0):
        weights = np.where(group == left_out, 0.0, ones)
        linked = fit_links(cells, weights=weights, start=links.linked, most_rounds=ROUNDS)
        typed = fit_types(cells, linked.linked * weights, start=types.posterior, most_rounds=ROUNDS)
        without.append(_rates(cells, linked, typed, weights).ravel())
    errors = np.full((3, cells.n_annotators), np.nan)
    if without:
        errors = np.sqrt(jackknife_part(np.stack(without)).variance).reshape(3, -1)
    scored = np.bincount(cells.annotator, ~np.isnan(cells.score), cells.n_annotators) > 0
    precision, recall, type_accuracy = values
    precision_error, recall_error, type_error = errors
    bias, error = (np.where(scored, of, np.nan) for of in (scores.bias, scores.error))
    return AnnotatorRates(precision, recall, type_accuracy, precision_error, recall_error, type_error, bias, error)


def _rates(cells: LinkCells, links: LinkModel, types: TypeModel, weights: Floats) -> Floats:
    """Return precision, recall and type accuracy in an array (3, A)."""

    def total(amounts: Floats) -> Floats:
        return np.bincount(cells.annotator, amounts, cells.n_annotators).astype(np.float64)

    weight, linked, drawn = weights[cells.row], links.linked[cells.row], cells.linked
    right_type = types.posterior[cells.row, np.maximum(cells.type, 0)]
    correct = total(weight * linked * drawn)
    tops = np.stack([correct, correct, total(weight * linked * drawn * right_type)])
    bases = np.stack([total(weight * drawn), total(weight * linked), correct])
    return np.divide(tops, bases, out=np.full_like(tops, np.nan), where=bases > 0)
