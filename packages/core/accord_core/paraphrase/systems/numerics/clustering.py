"""Functions that cluster sentences by their vectors, and compare the clusters with classes (Pham et al., 2013,
evaluation 1).

The method is spherical k-means (Dhillon and Modha 2001) with k-means++ (Arthur and Vassilvitskii 2007). Purity and
entropy are defined as in Zhao and Karypis (2001) and as in the output of the CLUTO toolkit.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord_core.numerics.bootstrap import Coefficient

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_ROUNDS = 200


@dataclass(frozen=True, eq=False)
class Clusters:
    """`cluster_of` has the shape (n,) and contains each vector's cluster, from 0 to k − 1. `objective` is the sum of
    the cosines between the vectors and their cluster centres.
    """

    cluster_of: Ints
    objective: float


def spherical_k_means(vectors: ArrayLike, k: int, *, restarts: int = 20, seed: int = 1) -> Clusters:
    """Return the best of `restarts` runs of spherical k-means. The best run has the highest sum of cosines between the
    vectors (n, d) and their cluster centres.

    The same vectors, k and seed always produce the same clusters. No cluster is empty. Raises ValueError unless 1 ≤ k ≤
    n, or if a vector has length zero and therefore no direction.
    """
    rows = directions(vectors)
    if not 1 <= k <= len(rows):
        raise ValueError(f"{len(rows)} vectors cannot be divided into {k} clusters.")
    if restarts < 1:
        raise ValueError(f"The number of runs must be at least 1, not {restarts}.")
    generator = np.random.default_rng([seed, 0xC1])
    runs = (_run(rows, _first_centres(rows, k, generator)) for _ in range(restarts))
    return max(runs, key=lambda run: run.objective)


def purity(classes: ArrayLike, clusters: ArrayLike) -> float:
    """Return the purity: the total size of the largest class in each cluster, divided by n. Both arrays contain
    integers and have the shape (n,).
    """
    cells = _Cells(classes, clusters)
    return float(cells.purity(cells.counts[None])[0])


def entropy(classes: ArrayLike, clusters: ArrayLike) -> float:
    """Return the entropy: the sum of n_r/n · (−Σ p ln p / ln q) over all clusters, where p is the share of each of the
    q classes. The lowest entropy, 0, is the best. The entropy is NaN if there is only one class.
    """
    cells = _Cells(classes, clusters)
    return float(cells.entropy(cells.counts[None])[0])


def cluster_figures(classes: ArrayLike, clusters: ArrayLike) -> dict[str, Coefficient]:
    """Return the `purity` and `entropy` without intervals, or the reason why the entropy is undefined."""
    value = entropy(classes, clusters)
    undefined = Coefficient(None, reason="there is only one class")
    return {
        "purity": Coefficient(purity(classes, clusters)),
        "entropy": undefined if isnan(value) else Coefficient(value),
    }


def directions(vectors: ArrayLike) -> Floats:
    """Return the vectors (n, d), scaled to length 1. Raises ValueError with the row number (counted from 1) if a vector
    has length zero or contains NaN.
    """
    rows = np.asarray(vectors, dtype=np.float64)
    if rows.ndim != 2:
        raise ValueError(
            f"The vectors must be the rows of a two-dimensional array, not an array with {rows.ndim} dimensions."
        )
    # Vectors are scaled first, because the square of a very small number would be zero.
    largest = np.abs(rows).max(axis=1, keepdims=True, initial=0.0)
    bad = ~np.isfinite(largest[:, 0]) | (largest[:, 0] == 0)
    if bad.any():
        raise ValueError(
            f"Vector {int(np.flatnonzero(bad)[0]) + 1} has no direction, because it is zero or contains "
            f"a value that is not a number."
        )
    rows = rows / largest
    unit: Floats = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def _first_centres(rows: Floats, k: int, generator: np.random.Generator) -> Floats:
    """Choose initial centres by k-means++, in which each new centre is a row drawn with a probability proportional to
    its distance (1 − cosine) from the nearest existing centre.
    """
    chosen = [int(generator.integers(len(rows)))]
    distance = np.clip(1 - rows @ rows[chosen[0]], 0.0, None)
    while len(chosen) < k:
        distance[chosen] = 0.0
        total = distance.sum()
        if total > 0:
            new = int(generator.choice(len(rows), p=distance / total))
        else:  # all remaining vectors equal a centre
            new = int(generator.choice(np.setdiff1d(np.arange(len(rows)), chosen)))
        chosen.append(new)
        distance = np.minimum(distance, np.clip(1 - rows @ rows[new], 0.0, None))
    centres: Floats = rows[chosen]
    return centres


def _run(rows: Floats, centres: Floats) -> Clusters:
    cluster_of = np.full(len(rows), -1, dtype=np.int64)
    for _ in range(MOST_ROUNDS):
        cosines = rows @ centres.T
        nearest = _without_empty(cosines.argmax(axis=1), cosines)
        if (nearest == cluster_of).all():
            break
        cluster_of = nearest
        sums = np.zeros_like(centres)
        np.add.at(sums, cluster_of, rows)
        length = np.linalg.norm(sums, axis=1, keepdims=True)
        # If a cluster's vectors sum to zero, its centre does not move.
        centres = np.where(length > 1e-12, sums / np.maximum(length, 1e-12), centres)
    return Clusters(cluster_of, float((rows * centres[cluster_of]).sum()))


def _without_empty(cluster_of: Ints, cosines: Floats) -> Ints:
    """Assign to each empty cluster the vector farthest from its centre, except vectors alone in a cluster."""
    counts = np.bincount(cluster_of, minlength=cosines.shape[1])
    for empty in np.flatnonzero(counts == 0):
        own = np.where(counts[cluster_of] > 1, cosines[np.arange(len(cluster_of)), cluster_of], np.inf)
        moved = int(own.argmin())
        counts[cluster_of[moved]] -= 1
        counts[empty] += 1
        cluster_of[moved] = empty
    return cluster_of


class _Cells:
    """The non-zero cells of the contingency table, sorted by cluster. Purity and entropy are calculated only from the
    non-zero cells.
    """

    def __init__(self, classes: ArrayLike, clusters: ArrayLike) -> None:
        pairs = np.stack([np.asarray(clusters), np.asarray(classes)], axis=1)
        if not len(pairs):
            raise ValueError("There are no clustered vectors to compare.")
        cells, counts = np.unique(pairs, axis=0, return_counts=True)
        self.counts = counts.astype(np.float64)
        self.starts = np.flatnonzero(np.diff(cells[:, 0], prepend=cells[0, 0] - 1))
        self.cluster = np.cumsum(np.diff(cells[:, 0], prepend=cells[0, 0]) != 0)
        self.classes = len(np.unique(cells[:, 1]))

    def purity(self, counts: Floats) -> Floats:
        """Return the purity (B,) for each row of `counts` (B, cells)."""
        shares: Floats = np.maximum.reduceat(counts, self.starts, axis=1).sum(axis=1) / counts.sum(axis=1)
        return shares

    def entropy(self, counts: Floats) -> Floats:
        """Return the entropy (B,) for each row of `counts` (B, cells)."""
        if self.classes < 2:
            return np.full(len(counts), np.nan)
        of_cluster = np.add.reduceat(counts, self.starts, axis=1)[:, self.cluster]
        share = np.divide(counts, of_cluster, out=np.ones_like(counts), where=counts > 0)
        entropies: Floats = (counts * -np.log(share)).sum(axis=1) / counts.sum(axis=1) / log(self.classes)
        return np.abs(entropies)  # never −0
