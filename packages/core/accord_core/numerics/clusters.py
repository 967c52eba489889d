"""Clusters of items, such as the candidates of one question. The labels in a cluster are resampled together."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from accord_core.numerics.labels import Ints, Labels


def labelled_clusters(labels: Labels, clusters: ArrayLike) -> tuple[Ints, int]:
    """Return the cluster (n,) of each labelled item, in item order and numbered from 0, and the number of clusters.

    `clusters` (n_items,) contains a number for each item. Raises ValueError for a different shape.
    """
    numbers = np.asarray(clusters)
    if numbers.shape != (labels.n_items,):
        raise ValueError(f"`clusters` has the shape {numbers.shape} instead of ({labels.n_items},).")
    used, unit = np.unique(numbers[np.unique(labels.item)], return_inverse=True)
    return unit, len(used)
