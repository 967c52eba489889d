"""Best–worst tuples: time and repeated pairs, compared with the usual random procedure.

    python -m bench.tuples            the two sizes in the documentation, and the usual procedure
    python -m bench.tuples --grid     the two tables of docs/designs.md (about twenty minutes)

Times are CPU time of this process without its start and imports, the best of three runs.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections import Counter
from collections.abc import Callable
from itertools import combinations

from accord_core.bws.numerics.design import best_worst_design, describe_design
from accord_core.bws.numerics.small_designs import least_pair_excess

PUBLISHED_SCRIPT = "the field's Perl script, as published: 97 repeated pairs, 12.6 s at 5,500"
GRID = [
    *((3, factor) for factor in (1, 1.5, 2, 3)),
    *((4, factor) for factor in (1, 1.5, 2, 3)),
    *((5, factor) for factor in (1, 1.5, 2)),
    (6, 1),
]
IN_A_ROW = 10
SEEDS = (1, 2, 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grid", action="store_true", help="print the tables of docs/designs.md")
    parser.add_argument("--only", metavar="SIZE,FACTOR", help="print only this row of the grid")
    arguments = parser.parse_args()
    if arguments.only:
        size, factor = arguments.only.split(",")
        print(grid_row(int(size), float(factor)))
    elif arguments.grid:
        print_grid()
    else:
        print_claims()


def print_claims() -> None:
    print(f"{'items':>8} {'seconds':>8} {'target':>7} {'repeated pairs':>15} {'appearances':>12} {'places':>7}")
    for n_items, target in ((5_500, 0.3), (100_000, 5.0)):
        seconds, design = best_of(3, lambda n=n_items: best_worst_design(n))
        report = describe_design(design, n_items, seed=1)
        appearances = f"{report.appearances.min}-{report.appearances.max}"
        places = f"{report.positions.min}-{report.positions.max}"
        print(
            f"{n_items:>8} {seconds:>8.3f} {target:>7.1f} {report.repeated_pairs:>15} {appearances:>12} {places:>7}",
            flush=True,
        )
    seconds, tuples = best_of(1, lambda: random_with_retries(5_500, 4, 2, random.Random(1)))
    pairs = Counter(frozenset(pair) for row in tuples for pair in combinations(row, 2))
    repeated = sum(count > 1 for count in pairs.values())
    standing = Counter((item, place) for row in tuples for place, item in enumerate(row))
    places = [standing[item, place] for item in range(5_500) for place in range(4)]
    print("\nthe usual procedure, reimplemented in plain Python, same process:")
    print(f"{5_500:>8} {seconds:>8.3f} {'':>7} {repeated:>15} {'8-8':>12} {f'{min(places)}-{max(places)}':>7}")
    print(PUBLISHED_SCRIPT)


def random_with_retries(n_items: int, size: int, factor: float, dice: random.Random) -> list[list[int]]:
    """Shuffle all items, divide them into tuples, and shuffle again if a tuple contains an item twice.

    This is the usual procedure: it draws 100 designs and keeps the one with the fewest repeated pairs. Items appear
    equally often. The procedure does not balance pairs, positions or the order of the list.
    """
    best: list[list[int]] = []
    fewest = math.inf
    n_tuples = round(factor * n_items)
    for _ in range(100):
        tuples: list[list[int]] = []
        waiting: list[int] = []
        while len(tuples) < n_tuples:
            while len(waiting) < size:
                waiting += dice.sample(range(n_items), n_items)
            if len(set(waiting[:size])) < size:
                dice.shuffle(waiting)
                continue
            tuples.append(waiting[:size])
            del waiting[:size]
        pairs = Counter(min(x, y) * n_items + max(x, y) for row in tuples for x, y in combinations(row, 2))
        repeated = sum(count > 1 for count in pairs.values())
        if repeated < fewest:
            best, fewest = tuples, repeated
    return best


def print_grid() -> None:
    print("| size | factor | bound | every N from | also at |\n|---|---|---|---|---|")
    for size, factor in GRID:
        print(grid_row(size, factor), flush=True)
    print("\n| items | tuples | repeated pairs | most tuples per pair | Σλ² | lower bound |\n" + "|---" * 6 + "|")
    for n_items in range(6, 34):
        report = describe_design(best_worst_design(n_items), n_items, seed=1)
        pairs = report.pairs_shown
        least = 2 * least_pair_excess(n_items, report.tuples, 4) + pairs
        cells = (n_items, report.tuples, report.repeated_pairs, report.max_pair_count)
        squares = report.sum_of_squared_pair_counts
        print("| " + " | ".join(str(cell) for cell in (*cells, squares, least)) + " |", flush=True)


def grid_row(size: int, factor: float) -> str:
    """Increase the number of items from the bound until ten in a row have no repeated pair under any of three seeds."""
    bound = next(n for n in range(size, 10_000) if within_bound(n, size, factor))
    free: list[int] = []
    n_items = bound
    while not free or free[-IN_A_ROW:] != list(range(n_items - IN_A_ROW, n_items)):
        if within_bound(n_items, size, factor) and without_repeats(n_items, size, factor):
            free.append(n_items)
        n_items += 1
    for n in (2 * n_items, 4 * n_items, 1_000, 2_000, 5_000):
        if not without_repeats(n, size, factor):
            raise SystemExit(f"size {size}, factor {factor:g}: repeated pairs at {n} items, above the row's threshold.")
    also = ", ".join(str(n) for n in free[:-IN_A_ROW]) or "—"
    return f"| {size} | {factor:g} | {bound} | {free[-IN_A_ROW]} | {also} |"


def within_bound(n_items: int, size: int, factor: float) -> bool:
    """Return whether an item's ⌈r⌉ tuples have enough other items without repetition: ⌈r⌉(k − 1) ≤ N − 1."""
    return -(-round(factor * n_items) * size // n_items) * (size - 1) <= n_items - 1


def without_repeats(n_items: int, size: int, factor: float) -> bool:
    designs = ((seed, best_worst_design(n_items, size=size, factor=factor, seed=seed)) for seed in SEEDS)
    return all(describe_design(design, n_items, seed=seed).repeated_pairs == 0 for seed, design in designs)


def best_of(times: int, work: Callable):
    best = math.inf
    for _ in range(times):
        start = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - start)
    return best, result


if __name__ == "__main__":
    main()
