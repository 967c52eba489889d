"""A Dawid–Skene model of link types, in which each annotator's error rates are shrunk towards those of all
annotators.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord_core.chunks.numerics.chunks import RELATIONS
from accord_core.chunks.numerics.link_cells import OVERLAPS, LinkCells
from accord_core.numerics.labels import Floats, normalised

TYPES = len(RELATIONS)
TOLERANCE = 1e-3
MOST_ROUNDS = 200
DECIMALS = 12
PRIOR_LINKS = 10.0
"""The weight of the pooled error rates in one annotator's estimate, as a number of links per true type."""
TYPICAL = 0.4 * np.ones((TYPES, TYPES)) + 7.6 * np.eye(TYPES)
"""Initial numbers of links for the pooled error rates, by true type and vote."""
CLASS_LINKS = 5.0
"""The weight of the overall type frequencies in each link class's prior, as a number of links."""
TYPICAL_LINKS = 0.5
"""The number of links of each type that the prior starts with."""


@dataclass(frozen=True, eq=False)
class TypeModel:
    """Estimates for R cells and A annotators.

    `posterior` (R, 6) contains the probability of each type in `RELATIONS` if the two chunks are linked. For cells that
    no annotator linked, the row contains the frequencies of the types. `confusion[a, t, v]` is the probability that
    annotator a gives a link of the true type t the type v.
    """

    posterior: Floats
    confusion: Floats
    rounds: int
    converged: bool


def fit_types(
    cells: LinkCells,
    linked: Floats,
    *,
    start: Floats | None = None,
    tolerance: float = TOLERANCE,
    most_rounds: int = MOST_ROUNDS,
) -> TypeModel:
    """Estimate the model from the types that the annotators chose. Each link is weighted by `linked` (R,), such as its
    probability. `start` (R, 6) replaces the vote shares as the initial probabilities.
    """
    votes = np.flatnonzero(cells.linked)
    row, annotator, vote = cells.row[votes], cells.annotator[votes], cells.type[votes]
    counts = np.bincount(row * TYPES + vote, minlength=len(cells.pair) * TYPES).reshape(-1, TYPES)
    voted = counts.sum(axis=1)
    weight = np.where(voted > 0, linked, 0.0)
    fixed = cells.known_type >= 0
    known = np.eye(TYPES)[np.maximum(cells.known_type, 0)]
    shares = (counts + 1 / TYPES) / (voted + 1)[:, None]
    posterior = np.where(fixed[:, None], known, shares if start is None else start)

    def estimates() -> tuple[Floats, Floats]:
        expected = (posterior * weight[:, None])[row]
        by_type = [np.bincount(annotator * TYPES + vote, column, cells.n_annotators * TYPES) for column in expected.T]
        confusion = np.stack(by_type).reshape(TYPES, cells.n_annotators, TYPES).transpose(1, 0, 2)
        return _shrunk(confusion.astype(np.float64)), _prior(cells, posterior, weight)

    confusion, prior = estimates()
    for number in range(1, most_rounds + 1):
        evidence = np.stack(
            [np.bincount(row, column, len(cells.pair)) for column in np.log(confusion)[annotator, :, vote].T], axis=1
        )
        before = posterior
        likely = normalised(np.log(prior)[cells.overlap] + evidence).round(DECIMALS)
        posterior = np.where(fixed[:, None], known, likely)
        confusion, prior = estimates()
        if np.abs(posterior - before).max(initial=0.0) <= tolerance:
            return TypeModel(posterior, confusion, number, converged=True)
    return TypeModel(posterior, confusion, most_rounds, converged=False)


def _shrunk(counts: Floats) -> Floats:
    """Return the error rates (A, 6, 6) from the expected counts, shrunk towards the rates of all annotators."""
    pooled = counts.sum(axis=0) + TYPICAL
    pooled /= pooled.sum(axis=1, keepdims=True)
    own = counts + PRIOR_LINKS * pooled
    rates: Floats = own / own.sum(axis=2, keepdims=True)
    return rates


def _prior(cells: LinkCells, posterior: Floats, weight: Floats) -> Floats:
    """Return the frequency of each type (3, 6) for each degree of word overlap between the two chunks."""
    expected = posterior * weight[:, None]
    counts = np.stack([np.bincount(cells.overlap, column, OVERLAPS) for column in expected.T], axis=1)
    pooled = counts.sum(axis=0) + TYPICAL_LINKS
    own = counts + CLASS_LINKS * pooled / pooled.sum()
    prior: Floats = own / own.sum(axis=1, keepdims=True)
    return prior
