"""Functions that count repeated pairs (pairs of items in more than one tuple), and that remove them by swapping
items.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

CANDIDATES = 16
REPAIRED_AT_ONCE = 4_096
PATIENCE = 12


def pair_codes(tuples: NDArray[np.int64], n_items: int) -> NDArray[np.int64]:
    """Return a code for each pair of items in each tuple, calculated as `smaller * n_items + larger`.

    The array has the shape (T, k(k−1)/2).
    """
    first, second = (list(side) for side in zip(*combinations(range(tuples.shape[1]), 2), strict=True))
    left, right = tuples[:, first], tuples[:, second]
    return np.minimum(left, right) * n_items + np.maximum(left, right)


def count_excess(tuples: NDArray[np.int64], n_items: int) -> int:
    """Return Σ C(λ, 2) over all pairs, where λ is the number of tuples that contain the pair. The sum is 0 if there are
    no repeated pairs.
    """
    counts = _run_lengths(np.sort(pair_codes(tuples, n_items), axis=None))
    return int((counts * (counts - 1) // 2).sum())


def swap_repeats_away(
    sequence: NDArray[np.int64], n_items: int, n_tuples: int, size: int, rng: np.random.Generator
) -> None:
    """Swap items in repeated pairs with items in other slots of their permutation, in place and many at a time.

    `sequence` has the same form as in `small_designs.anneal`. The function stops when no pair is repeated, or when
    further rounds do not help. In denser designs, fewer swaps help.
    """
    slots = n_tuples * size
    tuples = sequence[:slots].reshape(n_tuples, size)
    fewest, idle = tuples.size * size, 0
    while idle < PATIENCE:
        codes = pair_codes(tuples, n_items)
        ordered = np.sort(codes, axis=None)
        repeated = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
        if not len(repeated):
            return
        offending = _members_of(repeated, codes)
        idle = 0 if len(offending) < fewest else idle + 1
        fewest = min(fewest, len(offending))
        slots_to_move = _one_slot_each(offending, size, rng)
        partners, change = _best_partners(sequence, slots_to_move, ordered, n_items, slots, size, rng)
        _exchange(sequence, slots_to_move[change < 0], partners[change < 0], size)


def _run_lengths(ordered: NDArray[np.int64]) -> NDArray[np.int64]:
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    return np.diff(np.append(starts, len(ordered)))


def _members_of(values: NDArray[np.int64], codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the indices (tuple, pair) of the entries in `codes` that are also in the sorted array `values`."""
    near = np.minimum(np.searchsorted(values, codes), len(values) - 1)
    rows: NDArray[np.int64] = np.argwhere(values[near] == codes)
    return rows


def _one_slot_each(offending: NDArray[np.int64], size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return one slot of one repeated pair in each of at most REPAIRED_AT_ONCE tuples, in random order."""
    offending = rng.permutation(offending)
    _, first = np.unique(offending[:, 0], return_index=True)
    chosen = offending[rng.permutation(first)[:REPAIRED_AT_ONCE]]
    sides = np.array(list(combinations(range(size), 2)))
    slots: NDArray[np.int64] = chosen[:, 0] * size + sides[chosen[:, 1], rng.integers(0, 2, len(chosen))]
    return slots


def _best_partners(
    sequence: NDArray[np.int64],
    slots_to_move: NDArray[np.int64],
    ordered: NDArray[np.int64],
    n_items: int,
    slots: int,
    size: int,
    rng: np.random.Generator,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return each slot's best swap partner among several random slots in the same permutation, and the resulting change
    in Σ C(λ, 2).
    """
    candidates = slots_to_move[:, None] // n_items * n_items + rng.integers(
        0, n_items, (len(slots_to_move), CANDIDATES)
    )
    at = np.broadcast_to(slots_to_move[:, None], candidates.shape)
    x, y = sequence[at], sequence[candidates]
    gain_here, impossible_here = _cost_of_replacing(sequence, at, x, y, ordered, n_items, size)
    spare = candidates >= slots
    real = np.where(spare, at, candidates)
    gain_there, impossible_there = _cost_of_replacing(sequence, real, y, x, ordered, n_items, size)
    change = gain_here + np.where(spare, 0, gain_there)
    impossible = impossible_here | (impossible_there & ~spare) | (at // size == candidates // size)
    change = np.where(impossible, np.iinfo(np.int64).max, change)
    best = np.argmin(change, axis=1)
    rows = np.arange(len(slots_to_move))
    return candidates[rows, best], change[rows, best]


def _cost_of_replacing(
    sequence: NDArray[np.int64],
    slot: NDArray[np.int64],
    old: NDArray[np.int64],
    new: NDArray[np.int64],
    ordered: NDArray[np.int64],
    n_items: int,
    size: int,
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the increase in Σ C(λ, 2) if `new` replaces `old` in each slot, and whether the tuple already contains
    `new`.
    """
    place = slot % size
    change = np.zeros(slot.shape, dtype=np.int64)
    already = np.zeros(slot.shape, dtype=bool)
    for step in range(1, size):
        mate = sequence[slot - place + (place + step) % size]
        already |= mate == new
        change += _how_often(new, mate, ordered, n_items) - _how_often(old, mate, ordered, n_items) + 1
    return change, already


def _how_often(
    x: NDArray[np.int64], y: NDArray[np.int64], ordered: NDArray[np.int64], n_items: int
) -> NDArray[np.int64]:
    code = np.minimum(x, y) * n_items + np.maximum(x, y)
    return np.searchsorted(ordered, code, side="right") - np.searchsorted(ordered, code)


def _exchange(sequence: NDArray[np.int64], slots_a: NDArray[np.int64], slots_b: NDArray[np.int64], size: int) -> None:
    """Apply only swaps that share no tuple with an earlier swap, so that each swap has the calculated effect."""
    touched = np.stack([slots_a // size, slots_b // size], axis=1).ravel()
    _, first, which = np.unique(touched, return_index=True, return_inverse=True)
    alone = (first[which] == np.arange(len(touched))).reshape(-1, 2).all(axis=1)
    slots_a, slots_b = slots_a[alone], slots_b[alone]
    sequence[slots_a], sequence[slots_b] = sequence[slots_b], sequence[slots_a]
