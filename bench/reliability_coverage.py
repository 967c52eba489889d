"""The coverage of the 95% intervals of split-half reliability and of corrected correlations on simulated collections.

    script/bench reliability_coverage [--fast]

All items have normal utilities with SD 1.5, and each tuple is judged twice. Each annotator is careless with a
probability of 20%. The true reliability is the mean over all collections that differ in the units to which the interval
generalises: tuples, annotators, or both. The true correlation of a system is known. `--fast` simulates fewer
collections.
"""

from __future__ import annotations

import sys

import numpy as np

from bws.numerics.ceiling import noise_ceiling
from bws.numerics.design import best_worst_design
from bws.numerics.reliability import split_half_reliability
from bws.numerics.reliability_intervals import OVERS, Over, reliability_intervals
from bws.numerics.simulation import simulate_judgements

COLLECTIONS, FAST = 200, 20
SPREAD, CARELESS = 1.5, 0.2
TRUE = 0.7856  # Spearman's correlation of two normal variables with Pearson's correlation .8


def main() -> None:
    collections = FAST if "--fast" in sys.argv[1:] else COLLECTIONS
    print(f"share of {collections} collections whose 95% interval contains the true value")
    print("| figure | generalises to | items | annotators | coverage |\n|---|---|---|---|---|")
    for over in OVERS:
        for annotators in (20, 40):
            share = reliability_coverage(over, 200, annotators, collections)
            print(f"| whole-tuple reliability | {over} | 200 | {annotators} | {share:.0%} |", flush=True)
    share = ceiling_coverage(200, 30, collections)
    print(f"| corrected correlation | items and annotators | 200 | 30 | {share:.0%} |")


def reliability_coverage(over: Over, items: int, annotators: int, collections: int) -> float:
    truth = np.random.default_rng(1).normal(0, SPREAD, items)
    values, ends = [], []
    for seed in range(1, collections + 1):
        careless = np.random.default_rng([seed, 7]).binomial(annotators, CARELESS) / annotators
        judgements = simulate_judgements(
            best_worst_design(items, seed=1 if over == "annotators" else seed),
            truth,
            annotators=annotators,
            careless=CARELESS if over == "tuples" else careless,
            seed=seed,
        )
        reliability = split_half_reliability(judgements, splits=100, unit="tuples", seed=seed)
        interval = reliability_intervals(judgements, reliability, over=over, seed=seed).spearman
        values.append(reliability.spearman_mean)
        ends.append((interval.low, interval.high))
    low, high = np.array(ends, dtype=float).T
    mean = np.mean(np.array(values, dtype=float))
    return float(((low <= mean) & (mean <= high)).mean())


def ceiling_coverage(items: int, annotators: int, collections: int) -> float:
    hits = 0
    for seed in range(1, collections + 1):
        generator = np.random.default_rng([seed, 5])
        truth = generator.normal(0, SPREAD, items)
        system = 0.8 * truth + 0.6 * generator.normal(0, SPREAD, items)
        judgements = simulate_judgements(best_worst_design(items, seed=seed), truth, annotators=annotators, seed=seed)
        low, high = (noise_ceiling(judgements, system, seed=seed).figures["corrected"][end] for end in ("low", "high"))
        hits += low is not None and high is not None and low <= TRUE <= high
    return hits / collections


if __name__ == "__main__":
    main()
