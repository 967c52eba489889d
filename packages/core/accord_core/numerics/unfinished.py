"""The main figure of an unfinished study, and its prediction from a plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .planning import Progress, StudyModel
from .predictions import Floats, Prediction, all_studies, predict, to_unbounded

# If fewer questions have several answers, the figures are too uncertain to use.
FEWEST_QUESTIONS = 10
FEWEST_ANNOTATORS = 2


class TooFewAnswers(ValueError):
    """A study has too few answers for a plan. The message states what is missing."""


@dataclass(frozen=True)
class PilotAnswers:
    """The answers of a study so far, as the `pilot` of a model.

    `answers` is the number of answers, and `questions` the number of questions with at least one answer.
    """

    pilot: Any
    answers: int
    questions: int
    annotators: int

    @property
    def per_question(self) -> float:
        """The mean number of answers to a question with at least one answer."""
        return self.answers / self.questions if self.questions else 0.0


class Measured(NamedTuple):
    """The main figure of the answers so far, with its 95% confidence interval.

    The ends are None if the interval is unknown, and `value` is None if the figure is undefined.
    """

    value: float | None
    low: float | None = None
    high: float | None = None


def require_answers(per_question: Sequence[int] | NDArray[np.int64], annotators: int, *, questions: str) -> None:
    """Raise `TooFewAnswers` unless at least ten questions have two or more answers, and there are at least two
    annotators.

    `per_question` contains the number of answers to each question, and `questions` is the name of the questions, such
    as “sentence pairs”.
    """
    several = int((np.asarray(per_question, dtype=np.int64) > 1).sum())
    if several < FEWEST_QUESTIONS:
        raise TooFewAnswers(
            f"At least {FEWEST_QUESTIONS} {questions} must have two or more answers (so far: {several})."
        )
    if annotators < FEWEST_ANNOTATORS:
        raise TooFewAnswers(f"At least {FEWEST_ANNOTATORS} annotators must have answered (so far: {annotators}).")


def predict_unfinished(
    model: StudyModel, draws: Floats, *, seed: int = 1, progress: Progress | None = None
) -> Prediction:
    """Return the prediction of the main figure for an unfinished study with the questions and annotators of the model's
    pilot.

    One study is simulated for each row of `draws` (D, P), which `Forecast.draws` of the plan contains. The answers so
    far are therefore compared with simulated answers to the same questions, even if some questions are finished and
    others have not been answered.
    """
    names = [assumption.name for assumption in model.assumptions]
    values = np.empty((len(draws), 2))
    for number, row in enumerate(draws.tolist()):
        generator = np.random.default_rng([seed, 0x91D, number])
        values[number] = model.simulate_unfinished(dict(zip(names, row, strict=True)), generator)
        if progress is not None:
            progress(number + 1, len(draws))
    scale = next(iter(model.figures.values()))
    both = to_unbounded(values[np.isfinite(values).all(axis=1)], scale)
    noise = float(np.mean(np.diff(both, axis=1) ** 2) / 4) if len(both) else 0.0
    return predict(values.mean(axis=1), all_studies(len(draws)), scale, noise)
