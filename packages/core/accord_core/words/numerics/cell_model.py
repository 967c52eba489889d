"""A Dawid–Skene model of annotators who align words, which estimates the probability of each link and each annotator's
error rates.

The model estimates the state of each cell (no link, possible link, sure link) together with the error rates of each
annotator, by expectation maximisation. The prior of a cell depends on its class (`cells.py`). The error rates of an
annotator depend on the state in the initial links, because annotators edit these links: an unedited link is weak
evidence if its annotator often leaves wrong links unedited. Cells of different classes have different priors, so the
error rates can be estimated from two annotators (Hui and Walter 1980).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord_core.numerics.labels import Floats, normalised
from accord_core.words.numerics.cells import CLASSES, NO_LINK, STATES, Cells

TOLERANCE = 1e-3
MOST_ROUNDS = 200
DECIMALS = 12
PRIOR_CELLS = 20.0
"""The weight of the pooled error rates in one annotator's estimate, as a number of cells per true state."""
CLASS_CELLS = 5.0
"""The weight that the prior of a class gives to the frequencies in all cells with the same initial state. The weight is
given as a number of cells.
"""
TYPICAL = np.array([[9.0, 0.5, 0.5], [2.0, 6.0, 2.0], [1.0, 1.0, 8.0]])
"""Initial numbers of cells for the pooled error rates, by true state and vote."""

TYPICAL_CELLS = np.array([1.0, 0.1, 0.3])
"""The number of cells of each state in the initial frequencies of each initial state."""


@dataclass(frozen=True, eq=False)
class CellModel:
    """Estimates for R rows of cells and for A annotators.

    `posterior` (R, 3) contains the probabilities of no link, a possible link and a sure link. `confusion[a, s, t, v]`
    is the probability that annotator a votes for state v if the true state is t and the initial links have the state s.
    `prior` (classes, 3) contains the frequencies of the states in each class.
    """

    posterior: Floats
    confusion: Floats
    prior: Floats
    rounds: int
    converged: bool

    @property
    def linked(self) -> Floats:
        """Return the probability (R,) that the cell contains a possible or sure link."""
        probability: Floats = 1 - self.posterior[:, NO_LINK]
        return probability


def fit(
    cells: Cells,
    *,
    weights: Floats | None = None,
    start: Floats | None = None,
    tolerance: float = TOLERANCE,
    most_rounds: int = MOST_ROUNDS,
) -> CellModel:
    """Estimate the model. The estimation starts from the shares of the votes, or from the posteriors `start` (R, 3).

    For resampling, `weights` (R,) replaces the number of cells in each row. The estimation ends when no posterior
    changes by more than `tolerance`, or after `most_rounds`.
    """
    weight = cells.weight if weights is None else weights
    fixed = cells.known >= 0
    truth = np.eye(STATES)[np.maximum(cells.known, 0)]
    posterior = np.where(fixed[:, None], truth, cells.shares if start is None else start)
    confusion, prior = error_rates(cells, posterior, weight), _prior(cells, posterior, weight)
    for number in range(1, most_rounds + 1):
        likelihood = np.log(confusion)[cells.annotator, cells.start[cells.row], :, cells.vote]
        evidence = np.stack(
            [np.bincount(cells.row, weights=column, minlength=len(cells.pair)) for column in likelihood.T], axis=1
        )
        before = posterior
        # Without this rounding, floating-point errors could grow and decide ties between annotators with equal votes.
        likely = normalised(np.log(prior)[cells.group] + evidence).round(DECIMALS)
        posterior = np.where(fixed[:, None], truth, likely)
        confusion, prior = error_rates(cells, posterior, weight), _prior(cells, posterior, weight)
        if np.abs(posterior - before).max(initial=0.0) <= tolerance:
            return CellModel(posterior, confusion, prior, number, converged=True)
    return CellModel(posterior, confusion, prior, most_rounds, converged=False)


def error_rates(cells: Cells, posterior: Floats, weight: Floats) -> Floats:
    """Return the error rates (A, 3, 3, 3) by annotator, initial state, true state and vote.

    The pooled rates of all annotators are estimated first. They then serve as the prior for each annotator's rates.
    """
    place = (cells.annotator * STATES + cells.start[cells.row]) * STATES + cells.vote
    size = cells.n_annotators * STATES * STATES
    expected = (posterior * weight[:, None])[cells.row]
    by_state = [np.bincount(place, weights=column, minlength=size) for column in expected.T]
    counts = np.stack(by_state).reshape(STATES, cells.n_annotators, STATES, STATES).transpose(1, 2, 0, 3)
    pooled = counts.sum(axis=0) + TYPICAL
    pooled /= pooled.sum(axis=-1, keepdims=True)
    own = counts + PRIOR_CELLS * pooled
    rates: Floats = own / own.sum(axis=-1, keepdims=True)
    return rates


def _prior(cells: Cells, posterior: Floats, weight: Floats) -> Floats:
    """Return how often each state occurs in each class (classes, 3)."""
    expected = posterior * weight[:, None]
    counts = np.stack([np.bincount(cells.group, weights=column, minlength=CLASSES) for column in expected.T], axis=1)
    by_start = counts.reshape(STATES, -1, STATES).sum(axis=1) + TYPICAL_CELLS
    pooled = np.repeat(by_start / by_start.sum(axis=1, keepdims=True), CLASSES // STATES, axis=0)
    own = counts + CLASS_CELLS * pooled
    prior: Floats = own / own.sum(axis=1, keepdims=True)
    return prior
