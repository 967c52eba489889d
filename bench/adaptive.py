"""Judgements saved by adaptive rounds, at an equal quality of the result, and the bias of adaptive rounds.

    python -m bench.adaptive [bws] [bias] [labels] [label-bias] [words] [chunks]

All data is simulated. The items have three distributions, and either none or 20% of the annotators are careless. The
judgements saved are 1 − a/r, where a is the number of judgements with adaptive rounds, and r is the number with which
the random design reaches the same quality. r is interpolated between the measured numbers of the random design.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from accord_core.bws.numerics.adaptive import adaptive_tuples
from accord_core.bws.numerics.design import best_worst_design
from accord_core.bws.numerics.maxdiff import maxdiff_scores
from accord_core.bws.numerics.reliability import spearman_brown, split_half_reliability
from accord_core.bws.numerics.scoring import Floats, Ints, Judgements, counting_scores, spearman
from accord_core.bws.numerics.simulation import simulate_judgements
from bench._adaptive_alignments import print_chunks, print_words
from bench._adaptive_labels import print_label_bias, print_labels

SIMULATIONS, ITEMS, ANNOTATORS = 20, 400, 40
CARELESS = (0.0, 0.2)
PER_ITEM = (4, 5, 6, 7)  # judgements per item in random designs
DISTRIBUTIONS: dict[str, Callable[[np.random.Generator], Floats]] = {
    "normal": lambda draw: draw.normal(0, 1.5, ITEMS),
    "uniform": lambda draw: draw.uniform(-2.6, 2.6, ITEMS),
    "two clusters": lambda draw: np.where(draw.random(ITEMS) < 0.5, -1.4, 1.4) + draw.normal(0, 0.5, ITEMS),
}


def main() -> None:
    parts = {
        "bws": print_bws,
        "bias": print_bias,
        "labels": print_labels,
        "label-bias": print_label_bias,
        "words": print_words,
        "chunks": print_chunks,
    }
    for name in sys.argv[1:] or parts:
        parts[name]()


def print_bws() -> None:
    """Compare random designs with half of their judgements and one or two adaptive rounds."""
    print(f"best-worst: Spearman with the truth, {ITEMS} items, {4 * ITEMS:,} judgements, {SIMULATIONS} simulations")
    for name, distribution in DISTRIBUTIONS.items():
        for careless in CARELESS:
            random = {per_tuple: np.zeros(len(PER_ITEM)) for per_tuple in (2, 1)}
            adaptive: dict[int, list[float]] = {1: [], 2: []}
            for seed in range(SIMULATIONS):
                truth = distribution(np.random.default_rng([seed, 7]))
                for per_tuple, means in random.items():
                    for place, number in enumerate(PER_ITEM):
                        tuples = best_worst_design(ITEMS, factor=number / per_tuple, seed=seed)
                        judgements = collect(tuples, truth, per_tuple, careless, seed)
                        means[place] += quality(judgements, truth) / SIMULATIONS
                for rounds, values in adaptive.items():
                    values.append(quality(with_rounds(truth, rounds, careless, seed)[0], truth))
            for rounds, values in adaptive.items():
                saved = [1 - PER_ITEM[0] / _equal_number(means, float(np.mean(values))) for means in random.values()]
                print(
                    f"  {name}, {careless:.0%} careless, {rounds} round(s): {np.mean(values):.4f} (SE "
                    f"{np.std(values, ddof=1) / np.sqrt(SIMULATIONS):.4f}); random design judged twice "
                    f"{random[2][0]:.4f} (saves {saved[0]:.0%}), judged once {random[1][0]:.4f} (saves {saved[1]:.0%})"
                )


def print_bias() -> None:
    """Compare the correlation with the truth that the split-half reliability predicts with the actual correlation."""
    print(f"bias of split-half reliability: √(Spearman–Brown), and Spearman with the truth, {SIMULATIONS} simulations")
    for name, distribution in DISTRIBUTIONS.items():
        rows: dict[str, list[tuple[float, float]]] = {}
        for seed in range(SIMULATIONS):
            truth = distribution(np.random.default_rng([seed, 7]))
            random = collect(best_worst_design(ITEMS, seed=seed), truth, 2, 0.0, seed)
            adaptive, first = with_rounds(truth, 1, 0.0, seed)
            parts = {"random design": random, "all answers with a round": adaptive, "random part": adaptive.take(first)}
            for part, judgements in parts.items():
                half = split_half_reliability(judgements, splits=50, seed=seed, unit="tuples").spearman_mean
                expected = float(np.sqrt(spearman_brown(half or 0.0)))
                rows.setdefault(part, []).append((expected, spearman(counting_scores(judgements).score, truth)))
        for part, pairs in rows.items():
            expected, actual = np.mean(pairs, axis=0)
            print(f"  {name}, {part}: predicted {expected:.3f}, actual {actual:.3f}, bias {expected - actual:+.3f}")


def with_rounds(truth: Floats, rounds: int, careless: float, seed: int) -> tuple[Judgements, Ints]:
    """Return the judgements of a random design with factor 1, judged twice, and of adaptive rounds with as many
    judgements in all, and the rows of the random part.
    """
    tuples = best_worst_design(ITEMS, factor=1, seed=seed)
    judgements = collect(tuples, truth, 2, careless, seed)
    first = np.arange(len(judgements))
    for number in range(1, rounds + 1):
        added = adaptive_tuples(judgements, tuples, 2 * ITEMS // rounds, seed=1_000 * number + seed)
        tuples = np.vstack([tuples, added])
        judgements = joined(judgements, collect(added, truth, 1, careless, 1_000 * number + seed))
    return judgements, first


def collect(tuples: Ints, truth: Floats, per_tuple: int, careless: float, seed: int) -> Judgements:
    return simulate_judgements(tuples, truth, per_tuple=per_tuple, annotators=ANNOTATORS, careless=careless, seed=seed)


def joined(one: Judgements, other: Judgements) -> Judgements:
    assert one.annotator is not None
    assert other.annotator is not None
    return Judgements(
        np.vstack([one.items, other.items]),
        np.concatenate([one.best, other.best]),
        np.concatenate([one.worst, other.worst]),
        one.n_items,
        np.concatenate([one.annotator, other.annotator]),
    )


def quality(judgements: Judgements, truth: Floats) -> float:
    """Return Spearman's correlation of the plain MaxDiff utilities, which reports show, with the truth."""
    return spearman(maxdiff_scores(judgements).utility, truth)


def _equal_number(random: Floats, value: float) -> float:
    """Return the number of judgements per item with which a random design reaches the value."""
    curve, numbers = np.polyfit(PER_ITEM, random, 2), np.linspace(3.5, 7.5, 4_001)
    return float(numbers[np.abs(np.polyval(curve, numbers) - value).argmin()])


if __name__ == "__main__":
    main()
