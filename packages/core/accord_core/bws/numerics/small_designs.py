"""Simulated annealing on Σλ², for designs that are too dense to remove repeated pairs by random swaps."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

# Each entry contains (steps, first temperature, last temperature). The entries are tried in order until the bound is
# reached. Swap costs are integers, so only improvements are accepted at temperatures below 0.1. The higher temperature
# in the second round helps if most pairs occur at least twice.
ROUNDS = ((600_000, 0.25, 0.1), (600_000, 0.45, 0.2), (600_000, 0.32, 0.15))
# A design with fewer slots has a smaller search space, so the number of steps can grow with the cube of the number of
# slots.
FULL_STEPS_FROM = 120
# The maximum number of repeated pairs that later rounds can remove.
WORTH_ANOTHER_ROUND = 40


def least_pair_excess(n_items: int, n_tuples: int, size: int) -> int:
    """Return the lower bound of Σ C(λ, 2) over pairs, which is reached if the pair counts λ differ by at most one.

    Σλ² = 2 Σ C(λ, 2) + Σλ, and Σλ is constant, so the minimum of Σ C(λ, 2) is also the minimum of Σλ².
    """
    pairs = n_items * (n_items - 1) // 2
    every, rest = divmod(n_tuples * size * (size - 1) // 2, pairs)
    return pairs * every * (every - 1) // 2 + rest * every


def anneal(
    sequence: NDArray[np.int64], n_items: int, n_tuples: int, size: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Swap items within the permutations of `sequence` until Σλ² reaches its lower bound, or until all rounds are
    finished.

    `sequence` (R·N,) contains consecutive permutations of all items. Slots t·k to t·k + k − 1 are tuple t, and the
    slots after the last tuple are not used. No tuple contains an item twice, before or after the search. The search
    never adds a duplicate tuple. The result is the state with the fewest duplicates and, among such states, with the
    lowest Σλ².
    """
    bound = least_pair_excess(n_items, n_tuples, size)
    state = _State(sequence.tolist(), n_items, n_tuples, size)
    best, best_sequence = state.badness, state.sequence[:]
    dice = random.Random(int(rng.integers(2**62)))
    hopeless = math.inf
    share = min(1.0, n_tuples * size / FULL_STEPS_FROM) ** 3
    for steps, first, last in ROUNDS:
        if best <= (0, bound) or best[1] - bound > hopeless:
            break
        for badness in state.cool(math.ceil(share * steps), first, last, dice):
            if badness < best:
                best, best_sequence = badness, state.sequence[:]
                if best <= (0, bound):
                    break
        hopeless = math.inf if best[0] else WORTH_ANOTHER_ROUND
    return np.array(best_sequence, dtype=np.int64)


class _State:
    """The state of the search: the sequence, its pair counts, and its tuples as sets. Every swap updates the sequence,
    the counts and the sets.
    """

    def __init__(self, sequence: list[int], n_items: int, n_tuples: int, size: int) -> None:
        self.sequence, self.n_items, self.n_tuples, self.size = sequence, n_items, n_tuples, size
        self.together = [[0] * n_items for _ in range(n_items)]
        self.sets = Counter[tuple[int, ...]]()
        for start in range(0, n_tuples * size, size):
            members = sorted(sequence[start : start + size])
            self.sets[tuple(members)] += 1
            for x, y in combinations(members, 2):
                self.together[x][y] += 1
                self.together[y][x] += 1
        excess = sum(math.comb(n, 2) for x, row in enumerate(self.together) for n in row[:x])
        self.badness = (n_tuples - len(self.sets), excess)

    def cool(self, steps: int, first: float, last: float, dice: random.Random) -> Iterator[tuple[int, int]]:
        """Run Metropolis steps with a geometric cooling schedule, and yield the badness after each accepted swap."""
        sequence, together, size, n_items = self.sequence, self.together, self.size, self.n_items
        slots, chance, exp = self.n_tuples * size, dice.random, math.exp
        duplicates, excess = self.badness
        temperature, cooling = first, (last / first) ** (100 / steps)
        for step in range(steps):
            if step % 100 == 0:
                temperature *= cooling
            slot_a = int(chance() * slots)
            slot_b = slot_a // n_items * n_items + int(chance() * n_items)
            a, b = slot_a - slot_a % size, slot_b - slot_b % size
            if a == b:
                continue
            x, y = sequence[slot_a], sequence[slot_b]
            with_x, with_y = together[x], together[y]
            mates_a = sequence[a:slot_a] + sequence[slot_a + 1 : a + size]
            if y in mates_a:
                continue
            change = 0
            for mate in mates_a:
                change += with_y[mate] - with_x[mate] + 1
            mates_b: list[int] = []
            if slot_b < slots:
                mates_b = sequence[b:slot_b] + sequence[slot_b + 1 : b + size]
                if x in mates_b:
                    continue
                for mate in mates_b:
                    change += with_x[mate] - with_y[mate] + 1
                    if mate in mates_a:
                        change -= 2
            if change > 0 and chance() >= exp(-change / temperature):
                continue
            lost = self._exchange_sets(mates_a, mates_b, x, y)
            if lost is None:
                continue
            for mate in mates_a:
                with_x[mate] -= 1
                together[mate][x] -= 1
                with_y[mate] += 1
                together[mate][y] += 1
            for mate in mates_b:
                with_y[mate] -= 1
                together[mate][y] -= 1
                with_x[mate] += 1
                together[mate][x] += 1
            sequence[slot_a], sequence[slot_b] = y, x
            duplicates -= lost
            excess += change
            self.badness = (duplicates, excess)
            yield self.badness

    def _exchange_sets(self, mates_a: list[int], mates_b: list[int], x: int, y: int) -> int | None:
        """Record the two new tuples, and return the number of removed duplicates. If the new tuples would be
        duplicates, change nothing and return None.
        """
        sets = self.sets
        old = [tuple(sorted([*mates_a, x]))]
        new = [tuple(sorted([*mates_a, y]))]
        if mates_b:
            old.append(tuple(sorted([*mates_b, y])))
            new.append(tuple(sorted([*mates_b, x])))
        before = len(sets)
        for members in old:
            sets[members] -= 1
            if not sets[members]:
                del sets[members]
        for members in new:
            sets[members] += 1
        if len(sets) < before:
            for members in new:
                sets[members] -= 1
                if not sets[members]:
                    del sets[members]
            for members in old:
                sets[members] += 1
            return None
        return len(sets) - before
