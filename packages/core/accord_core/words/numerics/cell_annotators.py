"""Precision and recall of each annotator's links with standard errors, as estimated by the model of cells."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from accord_core.numerics.draws import generator
from accord_core.numerics.jackknife import jackknife_part
from accord_core.numerics.labels import Floats
from accord_core.words.numerics.cell_model import CellModel, fit
from accord_core.words.numerics.cells import NO_LINK, Cells

GROUPS = 20
ROUNDS = 30
FEWEST_WRONG = 1


class LinkRates(NamedTuple):
    """Estimates (A,) for A annotators. Undefined estimates are NaN.

    `precision` is the expected share of correct links among the links of an annotator. `recall` is the expected share
    of the true links that the annotator drew. `kept_wrong` is the expected share of the wrong initial links that the
    annotator kept. It is undefined if the expected number of wrong initial links is below 1. The standard errors
    `precision_error` and `recall_error` are NaN with fewer than two pairs.
    """

    precision: Floats
    recall: Floats
    kept_wrong: Floats
    precision_error: Floats
    recall_error: Floats


def link_rates(cells: Cells, model: CellModel, *, seed: int) -> LinkRates:
    """Estimate each annotator's precision and recall.

    The standard errors come from a jackknife over 20 random groups of sentence pairs. The jackknife leaves out one
    group at a time and estimates the model again, starting from the posteriors of the complete data. With fewer than 20
    pairs, each pair is a group.
    """
    values = _rates(cells, model, cells.weight)
    number = np.unique(cells.pair)
    groups = min(len(number), GROUPS)
    group_of = generator("link rates", seed).permutation(len(number)) % max(groups, 1)
    group = group_of[np.searchsorted(number, cells.pair)]
    without = []
    for left_out in range(groups if groups > 1 else 0):
        weights = np.where(group == left_out, 0.0, cells.weight)
        again = fit(cells, weights=weights, start=model.posterior, most_rounds=ROUNDS)
        without.append(_rates(cells, again, weights)[:2].ravel())
    errors = np.full((2, cells.n_annotators), np.nan)
    if without:
        errors = np.sqrt(jackknife_part(np.stack(without)).variance).reshape(2, -1)
    return LinkRates(*values, *errors)


def _rates(cells: Cells, model: CellModel, weights: Floats) -> Floats:
    """Return the precision, the recall and the share of wrong initial links that were kept, as an array (3, A)."""

    def total(amounts: Floats) -> Floats:
        return np.bincount(cells.annotator, weights=amounts, minlength=cells.n_annotators).astype(np.float64)

    weight, linked = weights[cells.row], model.linked[cells.row]
    drawn = cells.vote != NO_LINK
    wrong = weight * (1 - linked) * (cells.start[cells.row] != NO_LINK)
    correct = total(weight * linked * drawn)
    tops = np.stack([correct, correct, total(wrong * drawn)])
    bases = np.stack([total(weight * drawn), total(weight * linked), total(wrong)])
    # With almost no wrong links, rounding errors and priors would decide the share.
    defined = np.stack([bases[0] > 0, bases[1] > 0, bases[2] >= FEWEST_WRONG])
    return np.divide(tops, bases, out=np.full_like(tops, np.nan), where=defined)
