"""A Dawid–Skene model of annotators who link chunks, which estimates the probability of each link and each annotator's
error rates.

The model estimates whether the two chunks of each cell are linked, together with the error rates of each annotator, by
expectation maximisation. The prior of a cell depends on its class (`link_cells.py`). The error rates of an annotator
depend on whether the cell is an initial link, because an unedited link is weak evidence if its annotator often leaves
wrong links unedited. Cells of different classes have different priors, so the error rates can be estimated from two
annotators (Hui and Walter 1980).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord_core.chunks.numerics.link_cells import CLASSES, LinkCells
from accord_core.numerics.labels import Floats, normalised

TOLERANCE = 1e-3
MOST_ROUNDS = 200
DECIMALS = 12
PRIOR_CELLS = 10.0
"""The weight of the pooled error rates in one annotator's estimate, as a number of cells per true state."""
CLASS_CELLS = 5.0
"""The weight that the prior of a class gives to the frequencies in all cells with the same initial state. The weight is
given as a number of cells.
"""
TYPICAL = np.array([[9.5, 0.5], [1.0, 9.0]])
"""Initial numbers of cells for the pooled error rates, by true state and vote."""
TYPICAL_CELLS = np.array([1.0, 0.3])
"""The number of cells of each state in the initial frequencies of each initial state."""


@dataclass(frozen=True, eq=False)
class LinkModel:
    """Estimates for R cells and A annotators.

    `linked` (R,) is the probability that the two chunks are linked. `confusion[a, s, t, v]` is the probability that
    annotator a votes v (1 for a link) if the true state is t and s is 1 for an initial link. `prior` (classes, 2)
    contains the frequencies of the states in each class.
    """

    linked: Floats
    confusion: Floats
    prior: Floats
    rounds: int
    converged: bool


def fit_links(
    cells: LinkCells,
    *,
    weights: Floats | None = None,
    start: Floats | None = None,
    tolerance: float = TOLERANCE,
    most_rounds: int = MOST_ROUNDS,
) -> LinkModel:
    """Estimate the model. The estimation starts from the shares of the votes, or from the probabilities `start` (R,).

    For resampling, `weights` (R,) specifies how many times each cell counts, which can be 0. The estimation ends when
    no probability changes by more than `tolerance`, or after `most_rounds`.
    """
    weight = np.ones(len(cells.pair)) if weights is None else weights
    fixed = cells.known >= 0
    linked = np.where(fixed, cells.known, cells.shares if start is None else start)
    confusion, prior = error_rates(cells, linked, weight), _prior(cells, linked, weight)
    for number in range(1, most_rounds + 1):
        likelihood = np.log(confusion)[cells.annotator, cells.initial[cells.row], :, cells.linked]
        evidence = np.stack([np.bincount(cells.row, column, len(cells.pair)) for column in likelihood.T], axis=1)
        before = linked
        # Without this rounding, floating-point errors could grow and decide ties between annotators with equal votes.
        likely = normalised(np.log(prior)[cells.group] + evidence)[:, 1].round(DECIMALS)
        linked = np.where(fixed, cells.known, likely)
        confusion, prior = error_rates(cells, linked, weight), _prior(cells, linked, weight)
        if np.abs(linked - before).max(initial=0.0) <= tolerance:
            return LinkModel(linked, confusion, prior, number, converged=True)
    return LinkModel(linked, confusion, prior, most_rounds, converged=False)


def error_rates(cells: LinkCells, linked: Floats, weight: Floats) -> Floats:
    """Return the error rates (A, 2, 2, 2) by annotator, initial state, true state and vote.

    The pooled rates of all annotators are estimated first. They then serve as the prior for each annotator's rates.
    """
    place = (cells.annotator * 2 + cells.initial[cells.row]) * 2 + cells.linked
    size = cells.n_annotators * 4
    expected = [(weight * share)[cells.row] for share in (1 - linked, linked)]
    by_state = [np.bincount(place, column, size) for column in expected]
    counts = np.stack(by_state).reshape(2, cells.n_annotators, 2, 2).transpose(1, 2, 0, 3)
    pooled = counts.sum(axis=0) + TYPICAL
    pooled /= pooled.sum(axis=-1, keepdims=True)
    own = counts + PRIOR_CELLS * pooled
    rates: Floats = own / own.sum(axis=-1, keepdims=True)
    return rates


def _prior(cells: LinkCells, linked: Floats, weight: Floats) -> Floats:
    """Return how often each state occurs in each class (classes, 2)."""
    counts = np.stack([np.bincount(cells.group, weight * share, CLASSES) for share in (1 - linked, linked)], axis=1)
    by_start = counts.reshape(2, -1, 2).sum(axis=1) + TYPICAL_CELLS
    pooled = np.repeat(by_start / by_start.sum(axis=1, keepdims=True), CLASSES // 2, axis=0)
    own = counts + CLASS_CELLS * pooled
    prior: Floats = own / own.sum(axis=1, keepdims=True)
    return prior
