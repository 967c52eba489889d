"""Split-half reliability: its speed, its two estimates around the true value, and the standard error of a score.

    python -m bench.reliability

All data is simulated: normal utilities with SD 1.5 unless stated otherwise, MaxDiff annotators, and tuples of four
items at factor 2. Times are CPU time of this process, the best of three runs.
"""

from __future__ import annotations

import time

import numpy as np

from accord_core.bws.numerics.design import best_worst_design
from accord_core.bws.numerics.reliability import split_half_reliability
from accord_core.bws.numerics.scoring import Judgements, counting_scores, counting_standard_errors, spearman
from accord_core.bws.numerics.simulation import simulate_judgements

SIMULATIONS = 40
SPREAD = 1.5


def main() -> None:
    print_speed()
    for factor, spread in ((2, SPREAD), (3, 1.0)):
        print_bracket(factor, spread)
    print_standard_error()


def print_speed() -> None:
    design = best_worst_design(5_500)
    truth = np.random.default_rng(1).normal(0, SPREAD, 5_500)
    print("1,000 splits of 5,500 items x 11,000 tuples")
    for per_tuple, target in ((2, "1 s"), (3, "-"), (8, "2 s")):
        judgements = simulate_judgements(design, truth, per_tuple=per_tuple, annotators=100)
        for unit in ("judgements", "tuples"):
            seconds = min(seconds_of_splitting(judgements, unit) for _ in range(3))
            print(f"  x {per_tuple} judgements, splitting {unit}: {seconds:.2f} s (target {target})", flush=True)
    judgements = simulate_judgements(design, truth, per_tuple=2, annotators=100)
    started = time.perf_counter()
    for split in range(5):
        split_one_by_one(judgements, np.random.default_rng(split))
    print(
        f"  x 2 with a loop over tuples and scipy, as in other scripts: {200 * (time.perf_counter() - started):.0f} s"
    )


def seconds_of_splitting(judgements: Judgements, unit: str) -> float:
    started = time.perf_counter()
    split_half_reliability(judgements, splits=1000, unit=unit)
    return time.perf_counter() - started


def split_one_by_one(judgements: Judgements, generator: np.random.Generator) -> float:
    """Calculate one split with dictionaries and scipy, for comparison."""
    from scipy.stats import spearmanr

    rows: dict[tuple[int, ...], list[int]] = {}
    for row, items in enumerate(judgements.items.tolist()):
        rows.setdefault(tuple(sorted(items)), []).append(row)
    halves = []
    shuffled = [generator.permutation(members).tolist() for members in rows.values()]
    for half in (0, 1):
        net, shown = [0] * judgements.n_items, [0] * judgements.n_items
        for members in shuffled:
            for row in members[half::2]:
                net[judgements.best[row]] += 1
                net[judgements.worst[row]] -= 1
                for item in judgements.items[row].tolist():
                    shown[item] += 1
        halves.append([n / s for n, s in zip(net, shown, strict=True)])
    return float(spearmanr(*halves).statistic)


def print_bracket(factor: float, spread: float) -> None:
    figures = []
    for seed in range(1, SIMULATIONS + 1):
        truth = np.random.default_rng(seed).normal(0, spread, 400)
        judgements = simulate_judgements(best_worst_design(400, factor=factor, seed=seed), truth, seed=seed)
        halves = [
            simulate_judgements(best_worst_design(400, factor=factor / 2, seed=fresh), truth, seed=fresh)
            for fresh in (1000 * seed + 1, 1000 * seed + 2)
        ]
        figures.append(
            (
                split_half_reliability(judgements, splits=50).spearman_mean,
                split_half_reliability(judgements, splits=50, unit="tuples").spearman_mean,
                spearman(*(counting_scores(half).score for half in halves)),
            )
        )
    within, whole, true = np.mean(figures, axis=0)
    print(
        f"n = 400, factor {factor}, SD {spread}, two judgements per tuple, {SIMULATIONS} simulations (.799, .741, .763)"
    )
    print(
        f"  splitting judgements {within:.3f}, splitting tuples {whole:.3f}, "
        f"two new datasets of half the size {true:.3f}"
    )


def print_standard_error() -> None:
    truth = np.random.default_rng(1).normal(0, SPREAD, 200)
    scores, clustered, independent = [], [], []
    for seed in range(1, 5 * SIMULATIONS + 1):
        judgements = simulate_judgements(best_worst_design(200, seed=seed), truth, seed=seed)
        counted = counting_scores(judgements)
        scores.append(counted.score)
        clustered.append(counting_standard_errors(judgements) ** 2)
        independent.append(
            ((counted.best + counted.worst) / counted.appearances - counted.score**2) / counted.appearances
        )
    spread = np.sqrt(np.var(scores, axis=0, ddof=1).mean())
    print(f"standard error of a score compared with its spread over {5 * SIMULATIONS} new datasets ({spread:.3f})")
    for name, variances in (("clustered by tuple", clustered), ("judgements as independent", independent)):
        print(f"  {name}: {100 * (np.sqrt(np.mean(variances)) / spread - 1):+.1f} %")


if __name__ == "__main__":
    main()
