"""Study plans: simulated studies with different numbers of answers, and the predictions from these simulations."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .predictions import (
    SIMILAR,
    Prediction,
    Scale,
    Similar,
    all_studies,
    draw_similar,
    predict,
    similar_studies,
    to_bounded,
    to_unbounded,
)

Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]

MOST_PER_QUESTION = 50
STUDIES_OF_SEARCH = 20


@dataclass(frozen=True)
class Assumption:
    """The range of a parameter that the researcher does not know. `low` and `high` are equal if the researcher assumes
    a single value.
    """

    name: str
    low: float
    high: float
    scale: Scale

    def draw(self, generator: np.random.Generator) -> float:
        """Return a random value from the range. Positive values are uniform on the scale of logarithms."""
        if self.scale != "positive":
            return float(generator.uniform(self.low, self.high))
        return float(np.exp(generator.uniform(np.log(self.low), np.log(self.high))))


class StudyModel(Protocol):
    """A model of one kind of study. `figures` maps each figure to its scale, and the first figure is the main figure.

    More answers increase the figure `target_figure`, so a target applies to this figure. `observed` contains the
    statistics of the pilot, or is None without a pilot. `most` is the largest possible number
    of answers per question.
    """

    @property
    def assumptions(self) -> Sequence[Assumption]: ...

    @property
    def figures(self) -> Mapping[str, Scale]: ...

    @property
    def target_figure(self) -> str: ...

    @property
    def observed(self) -> Floats | None: ...

    @property
    def most(self) -> int: ...

    def simulate(self, values: Mapping[str, float], levels: Sequence[int], generator: np.random.Generator) -> Floats:
        """Return the figures of one simulated study, as an array (figures, levels, 2). Each level is a number of
        answers per question.

        The last axis contains two values that differ only in random choices of the calculation, such as the split of
        the judgements into halves.
        """

    def simulate_pilot(self, values: Mapping[str, float], generator: np.random.Generator) -> Floats:
        """Return the statistics of a simulated pilot with the actual pilot's questions and annotators."""

    def simulate_unfinished(self, values: Mapping[str, float], generator: np.random.Generator) -> Floats:
        """Return the main figure (2,) of a simulated unfinished study with the questions and annotators of the pilot.
        As in `simulate`, the two values differ only in random choices of the calculation.
        """


@dataclass(frozen=True)
class Level:
    """The predicted figures of a study with `answers` answers per question."""

    answers: int
    figures: Mapping[str, Prediction]


@dataclass(frozen=True)
class Forecast:
    """The predictions for each number of answers per question, and the values of the assumptions.

    `estimates` contains the estimates from the pilot, or the assumed ranges without a pilot. `fits` is false if the
    model cannot describe the pilot. `draws` (D, P) contains equally probable values of all assumptions, from which the
    figures of an unfinished study can be predicted.
    """

    levels: Sequence[Level]
    estimates: Mapping[str, Prediction]
    studies: int
    fits: bool = True
    draws: Floats = field(default_factory=lambda: np.empty((0, 0)))


@dataclass(frozen=True)
class Needed:
    """The smallest number of answers per question that reaches the target, or None if even `most` answers are not
    enough. `value` is the figure at this number of answers, or at `most` answers.
    """

    target: float
    answers: int | None
    value: float
    most: int


def forecast(
    model: StudyModel,
    levels: Sequence[int],
    *,
    studies: int = 300,
    seed: int = 1,
    progress: Progress | None = None,
    pilot_progress: Progress | None = None,
) -> Forecast:
    """Return the predictions for each number of answers per question in `levels`, from simulated studies.

    Without a pilot, all simulated studies have the same weight. With a pilot, more pilots than studies are simulated
    first, and a study is simulated only for the pilots that resemble the actual pilot. The same arguments give the same
    figures. `progress(done, studies)` is called after each study, and `pilot_progress(done, pilots)` after each pilot.
    """
    if model.observed is None:
        parameters, similar = draw_parameters(model, studies, seed=seed), all_studies(studies)
    else:
        parameters = draw_parameters(model, round(studies / SIMILAR), seed=seed)
        pilots = simulate_pilots(model, parameters, seed=seed, progress=pilot_progress)
        similar = similar_studies(pilots, model.observed)
    figures = simulate_studies(model, parameters[similar.draws], levels, seed=seed, progress=progress)
    return predict_figures(model, levels, similar, parameters[similar.draws], figures)


def draw_parameters(model: StudyModel, count: int, *, seed: int = 1) -> Floats:
    """Return random values (count, P) of the assumptions."""
    generator = np.random.default_rng([seed, 0x91A])
    return np.array([[assumption.draw(generator) for assumption in model.assumptions] for _ in range(count)])


def simulate_pilots(
    model: StudyModel, parameters: Floats, *, seed: int = 1, progress: Progress | None = None
) -> Floats:
    """Return the statistics (S, q) of a simulated pilot for each row of `parameters` (S, P)."""
    statistics = []
    for number, row in enumerate(parameters):
        generator = np.random.default_rng([seed, 0x91B, number])
        statistics.append(model.simulate_pilot(_named(model, row), generator))
        if progress is not None:
            progress(number + 1, len(parameters))
    return np.array(statistics)


def simulate_studies(
    model: StudyModel,
    parameters: Floats,
    levels: Sequence[int],
    *,
    seed: int = 1,
    progress: Progress | None = None,
) -> Floats:
    """Return the figures (S, F, L, 2) of a simulated study for each row of `parameters` (S, P).

    Each study has its own random generator, so more studies do not change the first studies.
    """
    figures = np.empty((len(parameters), len(model.figures), len(levels), 2))
    for number, row in enumerate(parameters):
        figures[number] = model.simulate(_named(model, row), levels, np.random.default_rng([seed, 0x91C, number]))
        if progress is not None:
            progress(number + 1, len(parameters))
    return figures


def predict_figures(
    model: StudyModel, levels: Sequence[int], similar: Similar, parameters: Floats, figures: Floats
) -> Forecast:
    """Return the predictions from the figures (K, F, L, 2) of similar studies with the `parameters` (K, P)."""
    predicted = []
    for place, answers in enumerate(levels):
        of_level = {}
        for number, (name, scale) in enumerate(model.figures.items()):
            both = figures[:, number, place]
            noise = np.nanmean(np.diff(to_unbounded(both, scale), axis=1) ** 2) / 4 if np.isfinite(both).any() else 0.0
            of_level[name] = predict(both.mean(axis=1), similar, scale, float(noise))
        predicted.append(Level(answers, of_level))
    predicted = _rising(predicted, model.target_figure)
    estimates = {
        assumption.name: _within(assumption, predict(parameters[:, number], similar, assumption.scale))
        for number, assumption in enumerate(model.assumptions)
    }
    draws = np.column_stack(
        [
            np.clip(draw_similar(parameters[:, number], similar, assumption.scale), assumption.low, assumption.high)
            for number, assumption in enumerate(model.assumptions)
        ]
    )
    return Forecast(predicted, estimates, len(parameters), not similar.unusual, draws)


def answers_needed(
    model: StudyModel,
    forecasted: Forecast,
    target: float,
    *,
    seed: int = 1,
    fewest: int = 2,
    step: int = 1,
    most: int | None = None,
) -> Needed:
    """Return the smallest number of answers per question whose predicted target figure reaches `target`.

    The search tries `fewest`, `fewest + step`, … up to `most` answers, by default the model's `most`. It doubles the
    number until the target is reached, because large studies take long to simulate, and then continues with a
    bisection. The search simulates few studies with the estimated parameters, because the median needs fewer studies
    than an interval.
    """
    known = {level.answers: level.figures[model.target_figure].value for level in forecasted.levels}
    values = {name: estimate.value for name, estimate in forecasted.estimates.items()}

    def value_at(answers: int) -> float:
        if answers not in known:
            known[answers] = expected_figures(model, values, answers, seed=seed)[model.target_figure]
        return known[answers]

    numbers = range(fewest, max(fewest, min(model.most, most or model.most)) + 1, step)
    first, last = 0, 0
    while value_at(numbers[last]) < target:
        if last == len(numbers) - 1:
            return Needed(target, None, value_at(numbers[-1]), numbers[-1])
        first, last = last + 1, min(2 * last + 1, len(numbers) - 1)
    answers = numbers[bisect_left(numbers, target, first, last, key=value_at)]
    return Needed(target, answers, value_at(answers), numbers[-1])


def expected_figures(
    model: StudyModel, values: Mapping[str, float], answers: int, *, seed: int = 1
) -> dict[str, float]:
    """Return the expected figures of a study with `answers` answers per question, from few simulated studies with these
    values of the assumptions. The same seed gives similar studies of different designs.
    """
    draws = np.stack(
        [
            model.simulate(values, [answers], np.random.default_rng([seed, 0x5EA, n]))[:, 0]
            for n in range(STUDIES_OF_SEARCH)
        ]
    )
    figures = {}
    for place, (name, scale) in enumerate(model.figures.items()):
        drawn = to_unbounded(draws[:, place], scale)
        defined = np.isfinite(drawn).any()
        figures[name] = float(to_bounded(np.array(np.nanmean(drawn)), scale)) if defined else np.nan
    return figures


def _rising(levels: Sequence[Level], figure: str) -> list[Level]:
    """Return the levels with the figure adjusted so that it never falls as the answers increase. More answers increase
    the figure, so a fall is chance in the simulation, which isotonic regression removes (pool adjacent violators).
    """
    from scipy.optimize import isotonic_regression  # a slow import, which few commands need

    ordered = sorted(levels, key=lambda level: level.answers)
    ends = np.array([level.figures[figure] for level in ordered])
    if not len(ends) or not np.isfinite(ends).all():
        return list(levels)
    rising = np.column_stack([isotonic_regression(column).x for column in ends.T]).tolist()
    by_answers = {level.answers: Prediction(*row) for level, row in zip(ordered, rising, strict=True)}
    return [Level(level.answers, {**level.figures, figure: by_answers[level.answers]}) for level in levels]


def _named(model: StudyModel, row: Floats) -> dict[str, float]:
    return dict(zip((assumption.name for assumption in model.assumptions), row.tolist(), strict=True))


def _within(assumption: Assumption, prediction: Prediction) -> Prediction:
    """Return an estimate within the range of the assumption. The linear correction can produce values outside the
    range.
    """
    value, low, high = (min(max(each, assumption.low), assumption.high) for each in prediction)
    return Prediction(value, low, high)
