"""Labels: the speed of coefficients and of Dawid–Skene, and the accuracy of each method with careless annotators.

    python -m bench.labels

Times are CPU time of this process, the best of three runs (one run for the intervals of all coefficients). All data is
simulated.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from accord_core.numerics.agreement import agreement, fleiss_kappa, gwet_ac1, krippendorff_alpha
from accord_core.numerics.cohen import cohen_kappa_means
from accord_core.numerics.em import dawid_skene, one_coin
from accord_core.numerics.labels import UNDECIDED, Labels, majority, weighted
from bench._timing import best_of_three

ITEMS, EACH = 100_000, 5
SIMULATIONS = 60
GOLD = 0.1


def main() -> None:
    print_speed()
    for labels_each in (15, 50, 200):
        print_accuracy(labels_each)
    for annotators, items in ((10, 200), (60, 300)):
        print_coverage(annotators, items)


def print_speed() -> None:
    labels, _ = simulate(ITEMS, annotators=200, seed=1)
    arrays = labels.item, labels.annotator, labels.label

    def fresh() -> Labels:
        # The labels cache their counts, so each run starts without the cache.
        return Labels(*arrays, labels.n_items, labels.n_annotators, labels.n_labels)

    def three() -> None:
        labels_without_cache = fresh()
        for coefficient in (fleiss_kappa, krippendorff_alpha, gwet_ac1):
            coefficient(labels_without_cache)

    print(f"{len(labels):,} labels of {ITEMS:,} items by 200 annotators, 2 labels")
    print(f"  Fleiss' κ, Krippendorff's α, Gwet's AC1: {best_of_three(three):.3f} s (target 0.2 s)")
    print(f"  Cohen's κ of 19,900 pairs, both means: {best_of_three(lambda: cohen_kappa_means(fresh())):.2f} s")
    seconds = best_of_three(lambda: dawid_skene(fresh(), tolerance=0, most_rounds=20))
    print(f"  Dawid–Skene, 20 rounds: {seconds:.2f} s (target 2 s)")
    print(f"  one-coin, 20 rounds: {best_of_three(lambda: one_coin(fresh(), tolerance=0, most_rounds=20)):.2f} s")
    seconds = best_of_three(lambda: fleiss_kappa(fresh(), resamples=1000))
    print(f"  Fleiss' κ with its interval from 1,000 resamples: {seconds:.2f} s")
    started = time.process_time()
    agreement(fresh())
    print(f"  all six with intervals from 1,000 resamples: {time.process_time() - started:.1f} s", flush=True)


def print_accuracy(labels_each: int) -> None:
    """Return the share of correct labels. Ties count as half, as if a coin decided them."""
    annotators = 40
    items = annotators * labels_each // EACH
    methods: dict[str, Callable[[Labels, np.ndarray], np.ndarray]] = {
        "majority": lambda labels, _: majority(labels).label,
        "weighted": lambda labels, gold: weighted(labels, gold).label,
        "one-coin": lambda labels, _: one_coin(labels).label,
        "Dawid–Skene": lambda labels, _: dawid_skene(labels).label,
    }
    print(
        f"{annotators} annotators of {labels_each} labels ({items:,} items of {EACH}), 15 % careless, "
        f"{SIMULATIONS} simulations; {GOLD:.0%} of items are gold for weighted; "
        "share of correct labels among the other items"
    )
    for kind, biased in (
        ("careful annotators right .85 on either label", False),
        ("careful annotators right .95 on no, .75 on yes", True),
    ):
        figures = []
        for seed in range(1, SIMULATIONS + 1):
            labels, truth = simulate(items, annotators=annotators, seed=seed, biased=biased)
            gold = np.where(np.arange(items) < GOLD * items, truth, -1)
            others = gold == -1
            labels_by_method = [method(labels, gold)[others] for method in methods.values()]
            figures.append(
                [((label == truth[others]) + 0.5 * (label == UNDECIDED)).mean() for label in labels_by_method]
            )
        shares, errors = np.mean(figures, axis=0), np.std(figures, axis=0) / np.sqrt(SIMULATIONS)
        shown = ", ".join(
            f"{name} {share:.3f} ± {error:.3f}" for name, share, error in zip(methods, shares, errors, strict=True)
        )
        print(f"  {kind}: {shown}", flush=True)


def print_coverage(annotators: int, items: int) -> None:
    """Print how often the 95% interval contains the mean of the figure over new samples."""
    values, intervals = [], []
    for seed in range(1, 4 * SIMULATIONS + 1):
        labels, _ = simulate(items, annotators=annotators, seed=seed)
        figures = agreement(labels, resamples=200)
        values.append([figures[name].value for name in ("fleiss_kappa", "cohen_kappa_mean")])
        intervals.append([(figures[name].low, figures[name].high) for name in ("fleiss_kappa", "cohen_kappa_mean")])
    centre = np.mean(np.array(values, dtype=float), axis=0)
    bounds = np.array(intervals, dtype=float)
    covered = ((bounds[:, :, 0] <= centre) & (centre <= bounds[:, :, 1])).mean(axis=0)
    print(
        f"95 % intervals, {annotators} annotators, {items} items of {EACH}, {4 * SIMULATIONS} collections: "
        f"Fleiss' κ in {covered[0]:.1%}, mean of Cohen's κ in {covered[1]:.1%}",
        flush=True,
    )


def simulate(items: int, *, annotators: int, seed: int, biased: bool = False) -> tuple[Labels, np.ndarray]:
    """Return yes-or-no labels, `EACH` per item and the same number per annotator. 15% of annotators answer at
    random."""
    generator = np.random.default_rng(seed)
    truth = (generator.random(items) < 0.35).astype(np.int64)
    # Each item takes the next annotators of a shuffled cycle: shares are equal, and nobody labels an item twice.
    circle = np.concatenate([generator.permutation(annotators) for _ in range(-(-items * EACH // annotators))])
    who = circle[: items * EACH].reshape(items, EACH)
    while len(clash := np.flatnonzero((np.diff(np.sort(who, axis=1), axis=1) == 0).any(axis=1))):
        mixed = np.concatenate([clash, generator.choice(items, len(clash))])
        mixed = np.unique(mixed)
        who[mixed] = generator.permutation(who[mixed].ravel()).reshape(len(mixed), EACH)
    who, item = who.ravel(), np.repeat(np.arange(items), EACH)
    careful = np.where(truth[item] == 1, 0.75, 0.95) if biased else np.full(len(item), 0.85)
    right = generator.random(len(item)) < np.where(who < 0.15 * annotators, 0.5, careful)
    return Labels(item, who, np.where(right, truth[item], 1 - truth[item]), items, annotators, 2), truth


if __name__ == "__main__":
    main()
