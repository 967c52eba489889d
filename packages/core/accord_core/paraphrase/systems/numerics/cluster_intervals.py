"""Intervals for purity and entropy, which are calculated by clustering random halves of the paraphrase sets again."""

from __future__ import annotations

from dataclasses import replace
from math import log

import numpy as np
from numpy.typing import NDArray

from accord_core.numerics.bootstrap import Coefficient
from accord_core.numerics.intervals import t_quantile
from accord_core.paraphrase.systems.numerics.clustering import entropy, purity, spherical_k_means

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

FEWEST_SETS = 10
HALVES = 40
RESTARTS = 5


def cluster_intervals(
    figures: dict[str, Coefficient], rows: Floats, classes: Ints, set_of: Ints, *, seed: int = 1
) -> dict[str, Coefficient]:
    """Return the purity and entropy of vectors (n, d) with 95% intervals that generalise to other paraphrase sets.

    `classes` and `set_of` (n,) contain the class and the paraphrase set of each vector. The standard error is the
    standard deviation over random halves of the sets, drawn without replacement (the delete-d jackknife of Shao and Wu
    1989 with d = n/2, scaled for odd numbers of sets). The bootstrap is not used, because copies of a set would form
    clusters of their own. With fewer than ten sets, there are no intervals, and `reason` contains the reason.
    """
    sets, number = np.unique(set_of, return_inverse=True)
    if len(sets) < FEWEST_SETS:
        reason = f"there are fewer than {FEWEST_SETS} sets with P sentences"
        return {name: each if each.reason else replace(each, reason=reason) for name, each in figures.items()}
    generator = np.random.default_rng([seed, 0xC2])
    kept = len(sets) // 2
    halves = [generator.permutation(len(sets)) < kept for _ in range(HALVES)]
    found = np.array([_purity_and_entropy(rows[half[number]], classes[half[number]], seed) for half in halves])
    scale = np.sqrt(kept / (len(sets) - kept))
    total = log(max(2, len(np.unique(classes))))
    # The entropy of a half is divided by the logarithm of fewer classes, so its errors are on a larger scale.
    errors = np.std(found, axis=0, ddof=1) * scale / [1.0, total]
    return {
        name: _with_interval(figures[name], float(error) * t_quantile(HALVES - 1))
        for name, error in zip(("purity", "entropy"), errors, strict=True)
    }


def _purity_and_entropy(rows: Floats, classes: Ints, seed: int) -> tuple[float, float]:
    """Return the purity of new clusters of the vectors, and their entropy in nats."""
    number = len(np.unique(classes))
    clusters = spherical_k_means(rows, number, restarts=RESTARTS, seed=seed).cluster_of
    return purity(classes, clusters), entropy(classes, clusters) * log(number) if number > 1 else 0.0


def _with_interval(figure: Coefficient, half: float) -> Coefficient:
    if figure.value is None:
        return figure
    return Coefficient(figure.value, max(0.0, figure.value - half), min(1.0, figure.value + half))
