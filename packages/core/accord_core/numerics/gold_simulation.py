"""Functions that simulate how often a quality rule stops an annotator, for every measure and every window.

The accuracy can be a mean of partial scores or a balanced accuracy. Its path then has too many states for an exact
calculation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .gold_annotators import GoldAnnotator
from .gold_measures import accuracies_of
from .gold_rules import Bools, Floats, Stops

RUNS = 4_000


@dataclass(frozen=True)
class Paths:
    """The accuracy of simulated annotators after each gold answer. Shape: (annotators, gold answers).

    The accuracy is NaN as long as it is undefined.
    """

    accuracies: Floats

    def stops(self, threshold: float, minimum: int) -> Stops:
        """Return the shares of simulated annotators that a rule stops at each gold answer."""
        runs, answers = self.accuracies.shape
        if minimum > answers:
            return Stops(np.zeros(answers), runs)
        fails: Bools = self.accuracies[:, minimum - 1 :] < threshold
        first = fails.argmax(axis=1)[fails.any(axis=1)] + minimum - 1
        return Stops(np.bincount(first, minlength=answers)[:answers] / runs, runs)


def paths(annotator: GoldAnnotator, answers: int, *, window: int = 0, seed: int = 1, runs: int = RUNS) -> Paths:
    """Simulate annotators who answer the gold questions in random orders.

    The accuracy includes the last `window` answers, or all answers if `window` is 0. The same seed gives all kinds of
    annotators the same orders of questions. Raises ValueError if there are fewer gold questions than `answers`.
    """
    questions = len(annotator.questions)
    if not 1 <= answers <= questions:
        raise ValueError(f"{questions} gold questions cannot have {answers} answers")
    generator = np.random.default_rng(seed)
    orders = generator.random((runs, questions)).argsort(axis=1)[:, :answers]
    drawn = _draw(annotator, orders, generator.random((runs, answers)))
    sums = np.cumsum(annotator.tallies[drawn], axis=1)
    if window and window < answers:
        sums[:, window:] -= sums[:, :-window].copy()
    return Paths(accuracies_of(sums, annotator.names, annotator.ratios))


def _draw(
    annotator: GoldAnnotator, questions: Sequence[Sequence[int]] | np.ndarray, uniform: Floats
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Return the index of an outcome for each question. `uniform` contains random numbers in [0, 1)."""
    # Adding the question number turns the cumulative probabilities of all questions into one increasing sequence.
    cumulative = np.cumsum(annotator.chances)
    ends = np.cumsum(np.bincount(annotator.question_of))
    before = np.concatenate([[0.0], cumulative[ends[:-1] - 1]])
    increasing = cumulative - before[annotator.question_of] + annotator.question_of
    found = np.searchsorted(increasing, uniform + questions, side="right")
    return np.minimum(found, ends[questions] - 1)
