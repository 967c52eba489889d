"""Functions that assign items to test folds by a hash of their IDs, which does not depend on the row order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from accord_core.numerics.draws import draw

Ints = NDArray[np.int64]


def hash_order(keys: Sequence[str], seed: int) -> Ints:
    """Return the positions (n,) of the keys when sorted by a hash of the seed and the key.

    The same keys always have the same order, even if their rows are in a different order. Raises ValueError if a key
    occurs twice.
    """
    hashed = sorted((draw(seed, "fold", key), key, place) for place, key in enumerate(keys))
    repeated = next((one[1] for one, other in pairwise(hashed) if one[1] == other[1]), None)
    if repeated is not None:
        raise ValueError(f"The key {repeated} occurs twice, but each item needs its own key.")
    return np.array([place for _, _, place in hashed], dtype=np.int64)


def test_folds(keys: Sequence[str], folds: int, seed: int) -> Ints:
    """Return each key's test fold (n,), from 0 to `folds` − 1. The sizes of the folds differ by at most one.

    The fold of an item depends on the seed and on the set of all keys, but not on their order. Raises ValueError if
    there are fewer than two folds, or if a key occurs twice.
    """
    if folds < 2:
        raise ValueError(f"The number of folds must be at least 2, not {folds}.")
    numbers = np.empty(len(keys), dtype=np.int64)
    for fold, places in enumerate(np.array_split(hash_order(keys, seed), folds)):
        numbers[places] = fold
    return numbers
