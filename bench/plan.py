"""Plans: time and memory of simulated studies, and the coverage of prediction intervals after a pilot.

    script/bench plan [--fast]

The coverage is the share of 400 simulated studies whose main figure lies in the 95% prediction interval. The plan knows
only a pilot with 10% of the questions. `--fast` simulates fewer studies.
"""

from __future__ import annotations

import resource
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from accord_core.bws.numerics.design import best_worst_design
from accord_core.bws.numerics.planning import BestWorstStudies, best_worst_studies
from accord_core.bws.numerics.reliability import spearman_brown, split_half_reliability
from accord_core.bws.numerics.simulation import judge, simulate_judgements
from accord_core.chunks.numerics.pilot import Pilot as ChunkPilot
from accord_core.chunks.numerics.planning import chunk_studies, simulate_links
from accord_core.numerics.agreement import krippendorff_alpha
from accord_core.numerics.labels import Bools, Ints, Labels
from accord_core.numerics.planning import (
    StudyModel,
    draw_parameters,
    predict_figures,
    simulate_pilots,
    simulate_studies,
)
from accord_core.numerics.predictions import Floats, similar_studies
from accord_core.numerics.unfinished import predict_unfinished
from accord_core.paraphrase.numerics.planning import LabelStudies, label_studies, simulate_labels
from accord_core.words.numerics.pilot import Pilot as WordPilot
from accord_core.words.numerics.planning import simulate_alignments, word_studies

COVERED, DRAWS = 400, 3_000
STUDIES, ITEMS = 2_000, 2_000


def main() -> None:
    fast = "--fast" in sys.argv[1:]
    print_time(STUDIES // 20 if fast else STUDIES)
    covered, draws = (60, 600) if fast else (COVERED, DRAWS)
    print(f"\ncoverage of 95% prediction intervals in {covered} studies, after a pilot of 10%")
    print("| kind | study | pilot | distribution of the items | coverage | mean width |\n|---|---|---|---|---|---|")
    print_best_worst(covered, draws)
    print_labels(covered, draws)
    print_words(covered, draws)
    print_chunks(covered, draws)
    print_unfinished(covered // 2, draws)


def print_time(studies: int) -> None:
    model = best_worst_studies(ITEMS)
    started = time.process_time()
    simulate_studies(model, draw_parameters(model, studies), [2])
    seconds = time.process_time() - started
    judgements = 2 * len(model.tuples)
    print(f"{studies:,} best–worst studies of {ITEMS:,} items with {judgements:,} judgements: {seconds:.0f} s")
    for share, count in ((0.0, studies // 10), (1.0, studies // 100)):
        words = replace(word_studies(200), corrected=share)
        started = time.process_time()
        simulate_studies(words, draw_parameters(words, count), [2])
        figure = "F1 and C" if share else "F1"
        print(f"{count:,} word alignment studies of 200 pairs, {figure}: {time.process_time() - started:.0f} s")
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def print_best_worst(covered: int, draws: int) -> None:
    items, annotators = 500, 20
    for distribution in ("normal", "uniform", "two groups"):
        pilot = simulate_judgements(best_worst_design(items // 10, seed=3), np.zeros(items // 10), annotators=8)
        model = best_worst_studies(items, annotators=annotators, pilot=pilot)
        inside, width = coverage(model, _BestWorstReality(model, distribution), covered, draws)
        print(
            f"| best–worst | {items} items, 2 judgements per tuple, {annotators} annotators | {items // 10} items, "
            f"8 annotators | {distribution} | {inside:.1%} | {width:.2f} |",
            flush=True,
        )


def print_unfinished(covered: int, draws: int) -> None:
    """Print the coverage of the interval that the overview compares with the answers to half of the tuples."""
    items, annotators = 200, 16
    pilot = simulate_judgements(best_worst_design(20, seed=3), np.zeros(20), per_tuple=4, annotators=8)
    plan = best_worst_studies(items, annotators=annotators, pilot=pilot)
    so_far = simulate_judgements(plan.tuples[::2], np.zeros(items), annotators=annotators)
    unfinished = best_worst_studies(items, annotators=annotators, pilot=so_far)
    parameters = draw_parameters(plan, draws)
    statistics, figures = simulate_pilots(plan, parameters), np.zeros((draws, len(plan.figures), 1, 2))
    inside, widths = [], []
    for study in range(covered):
        generator = np.random.default_rng([study, 0xC1])
        values = {assumption.name: assumption.draw(generator) for assumption in plan.assumptions}
        similar = similar_studies(statistics, plan.simulate_pilot(values, generator))
        known = predict_figures(plan, [2], similar, parameters[similar.draws], figures[similar.draws])
        predicted = predict_unfinished(unfinished, known.draws, seed=study)
        judgements = simulate_judgements(
            plan.tuples[::2], generator.normal(0, values["spread"], items), annotators=annotators,
            careless=generator.binomial(annotators, values["careless"]) / annotators, seed=study,
        )  # fmt: skip
        half = split_half_reliability(judgements, splits=100).spearman_mean
        inside.append(half is not None and predicted.low <= spearman_brown(half) <= predicted.high)
        widths.append(predicted.high - predicted.low)
    print(
        f"| best–worst, half of the tuples judged | {items} items, {annotators} annotators | 20 items, 8 annotators | "
        f"normal | {np.mean(inside):.1%} | {np.mean(widths):.2f} |",
        flush=True,
    )


def print_labels(covered: int, draws: int) -> None:
    items, annotators, each = 600, 20, 3
    for distribution in ("normal", "two groups"):
        generator = np.random.default_rng(3)
        annotator = generator.random((items // 10, 8)).argsort(axis=1)[:, :each]
        item = np.broadcast_to(np.arange(items // 10)[:, None], annotator.shape)
        label = generator.integers(0, 2, annotator.shape)
        pilot = Labels(item.ravel(), annotator.ravel(), label.ravel(), items // 10, 8, 2)
        model = label_studies(items, annotators=annotators, pilot=pilot)
        inside, width = coverage(model, _LabelReality(model, distribution), covered, draws)
        print(
            f"| labels (α) | {items} items, {each} labels per item, {annotators} annotators | {items // 10} items, "
            f"8 annotators | {distribution} | {inside:.1%} | {width:.2f} |",
            flush=True,
        )


def print_words(covered: int, draws: int) -> None:
    pairs, annotators = 200, 10
    model = word_studies(pairs)
    generator = np.random.default_rng(3)
    sizes = model.sizes[: pairs // 10]
    numbers = [generator.permutation(5)[:2].tolist() for _ in sizes]
    unknown = {"errors": 1.0, "wrong": 0.15, "careless": 0.1}
    _, start, drawn = simulate_alignments(sizes, numbers, np.zeros(5, dtype=np.bool_), unknown, generator)
    pilot = WordPilot(sizes, numbers, drawn, start)
    model = replace(word_studies(pairs, annotators=annotators, pilot=pilot), corrected=0.0)
    for reality, initial in ((SameModel(model), ""), (_PoorLinks(model), "poor initial links")):
        inside, width = coverage(model, reality, covered, draws // 3)
        print(
            f"| word alignment (F1) | {pairs} pairs, {annotators} annotators | {len(sizes)} pairs, 5 annotators | "
            f"{initial} | {inside:.1%} | {width:.2f} |",
            flush=True,
        )


def print_chunks(covered: int, draws: int) -> None:
    pairs, annotators = 200, 10
    generator = np.random.default_rng(3)
    sizes = chunk_studies(pairs).sizes[: pairs // 10]
    numbers = [generator.permutation(5)[:2].tolist() for _ in sizes]
    unknown = {"errors": 1.0, "careless": 0.1}
    _, drawn = simulate_links(sizes, numbers, np.zeros(5, dtype=np.bool_), unknown, generator)
    model = chunk_studies(pairs, annotators=annotators, pilot=ChunkPilot(sizes, numbers, drawn))
    inside, width = coverage(model, SameModel(model), covered, draws // 3)
    print(
        f"| chunk alignment (F1 Ali) | {pairs} pairs, {annotators} annotators | {len(sizes)} pairs, 5 annotators | | "
        f"{inside:.1%} | {width:.2f} |",
        flush=True,
    )


class Reality(ABC):
    """Actual studies. The plan does not know their assumptions."""

    level = 2

    @abstractmethod
    def draw(self, generator: np.random.Generator) -> dict[str, float]: ...

    @abstractmethod
    def pilot(self, values: dict[str, float], generator: np.random.Generator) -> Floats: ...

    @abstractmethod
    def figure(self, values: dict[str, float], generator: np.random.Generator) -> float: ...


class SameModel(Reality):
    """Studies of the same kind as the plan's simulated studies, with unknown assumptions."""

    def __init__(self, model: StudyModel) -> None:
        self.model = model

    def draw(self, generator: np.random.Generator) -> dict[str, float]:
        return {assumption.name: assumption.draw(generator) for assumption in self.model.assumptions}

    def pilot(self, values: dict[str, float], generator: np.random.Generator) -> Floats:
        return self.model.simulate_pilot(values, generator)

    def figure(self, values: dict[str, float], generator: np.random.Generator) -> float:
        return float(self.model.simulate(values, [self.level], generator)[0, 0, 0])


class _PoorLinks(SameModel):
    """Word alignment studies in which most initial links are wrong or missing."""

    def draw(self, generator: np.random.Generator) -> dict[str, float]:
        return super().draw(generator) | {"wrong": generator.uniform(0.5, 0.95)}


class _BestWorstReality(Reality):
    def __init__(self, model: BestWorstStudies, distribution: str) -> None:
        self.model, self.distribution = model, distribution

    def draw(self, generator: np.random.Generator) -> dict[str, float]:
        return {assumption.name: assumption.draw(generator) for assumption in self.model.assumptions}

    def pilot(self, values: dict[str, float], generator: np.random.Generator) -> Floats:
        actual = self.model.pilot
        assert actual is not None
        judgements = actual.judgements
        assert judgements.annotator is not None
        careless = generator.random(int(judgements.annotator.max()) + 1) < values["careless"]
        utility = self.utility(judgements.n_items, values, generator)
        return actual.statistics_of(*judge(judgements.items, utility, careless[judgements.annotator], generator))

    def figure(self, values: dict[str, float], generator: np.random.Generator) -> float:
        judgements = simulate_judgements(
            best_worst_design(self.model.items, seed=7),
            self.utility(self.model.items, values, generator),
            annotators=self.model.annotators,
            careless=generator.binomial(self.model.annotators, values["careless"]) / self.model.annotators,
            seed=int(generator.integers(2**40)),
        )
        half = split_half_reliability(judgements, splits=100).spearman_mean
        return np.nan if half is None else spearman_brown(half)

    def utility(self, items: int, values: dict[str, float], generator: np.random.Generator) -> Floats:
        """Return utilities with the standard deviation `spread`."""
        if self.distribution == "uniform":
            return generator.uniform(-np.sqrt(3), np.sqrt(3), items) * values["spread"]
        if self.distribution == "two groups":
            return (generator.normal(0, 0.6, items) + 0.8 * generator.choice([-1, 1], items)) * values["spread"]
        return generator.normal(0, values["spread"], items)


class _LabelReality(Reality):
    """Studies with labels. In the distribution “two groups”, all items are equally difficult, except a share of hard
    items, which only the actual studies have.
    """

    level = 3

    def __init__(self, model: LabelStudies, distribution: str) -> None:
        self.model, self.distribution = model, distribution

    def draw(self, generator: np.random.Generator) -> dict[str, float]:
        return {assumption.name: assumption.draw(generator) for assumption in self.model.assumptions}

    def pilot(self, values: dict[str, float], generator: np.random.Generator) -> Floats:
        actual = self.model.pilot
        assert actual is not None
        labels = actual.labels
        careless = generator.random(labels.n_annotators) < values["careless"]
        return actual.statistics_of(self.labels(labels.item, labels.annotator, careless, values, generator))

    def figure(self, values: dict[str, float], generator: np.random.Generator) -> float:
        model = self.model
        annotator = generator.random((model.items, model.annotators)).argsort(axis=1)[:, : self.level]
        item = np.broadcast_to(np.arange(model.items)[:, None], annotator.shape)
        careless = generator.random(model.annotators) < values["careless"]
        label = self.labels(item.ravel(), annotator.ravel(), careless, values, generator)
        labels = Labels(item.ravel(), annotator.ravel(), label, model.items, model.annotators, model.n_labels)
        alpha = krippendorff_alpha(labels).value
        return np.nan if alpha is None else alpha

    def labels(
        self, item: Ints, annotator: Ints, careless: Bools, values: dict[str, float], generator: np.random.Generator
    ) -> Ints:
        if self.distribution == "normal":
            return simulate_labels(item, annotator, careless, values, 2, generator)[1]
        easy = simulate_labels(item, annotator, careless, {**values, "difficulty": 0.01}, 2, generator)[1]
        guessed = generator.integers(0, 2, item.shape)
        hard = generator.random(int(item.max()) + 1) < values["difficulty"] / 10
        return np.where(hard[item], guessed, easy)


def coverage(model: StudyModel, reality: Reality, covered: int, draws: int) -> tuple[float, float]:
    """Return the share of studies whose main figure lies in the prediction interval, and the mean width of the
    intervals.

    All pilots have the same questions and annotators, so all plans use the same simulated pilots and studies.
    """
    parameters = draw_parameters(model, draws)
    levels: Sequence[int] = [reality.level]
    statistics, figures = simulate_pilots(model, parameters), simulate_studies(model, parameters, levels)
    main_figure = next(iter(model.figures))
    inside, widths = [], []
    for study in range(covered):
        generator = np.random.default_rng([study, 0xC0])
        values = reality.draw(generator)
        similar = similar_studies(statistics, reality.pilot(values, generator))
        predicted = predict_figures(model, levels, similar, parameters[similar.draws], figures[similar.draws])
        _, low, high = predicted.levels[0].figures[main_figure]
        inside.append(low <= reality.figure(values, generator) <= high)
        widths.append(high - low)
    return float(np.mean(inside)), float(np.mean(widths))


if __name__ == "__main__":
    main()
