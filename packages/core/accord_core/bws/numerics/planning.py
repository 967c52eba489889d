"""Simulated best–worst studies for predicting the scores' reliability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from accord_core.bws.numerics.design import best_worst_design
from accord_core.bws.numerics.halves import correlate, draw_halves, split_correlations
from accord_core.bws.numerics.pilot import Pilot
from accord_core.bws.numerics.reliability import spearman_brown
from accord_core.bws.numerics.scoring import Floats, Ints, Judgements, spearman
from accord_core.bws.numerics.simulation import judge, simulate_judgements
from accord_core.evaluation.numerics.power import smallest_difference
from accord_core.numerics.plan_costs import counted_careless
from accord_core.numerics.planning import MOST_PER_QUESTION, Assumption
from accord_core.numerics.predictions import Scale

FIGURES: Mapping[str, Scale] = {
    "reliability": "correlation",
    "correlation_with_truth": "correlation",
    "standard_error": "positive",
    "smallest_difference": "positive",
}
# Without a pilot, the utilities of the items are assumed to be normal with this standard deviation in logits. The
# published annotations of Ruddit (Hada and others 2021) have a similar spread.
SPREAD = 1.5
# The smallest detectable difference applies to two systems with these correlations with the true utilities, and with
# each other.
SYSTEMS, BETWEEN_SYSTEMS = 0.8, 0.8
SPREADS, CARELESS = (0.3, 6.0), (0.0, 0.4)  # the ranges that a pilot narrows


@dataclass(frozen=True, eq=False)
class BestWorstStudies:
    """Simulated studies with `items` normally distributed utilities and `annotators`, all equally likely to be
    careless.

    The assumptions are the standard deviation `spread` of the utilities in logits, and the share `careless`. A careless
    annotator chooses two different items at random, and other annotators follow MaxDiff. In a study, but not in the
    pilot, the quality rule stops the share `caught` of the careless annotators. The reliability of all judgements is
    predicted from halves of each tuple's judgements, as in the upper figure of reports.
    """

    tuples: Ints
    items: int
    annotators: int
    assumptions: Sequence[Assumption]
    caught: float = 0.0
    pilot: Pilot | None = None

    @property
    def figures(self) -> Mapping[str, Scale]:
        return FIGURES

    @property
    def target_figure(self) -> str:
        return "reliability"

    @cached_property
    def appearances(self) -> Ints:
        """The number of tuples of each item (items,)."""
        return np.bincount(self.tuples.ravel(), minlength=self.items)

    @property
    def most(self) -> int:
        """The largest number of judgements per tuple. Each annotator judges a tuple only once."""
        return min(MOST_PER_QUESTION, self.annotators)

    @property
    def observed(self) -> Floats | None:
        return None if self.pilot is None else self.pilot.statistics

    def simulate(self, values: Mapping[str, float], levels: Sequence[int], generator: np.random.Generator) -> Floats:
        """Return the figures of one study for each number of judgements per tuple. The judgements of a level include
        the judgements of the lower levels.
        """
        utility = generator.normal(0, values["spread"], self.items)
        share = counted_careless(values["careless"], self.caught)
        judgements = simulate_judgements(
            self.tuples,
            utility,
            per_tuple=max(levels),
            annotators=self.annotators,
            careless=generator.binomial(self.annotators, share) / self.annotators,
            seed=int(generator.integers(2**53)),
        )
        figures = np.empty((len(FIGURES), len(levels), 2))
        for place, level in enumerate(levels):
            figures[0, place] = self.split_twice(judgements, level, generator)
            figures[1:, place] = self.whole(judgements, level, utility)[:, None]
        return figures

    def split_twice(self, judgements: Judgements, level: int, generator: np.random.Generator) -> Floats:
        """Return the reliability (2,) of the first `level` judgements per tuple, predicted from two random splits. The
        judgements are in rounds: row r·T + t is a judgement of tuple t.
        """
        rounds = level * len(self.tuples)
        best, worst = judgements.best[:rounds], judgements.worst[:rounds]
        chosen = np.empty((level, len(self.tuples), 2), dtype=np.int8)
        draw_halves(generator, chosen)
        half, shown = np.empty((2, self.items, 2), dtype=np.int64)
        for split in range(2):
            weights = chosen[:, :, split].ravel()
            half[:, split] = np.bincount(best, weights, self.items) - np.bincount(worst, weights, self.items)
            per_tuple = np.broadcast_to(chosen[:, :, split].sum(axis=0)[:, None], self.tuples.shape)
            shown[:, split] = np.bincount(self.tuples.ravel(), per_tuple.ravel(), self.items)
        all_shown = level * self.appearances[:, None]
        net = np.bincount(best, minlength=self.items) - np.bincount(worst, minlength=self.items)
        between_halves, _, _ = correlate(half, shown, net[:, None] - half, all_shown - shown)
        return spearman_brown(between_halves)

    def whole(self, judgements: Judgements, level: int, utility: Floats) -> Floats:
        """Return the correlation of the scores with the true utilities, the mean standard error of a score in [−1, 1],
        and the smallest detectable difference between two systems' correlations with the true utilities.
        """
        rounds = level * len(self.tuples)
        best, worst = judgements.best[:rounds], judgements.worst[:rounds]
        net = np.bincount(best, minlength=self.items) - np.bincount(worst, minlength=self.items)
        scores = net / (level * self.appearances)
        error = self._standard_error(best, worst, level, scores)
        truth = spearman(scores, utility)
        if truth is None or truth <= 0:
            return np.array([np.nan if truth is None else truth, error, np.nan])
        difference = smallest_difference(self.items, SYSTEMS * truth, BETWEEN_SYSTEMS)
        return np.array([truth, error, np.nan if difference is None else difference / truth])

    def _standard_error(self, best: Ints, worst: Ints, level: int, scores: Floats) -> float:
        """Return the mean of `counting_standard_errors`. The rows are ordered by round, so the rows of the same tuple
        are known without a search.
        """
        best, worst = (chosen.reshape(level, -1, 1) for chosen in (best, worst))
        net = (self.tuples == best).sum(axis=0) - (self.tuples == worst).sum(axis=0)
        squares = np.bincount(self.tuples.ravel(), ((net - scores[self.tuples] * level) ** 2).ravel(), self.items)
        several = self.appearances > 1
        if not several.any():
            return np.nan
        squares, clusters = squares[several], self.appearances[several]
        return float(np.sqrt(clusters / (clusters - 1) * squares / (clusters * level) ** 2).mean())

    def simulate_pilot(self, values: Mapping[str, float], generator: np.random.Generator) -> Floats:
        """Return the statistics of a simulated pilot with the tuples and annotators of the actual pilot."""
        if self.pilot is None:
            raise ValueError("The model cannot simulate a pilot, because it was created without one.")
        best, worst = _judge_again(self.pilot.judgements, values["spread"], values["careless"], generator)
        return self.pilot.statistics_of(best, worst)

    def simulate_unfinished(self, values: Mapping[str, float], generator: np.random.Generator) -> Floats:
        """Return the reliability (2,) of simulated judgements of the pilot's tuples, predicted from two random
        splits.
        """
        if self.pilot is None:
            raise ValueError(
                "The model cannot simulate an unfinished study, because the model was created without a pilot."
            )
        actual = self.pilot.judgements
        share = counted_careless(values["careless"], self.caught)
        best, worst = _judge_again(actual, values["spread"], share, generator)
        simulated = replace(actual, best=best, worst=worst)
        between_halves, _, _ = split_correlations(
            simulated, splits=2, seed=int(generator.integers(2**53)), unit="judgements"
        )
        return spearman_brown(between_halves)


def _judge_again(
    actual: Judgements, spread: float, careless: float, generator: np.random.Generator
) -> tuple[Ints, Ints]:
    """Return the best and worst items (M,) of simulated judgements of the same tuples by the same annotators."""
    utility = generator.normal(0, spread, actual.n_items)
    annotator = np.arange(len(actual)) if actual.annotator is None else actual.annotator
    is_careless = generator.random(int(annotator.max()) + 1) < careless
    return judge(actual.items, utility, is_careless[annotator], generator)


def best_worst_studies(
    items: int,
    *,
    size: int = 4,
    factor: float = 2.0,
    annotators: int = 20,
    spread: tuple[float, float] | None = None,
    careless: tuple[float, float] | None = None,
    caught: float = 0.0,
    pilot: Judgements | None = None,
    seed: int = 1,
) -> BestWorstStudies:
    """Return the model of studies with a design for `items`. If an assumption's range is None, the model uses a wide
    range if there is a pilot, and a single typical value otherwise. Raises DesignError for impossible designs.
    """
    spread = spread or (SPREADS if pilot is not None else (SPREAD, SPREAD))
    careless = careless or (CARELESS if pilot is not None else (0.1, 0.1))
    return BestWorstStudies(
        best_worst_design(items, size=size, factor=factor, seed=seed),
        items,
        annotators,
        [Assumption("spread", *spread, "positive"), Assumption("careless", *careless, "share")],
        caught,
        None if pilot is None else Pilot.of(pilot),
    )
