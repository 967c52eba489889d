"""Wrong labels in the first 10% of the list *Likely wrong first*, compared with a random 10%.

    [CORPORA=folder] python -m bench.label_errors [--fast]

A gain of 4 means that the first 10% of the list contain four times as many wrong labels as 10% of the labels drawn at
random. The final label is that of the majority (the most frequent label, and of tied labels the first). The column
*known error rates* is the gain with the true error rates of all annotators, which no method can surpass on average.

Annotators have accuracies between .6 and .95. Their errors follow the Dawid–Skene model with random confusion matrices,
or the questions also vary in difficulty: the log odds of a correct label are lowered by a standard normal number.

If CORPORA contains `edinburgh` and `ists`, the last table is about wrong links in these alignments
(`bench._planted_link_errors`).
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from accord_core.numerics.em import dawid_skene
from accord_core.numerics.label_errors import wrong_probabilities
from accord_core.numerics.labels import Floats, Ints, Labels, normalised
from bench._planted_link_errors import print_links

STUDIES = ((100, 10, 3), (300, 30, 3), (200, 10, 5), (1_000, 30, 5))  # items, annotators and labels per item
LISTED = 0.1
LEAST = {(2, False): 4.0, (5, False): 6.0, (2, True): 2.0, (5, True): 2.0}
DRAWS = 200


@dataclass(frozen=True, eq=False)
class Drawn:
    """A simulated collection with its true labels. `confusion` (L, n_labels) is the probability of each vote for every
    possible true label.
    """

    labels: Labels
    truth: Ints
    confusion: Floats


def main() -> int:
    draws = 20 if "--fast" in sys.argv else DRAWS
    print("| labels | questions | items | annotators | labels per item | wrong | " + " | ".join(ORDERS) + " |")
    print("|---|---|---|---|---|---|" + "---|" * len(ORDERS))
    missed = 0
    for (n_labels, varying), least in LEAST.items():
        gains = []
        for items, annotators, each in STUDIES:
            generator = np.random.default_rng([n_labels, varying, items, each])
            rows = [
                gains_of(draw(generator, items, annotators, each, n_labels, varying=varying), generator)
                for _ in range(draws)
            ]
            share, *means = np.nanmean(rows, axis=0)
            error = float(np.nanstd([row[1] for row in rows]) / np.sqrt(draws))
            kind = "varying difficulty" if varying else "Dawid–Skene"
            cells = [f"{means[0]:.1f} ± {error:.1f}", *(f"{mean:.1f}" for mean in means[1:])]
            print(f"| {n_labels} | {kind} | {items:,} | {annotators} | {each} | {share:.0%} | {' | '.join(cells)} |")
            gains.append(means[0])
        mean = float(np.mean(gains))
        print(f"mean gain {mean:.2f}, target {least:.0f}: {'reached' if mean >= least else 'missed'}", flush=True)
        missed += mean < least
    if "CORPORA" in os.environ:
        print_links(Path(os.environ["CORPORA"]))
    return missed


def one_coin_order(drawn: Drawn, final: Ints) -> Floats:
    return wrong_probabilities(drawn.labels, final)


def dawid_skene_order(drawn: Drawn, final: Ints) -> Floats:
    posterior = dawid_skene(drawn.labels).posterior
    assert posterior is not None
    wrong: Floats = 1 - posterior[np.arange(len(final)), final]
    return wrong


def disagreement(drawn: Drawn, final: Ints) -> Floats:
    counts = drawn.labels.counts
    other: Floats = 1 - counts[np.arange(len(final)), final] / counts.sum(axis=1)
    return other


def known_error_rates(drawn: Drawn, final: Ints) -> Floats:
    logs = np.log(drawn.confusion).T
    evidence = np.stack([np.bincount(drawn.labels.item, each, drawn.labels.n_items) for each in logs], axis=1)
    wrong: Floats = 1 - normalised(evidence)[np.arange(len(final)), final]
    return wrong


ORDERS = {
    "likely wrong first": one_coin_order,
    "Dawid–Skene": dawid_skene_order,
    "disagreement": disagreement,
    "known error rates": known_error_rates,
}


def gains_of(drawn: Drawn, generator: np.random.Generator) -> list[float]:
    """Return the share of wrong labels, and the gain of each order. Equal probabilities are in random order."""
    final = drawn.labels.counts.argmax(axis=1)
    wrong = final != drawn.truth
    if not wrong.any():
        return [0.0] + [np.nan] * len(ORDERS)
    listed = round(LISTED * len(wrong))
    gains = []
    for order in ORDERS.values():
        first = np.lexsort((generator.random(len(wrong)), -order(drawn, final).round(9)))[:listed]
        gains.append(float(wrong[first].mean() / wrong.mean()))
    return [float(wrong.mean()), *gains]


def draw(
    generator: np.random.Generator, items: int, annotators: int, each: int, n_labels: int, *, varying: bool
) -> Drawn:
    """Draw `each` labels per item from different annotators."""
    truth = generator.integers(n_labels, size=items)
    who = np.argsort(generator.random((items, annotators)), axis=1)[:, :each].ravel()
    item = np.repeat(np.arange(items), each)
    accuracy = generator.uniform(0.6, 0.95, size=annotators)
    errors = np.ones(n_labels - 1)
    spread = generator.dirichlet(errors, size=(annotators, n_labels))
    right = np.repeat(accuracy[who][:, None], n_labels, axis=1)
    if varying:
        odds = right / (1 - right) * np.exp(-generator.normal(size=items))[item][:, None]
        right = odds / (1 + odds)
    rates = np.empty((len(item), n_labels, n_labels))  # the rates of each vote, by true label and given label
    for true in range(n_labels):
        others = np.arange(n_labels) != true
        rates[:, true, true] = right[:, true]
        rates[:, true, others] = spread[who, true] * (1 - right[:, true])[:, None]
    cumulated = rates[np.arange(len(item)), truth[item]].cumsum(axis=1)
    label = np.minimum((generator.random(len(item))[:, None] > cumulated).sum(axis=1), n_labels - 1)
    labels = Labels(item, who, label, items, annotators, n_labels)
    return Drawn(labels, truth, np.maximum(rates[np.arange(len(item)), :, label], 1e-12))


if __name__ == "__main__":
    sys.exit(min(main(), 1))
