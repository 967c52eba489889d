"""Best–worst designs, which determine the items in each tuple, the order of the tuples, and each item's screen
position.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from accord_core.bws.numerics.design_report import DesignReport, count_components, describe_design
from accord_core.bws.numerics.difference_families import develop_one_class
from accord_core.bws.numerics.positions import balance_positions
from accord_core.bws.numerics.repeated_pairs import count_excess, swap_repeats_away
from accord_core.bws.numerics.small_designs import anneal, least_pair_excess

__all__ = ["SIZES", "DesignError", "DesignReport", "best_worst_design", "describe_design"]

SIZES = range(3, 7)
MOST_TUPLES = 20_000_000
# Simulated annealing needs a table of all pairs of items. In designs with more items than this limit, random swaps work
# equally well.
MOST_ITEMS_ANNEALED = 2_000
ATTEMPTS = 20


class DesignError(ValueError):
    """Error raised if no design is possible with these settings. The error message names the setting to change and the
    possible values.
    """


def best_worst_design(n_items: int, *, size: int = 4, factor: float = 2.0, seed: int = 1) -> NDArray[np.int64]:
    """Return T = round(factor · n_items) tuples of `size` items. The array has the shape (T, size) and contains values
    from 0 to n_items − 1.

    Columns are screen positions, and rows are in the order of publication. Every design has the following properties.
    No tuple contains an item twice, and no two tuples are equal as sets. Every item is in ⌊r⌋ or ⌈r⌉ tuples, with r =
    T·size / n_items. The comparison graph is connected. The counts of an item at different positions differ by at most
    one. In every prefix of the list, the appearances and the positions of the items are balanced to within one. For the
    sizes that `docs/designs.md` lists, no two items occur together twice. For all other sizes, the search makes Σλ²
    over the pair counts λ as small as possible.

    The same arguments always produce the same tuples. Raises DesignError if the settings do not allow such a design.
    Sources: Kiritchenko and Mohammad (2017), §3.1; STR-2021, §2.2. `docs/designs.md` describes the method.
    """
    n_tuples = _checked_number_of_tuples(n_items, size, factor, seed)
    rng = np.random.default_rng(seed)
    for _ in range(ATTEMPTS):
        sequence = _free_of_repeats(n_items, n_tuples, size, rng)
        tuples = sequence[: n_tuples * size].reshape(n_tuples, size)
        distinct = len(np.unique(np.sort(tuples, axis=1), axis=0)) == n_tuples
        if distinct and count_components(tuples, n_items) == 1:
            return balance_positions(tuples, n_items, rng)
    raise DesignError(
        f"No connected design of {n_tuples} different tuples was found for {n_items} items with seed {seed}: "
        "try another seed or another factor."
    )


def _tuples(number: int) -> str:
    return "tuple" if number == 1 else "tuples"


def _checked_number_of_tuples(n_items: int, size: int, factor: float, seed: int) -> int:
    if size not in SIZES:
        raise DesignError(f"A tuple must have {SIZES[0]} to {SIZES[-1]} items, not {size}.")
    if n_items < size:
        raise DesignError(f"Tuples of size {size} require at least {size} items, but the number of items is {n_items}.")
    if not (math.isfinite(factor * n_items) and factor > 0):
        raise DesignError(f"The factor must be a positive number below the limit, not {factor}.")
    if seed < 0:
        raise DesignError(f"The seed must be 0 or a positive integer, not {seed}.")
    n_tuples = round(factor * n_items)
    subsets = math.comb(n_items, size)
    if n_tuples > subsets:
        raise DesignError(
            f"{n_items} items form at most {subsets} different {_tuples(subsets)} of size {size}, but a factor of "
            f"{factor:g} requires {n_tuples} tuples. The largest possible factor is {_rounded_down(subsets / n_items)}."
        )
    if n_tuples > MOST_TUPLES:
        raise DesignError(
            f"A factor of {factor:g} requires {n_tuples} tuples, but a design can have at most {MOST_TUPLES} tuples. "
            f"The "
            f"largest possible factor is {_rounded_down(MOST_TUPLES / n_items)}."
        )
    fewest = -(-(n_items - 1) // (size - 1))
    if n_tuples < fewest:
        raise DesignError(
            f"{n_tuples} tuples of size {size} cannot connect {n_items} items: the smallest possible factor is "
            f"{_rounded_up(fewest / n_items)}."
        )
    return n_tuples


def _rounded_down(factor: float) -> str:
    return _plain(math.floor(factor * 10_000) / 10_000)


def _rounded_up(factor: float) -> str:
    return _plain(math.ceil(factor * 10_000) / 10_000)


def _plain(number: float) -> str:
    return f"{number:.4f}".rstrip("0").rstrip(".")


def _free_of_repeats(n_items: int, n_tuples: int, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return concatenated permutations of the items. Repeated pairs are removed with the fastest method that reduces
    Σλ² to its lower bound.
    """
    sequence = _permutations_in_a_row(n_items, n_tuples, size, rng)
    bound = least_pair_excess(n_items, n_tuples, size)
    swap_repeats_away(sequence, n_items, n_tuples, size, rng)
    if count_excess(sequence[: n_tuples * size].reshape(-1, size), n_items) <= bound:
        return sequence
    if n_items > MOST_ITEMS_ANNEALED:
        return sequence
    if bound == 0 and n_items % size == 0:
        developed = develop_one_class(n_items, len(sequence) // n_items, size, rng)
        if developed is not None:
            return developed
    return anneal(sequence, n_items, n_tuples, size, rng)


def _permutations_in_a_row(n_items: int, n_tuples: int, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return R = ⌈T·size / N⌉ concatenated permutations (R·N,). No tuple contains the same item twice, even if it spans
    two permutations.

    If the sequence is cut into tuples from the left, every prefix is balanced: the numbers of appearances of any two
    items differ by at most one. A swap of two slots in the same permutation preserves this balance, and later steps
    make only such swaps.
    """
    rounds = -(-n_tuples * size // n_items)
    sequence = np.concatenate([rng.permutation(n_items) for _ in range(rounds)])
    if rounds in (2, 3):
        sequence[n_items : 2 * n_items] = _connecting_permutation(sequence[:n_items], size, rng)
    for start in range(n_items, len(sequence), n_items):
        first = start - start % size
        for slot in range(start, first + size if first < start else start):
            rest = sequence[slot : start + n_items]
            free = ~np.isin(rest, sequence[first:slot])
            swap = slot + int(np.argmax(free))
            sequence[[slot, swap]] = sequence[[swap, slot]]
    return sequence


def _connecting_permutation(before: NDArray[np.int64], size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw a permutation of the items. The tuples in this permutation connect the tuples in the permutation `before` as
    early as possible.

    If items appear only two or three times, some items can be disconnected by chance. Each tuple here therefore takes
    one item that is already connected, and size − 1 items from unconnected tuples of `before`, so ⌈(N − 1) / (size −
    1)⌉ tuples are sufficient.
    """
    n_items = len(before)
    groups = [before[start : start + size].tolist() for start in range(0, n_items, size)]
    straddling = n_items % size
    tied = groups.pop() if straddling else groups.pop(0)
    needed = size - straddling if straddling else size - 1
    chain: list[int] = [] if straddling else [tied.pop()]
    for group in groups:
        if not needed:
            chain.append(tied.pop(0))
            needed = size - 1
        chain.append(group.pop())
        tied += group
        needed -= 1
    rest = np.setdiff1d(before, np.array(chain, dtype=np.int64))
    return np.concatenate([np.array(chain, dtype=np.int64), rng.permutation(rest)])
