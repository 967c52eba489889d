"""Stopping at a target: predicted and actual numbers of judgements, and the judgements that stopping saves.

    script/bench stopping [--fast]

The columns contain the median ratio of the predicted and the actual number of judgements, the coverage of its 80% and
95% intervals, the share of studies that truly have the target when the estimate or its limit reaches the target, and
the share of all judgements and of the judgements beyond one per question that stopping saves.

Each simulated study has unknown items and annotators. Accord looks at the study each time its judgements have grown by
5%, and stops it at the target. The fixed design has enough judgements for 95% of the studies to have the target.
`--fast` simulates fewer studies.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from accord_core.bws.numerics.design import best_worst_design
from accord_core.bws.numerics.largest_error import largest_standard_error
from accord_core.bws.numerics.reliability import split_half_reliability
from accord_core.bws.numerics.reliability_intervals import reliability_intervals
from accord_core.bws.numerics.simulation import simulate_judgements
from accord_core.chunks.numerics.planning import chunk_studies, simulate_links
from accord_core.chunks.numerics.scores import overlap
from accord_core.numerics.agreement import fleiss_kappa
from accord_core.numerics.intervals import Z_95
from accord_core.numerics.labels import Floats, Labels
from accord_core.numerics.still_needed import (
    Attained,
    Kind,
    mean_of_annotators,
    noise_of,
    still_needed,
    value_of,
    width_attained,
)
from accord_core.paraphrase.numerics.planning import simulate_labels
from accord_core.words.numerics.planning import simulate_alignments, word_studies
from bench._error_simulations import TUPLES_PER_ITEM, true_variances

RESAMPLES, LABEL_RESAMPLES = 1_000, 200
FEWEST_INSIDE, FEWEST_TRUE = 0.8, 0.7  # the benchmark fails below these shares
GROWTH = 1.05  # as in `annotate.questions.services.refresh`
Z_80 = 1.2816


@dataclass(frozen=True)
class Study:
    """A simulated study: the figure after `n` judgements, the noise of the true figure times `n`, and the numbers of
    judgements between which the study can stop. `extra` judgements are needed in addition to the size of the figure.
    """

    look: Callable[[int], Attained | None]
    true_noise: float
    first: int
    last: int
    extra: int = 0
    constant: float = 0.0  # the part of the true noise that judgements do not reduce

    def truth(self, n: int, kind: Kind) -> float:
        return value_of(self.constant + self.true_noise / n, kind)


@dataclass(frozen=True)
class Outcome:
    """The prediction at the first look with the ends of its 80% and 95% intervals, and the sizes at which the estimate
    and its limit reach the target.
    """

    predicted: Floats
    plain: int | None
    careful: int | None


def main() -> None:
    fast = "--fast" in sys.argv[1:]
    columns = ("kind", "target", "studies", "predicted/actual", "80%", "95%", "at estimate", "at limit", "saved")
    print(" | ".join(("", *columns, "of further", "")).strip())
    print("|---" * 10 + "|")
    kinds: list[tuple[str, float, Kind, Iterator[Study]]] = [
        ("best–worst, split-half reliability", 0.85, "reliability", best_worst(12 if fast else 100)),
        ("best–worst, largest standard error", 0.14, "error", largest_errors(12 if fast else 100)),
        ("labels, reliability", 0.8, "reliability", label_studies(60 if fast else 200)),
        ("word alignment, width of F1", 0.03, "width", aligned(word_counts, 6 if fast else 20)),
        ("chunk alignment, width of F1", 0.08, "width", aligned(chunk_counts, 6 if fast else 20)),
    ]
    faults = [fault for name, target, kind, studies in kinds for fault in print_kind(name, target, kind, list(studies))]
    if faults:
        sys.exit("\n".join(faults))


def print_kind(name: str, target: float, kind: Kind, studies: list[Study]) -> list[str]:
    """Print the row of one kind of study, and return the figures that are too low."""
    outcomes = [(study, follow(study, target, kind)) for study in studies]
    # A study that has the target at the first look says nothing about predictions.
    stopped = [(study, each, each.careful) for study, each in outcomes if (each.careful or 0) > study.first]
    ratio = np.median([each.predicted[0] / size for _, each, size in stopped])
    within = [np.mean([_inside(each.predicted[place : place + 2], n) for _, each, n in stopped]) for place in (1, 3)]
    plain = np.mean([_has(s, each.plain, target, kind) for s, each in outcomes if each.plain and each.plain > s.first])
    careful = np.mean([_has(study, size, target, kind) for study, _, size in stopped])
    sizes_needed = [study.true_noise / max(1e-9, noise_of(target, kind) - study.constant) for study in studies]
    enough = min(studies[0].last, np.quantile(sizes_needed, 0.95))
    fixed = max(enough, studies[0].first)
    sizes = np.mean([each.careful or min(study.last, fixed) for study, each in outcomes])
    saved, of_further = ((fixed - sizes) / (fixed + extra) for extra in (studies[0].extra, 0))
    print(
        f"| {name} | {target:g} | {len(stopped)} of {len(studies)} | {ratio:.2f} | {within[0]:.0%} | {within[1]:.0%} | "
        f"{plain:.0%} | {careful:.0%} | {saved:.0%} | {of_further:.0%} |",
        flush=True,
    )
    faults = [(within[1], FEWEST_INSIDE, "predictions"), (careful, FEWEST_TRUE, "true figures at the target")]
    return [f"{name}: only {share:.0%} {what}" for share, fewest, what in faults if share < fewest]


def follow(study: Study, target: float, kind: Kind) -> Outcome:
    """Look at the study repeatedly until the careful value reaches the target."""
    predicted, plain, n = None, None, study.first
    while n <= study.last:
        attained = study.look(n)
        if attained is not None:
            needed, narrow = still_needed(attained, target), still_needed(attained, target, z=Z_80)
            if predicted is None and None not in (needed.judgements, needed.low, needed.high):
                ends = [needed.judgements, narrow.low, narrow.high, needed.low, needed.high]
                predicted = np.array([n + (each or 0) for each in ends], dtype=np.float64)
            reached = attained.value >= target if kind == "reliability" else attained.value <= target
            plain = plain or (n if reached else None)
            if needed.reached and predicted is not None:
                return Outcome(predicted, plain, n)
        n = math.ceil(n * GROWTH)
    return Outcome(np.full(5, np.nan) if predicted is None else predicted, plain, None)


def best_worst(count: int) -> Iterator[Study]:
    """Yield studies of 100 items with up to 12 judgements per tuple."""
    tuples = best_worst_design(100, seed=3)
    for number in range(count):
        generator = np.random.default_rng([number, 9])
        spread = np.exp(generator.uniform(np.log(0.8), np.log(2.5)))
        utility, careless = generator.normal(0, spread, 100), generator.binomial(20, generator.uniform(0, 0.3)) / 20
        drawn = [
            simulate_judgements(tuples, utility, per_tuple=12, annotators=20, careless=careless, seed=seed)
            for seed in range(100 * number, 100 * number + 9)
        ]
        of_study = drawn[0]

        def look(n: int, of_study=of_study) -> Attained | None:  # type: ignore[no-untyped-def]
            judgements = of_study.take(np.arange(n))
            half = split_half_reliability(judgements, splits=40)
            interval = reliability_intervals(judgements, half, over="tuples").spearman
            if half.spearman_mean is None or interval.low is None or interval.high is None:
                return None
            return Attained("reliability", "reliability", half.spearman_mean, interval.low, interval.high, n)

        n = 4 * len(tuples)
        others = [split_half_reliability(each.take(np.arange(n)), splits=40).spearman_mean or 0 for each in drawn[1:]]
        value = float(np.mean(others))
        yield Study(look, n * (1 - value) / value, 2 * len(tuples), 12 * len(tuples))


def largest_errors(count: int) -> Iterator[Study]:
    """Yield studies of 100 items with up to 12 judgements per tuple. The true largest standard error comes from random
    opponents, and `true_noise` and `constant` are its two parts after six judgements per tuple.
    """
    tuples = best_worst_design(100, seed=3)
    for number in range(count):
        generator = np.random.default_rng([number, 12])
        utility = generator.normal(0, np.exp(generator.uniform(np.log(0.8), np.log(2.5))), 100)
        careless = generator.binomial(20, generator.uniform(0, 0.3)) / 20
        of_study = simulate_judgements(tuples, utility, per_tuple=12, annotators=20, careless=careless, seed=number)

        def look(n: int, of_study=of_study) -> Attained | None:  # type: ignore[no-untyped-def]
            found = largest_standard_error(of_study.take(np.arange(n)))
            return None if found is None else Attained("error", "error", *found[:3], n, found.floor)

        within, between = true_variances(utility, careless)
        largest = int(np.argmax(within / 6 + between))
        constant, falling = between[largest] / TUPLES_PER_ITEM, within[largest] / TUPLES_PER_ITEM * len(tuples)
        yield Study(look, falling, 2 * len(tuples), 12 * len(tuples), constant=constant)


def label_studies(count: int) -> Iterator[Study]:
    """Yield studies of 300 questions with up to 12 votes. The true figure comes from 6,000 further questions with the
    same annotators.
    """
    questions, most, annotators = 300, 12, 20
    for number in range(count):
        generator = np.random.default_rng([number, 10])
        values = {
            "accuracy": generator.uniform(0.75, 0.95),
            "difficulty": generator.uniform(0.2, 1.5),
            "frequent": generator.uniform(0.5, 0.7),
        }
        careless = generator.random(annotators) < generator.uniform(0, 0.3)
        population = 20 * questions + questions
        annotator = generator.random((population, annotators)).argsort(axis=1)[:, :most]
        item = np.broadcast_to(np.arange(population)[:, None], annotator.shape)
        _, label = simulate_labels(item, annotator, careless, values, 2, generator)

        def kappa(first: int, items: int, n: int, resamples: int, annotator=annotator, label=label):  # type: ignore[no-untyped-def]
            """Return κ of the first n votes in rounds."""
            rows = slice(first, first + items)
            by_round = [each[rows].T.ravel()[:n] for each in (annotator, label)]
            place = np.tile(np.arange(items), most)[:n]
            return fleiss_kappa(Labels(place, *by_round, items, annotators, 2), resamples=resamples)

        def look(n: int, kappa=kappa) -> Attained | None:  # type: ignore[no-untyped-def]
            found = kappa(0, questions, n, LABEL_RESAMPLES)
            if found.value is None or found.low is None or found.high is None:
                return None
            ends = (found.value, found.low, found.high)
            return mean_of_annotators("reliability", ends, judgements=n, questions=questions)

        alpha = kappa(questions, 20 * questions, 20 * questions * most, 0).value or 1e-9
        yield Study(look, questions * (1 - alpha) / alpha, 2 * questions, most * questions)


def aligned(counts_of: Callable[[np.random.Generator], Floats], populations: int) -> Iterator[Study]:
    """Yield five studies from each population of pairs, in which each of up to 1,000 pairs is annotated twice."""
    for number in range(populations):
        generator = np.random.default_rng([number, 11])
        both, total = counts_of(generator)
        f1 = 2 * both.sum() / total.sum()
        spread = np.std(2 * both - f1 * total) / total.mean()
        for _ in range(5):
            drawn = generator.integers(len(both), size=1_000)

            def look(n: int, both=both[drawn], total=total[drawn], number=number) -> Attained | None:  # type: ignore[no-untyped-def]
                times = np.random.default_rng([number, n]).multinomial(n, np.full(n, 1 / n), size=RESAMPLES)
                low, high = np.percentile(2 * (times @ both[:n]) / (times @ total[:n]), [2.5, 97.5])
                return width_attained("width", low, high, n, n, RESAMPLES) if high > low else None

            yield Study(look, (2 * Z_95 * spread) ** 2, 50, 1_000, extra=1_000)


def word_counts(generator: np.random.Generator) -> Floats:
    """Return |A ∩ B| and |A| + |B| of 400 pairs that two annotators have aligned, with the shape (2, pairs)."""
    sizes = word_studies(400).sizes
    values = {"errors": generator.uniform(0.5, 2), "wrong": 0.15}
    careless = generator.random(20) < generator.uniform(0, 0.3)
    annotator = generator.random((400, 20)).argsort(axis=1)[:, :2]
    _, _, drawn = simulate_alignments(sizes, annotator, careless, values, generator)
    rows = [(len(a.links & b.links), len(a.links) + len(b.links)) for a, b in drawn]
    return np.array(rows, dtype=np.float64).T


def chunk_counts(generator: np.random.Generator) -> Floats:
    """Return the overlap of type and score and the number of links of 400 pairs, with the shape (2, pairs)."""
    sizes = chunk_studies(400).sizes
    careless = generator.random(20) < generator.uniform(0, 0.3)
    annotator = generator.random((400, 20)).argsort(axis=1)[:, :2]
    _, drawn = simulate_links(sizes, annotator, careless, {"errors": generator.uniform(0.5, 2)}, generator)
    overlaps = [overlap(a, b, 2016) for a, b in drawn]
    return np.array([[sum(each.found["f1_typ_sco"]) / 2, each.system + each.gold] for each in overlaps]).T


def _inside(ends: Floats, size: int) -> bool:
    """Return whether the study stopped within the predicted interval, or at the next look."""
    return bool(ends[0] <= size <= ends[1] * GROWTH)


def _has(study: Study, n: int, target: float, kind: Kind) -> bool:
    value = study.truth(n, kind)
    return value >= target if kind == "reliability" else value <= target


if __name__ == "__main__":
    main()
