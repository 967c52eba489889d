"""Resolvable designs from difference families. In such a design, all classes are shifts of one partition of the items
by a cyclic group.
"""

from __future__ import annotations

import math
import random

import numpy as np
from numpy.typing import NDArray

ATTEMPTS = 6
STEPS = 250_000
# Designs with fewer items have a smaller search space, so the number of steps can grow with the cube of the number of
# items.
FULL_STEPS_FROM = 24
FIRST_TEMPERATURE, LAST_TEMPERATURE = 0.35, 0.12


def develop_one_class(n_items: int, n_classes: int, size: int, rng: np.random.Generator) -> NDArray[np.int64] | None:
    """Return `n_classes` partitions of the items into tuples without repeated pairs, or None. The array has the shape
    (n_classes · n_items,).

    `n_items` must be divisible by `size`. A permutation of order `n_classes` acts on the items, with ⌊N / n_classes⌋
    cycles and fixed points for the remaining items. If all pairs of a partition are in different, full orbits, the
    n_classes shifts of the partition form classes without a repeated pair (a difference family over Z_n). The partition
    is found by simulated annealing, in a search space that is n_classes times smaller than the space of all designs.
    Finally, the items are renamed at random.
    """
    orbit, used = _orbits_of_pairs(n_items, n_classes)
    dice = random.Random(int(rng.integers(2**62)))
    for _ in range(ATTEMPTS):
        partition = _search(orbit, used[:], n_items, size, dice)
        if partition is not None:
            shift = _shift(n_items, n_classes)
            classes = [np.array(partition, dtype=np.int64)]
            while len(classes) < n_classes:
                classes.append(shift[classes[-1]])
            names = rng.permutation(n_items)
            return names[np.concatenate(classes)]
    return None


def _shift(n_items: int, order: int) -> NDArray[np.int64]:
    items = np.arange(n_items)
    moved = items // order * order + (items % order + 1) % order
    return np.where(items < n_items // order * order, moved, items)


def _orbits_of_pairs(n_items: int, order: int) -> tuple[list[list[int]], list[int]]:
    """Return each pair's orbit number, and how often each orbit is counted. The cyclic shifts of short orbits repeat
    pairs.
    """
    shift = _shift(n_items, order).tolist()
    orbit = [[-1] * n_items for _ in range(n_items)]
    used: list[int] = []
    for x in range(n_items):
        for y in range(x):
            length, a, b = 0, x, y
            while orbit[a][b] < 0:
                orbit[a][b] = orbit[b][a] = len(used)
                a, b, length = shift[a], shift[b], length + 1
            if length:
                used.append(0 if length == order else 1)
    return orbit, used


def _search(orbit: list[list[int]], used: list[int], n_items: int, size: int, dice: random.Random) -> list[int] | None:
    """Search for a partition, tuple by tuple, that uses each orbit of pairs at most once."""
    chance, exp = dice.random, math.exp
    partition = list(range(n_items))
    dice.shuffle(partition)
    repeats = 0
    for slot, x in enumerate(partition):
        for y in partition[slot - slot % size : slot]:
            repeats += used[orbit[x][y]]
            used[orbit[x][y]] += 1
    steps = math.ceil(STEPS * min(1.0, n_items / FULL_STEPS_FROM) ** 3)
    temperature, cooling = FIRST_TEMPERATURE, (LAST_TEMPERATURE / FIRST_TEMPERATURE) ** (100 / steps)
    for step in range(steps):
        if not repeats:
            return partition
        if step % 100 == 0:
            temperature *= cooling
        slot_a, slot_b = int(chance() * n_items), int(chance() * n_items)
        a, b = slot_a - slot_a % size, slot_b - slot_b % size
        if a == b:
            continue
        x, y = partition[slot_a], partition[slot_b]
        with_x, with_y = orbit[x], orbit[y]
        mates_a = partition[a:slot_a] + partition[slot_a + 1 : a + size]
        mates_b = partition[b:slot_b] + partition[slot_b + 1 : b + size]
        lost = [with_x[mate] for mate in mates_a] + [with_y[mate] for mate in mates_b]
        gained = [with_y[mate] for mate in mates_a] + [with_x[mate] for mate in mates_b]
        change = 0
        for number in lost:
            used[number] -= 1
            change -= used[number]
        for number in gained:
            change += used[number]
            used[number] += 1
        if change <= 0 or chance() < exp(-change / temperature):
            partition[slot_a], partition[slot_b] = y, x
            repeats += change
        else:
            for number in gained:
                used[number] -= 1
            for number in lost:
                used[number] += 1
    return None
