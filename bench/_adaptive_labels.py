"""Adaptive rounds of label studies: one more label for questions with the largest expected numbers of wrong labels."""

from __future__ import annotations

import numpy as np

from annotate.numerics.em import one_coin
from annotate.numerics.labels import Bools, Floats, Ints, Labels
from annotate.numerics.predictions import to_bounded

SIMULATIONS, QUESTIONS, ANNOTATORS, MOST = 20, 400, 20, 9
CARELESS = (0.0, 0.2)
START, SHARE = 3, 0.25  # labels per question in the design, and the share of questions in each round
DISTRIBUTIONS = {
    "normal": lambda draw, n: draw.normal(2.2, 0.8, n),
    "uniform": lambda draw, n: draw.uniform(0.2, 4.0, n),
    "two clusters": lambda draw, n: np.where(draw.random(n) < 0.25, 0.4, 3.2) + draw.normal(0, 0.2, n),
}


def print_labels() -> None:
    """Compare the accuracy of the labels by the one-coin model, for questions with 1 or 8 labels each."""
    print(f"labels: accuracy by the one-coin model, {QUESTIONS} questions, {SIMULATIONS} simulations")
    for candidates in (1, 8):
        for name, clarity in DISTRIBUTIONS.items():
            for careless in CARELESS:
                fixed = np.zeros(MOST + 1)
                adaptive = np.zeros((3, 2))
                for seed in range(SIMULATIONS):
                    study = _Study(candidates, clarity, careless, seed)
                    for count in range(2, MOST + 1):
                        fixed[count] += study.accuracy(np.full(QUESTIONS, count)) / SIMULATIONS
                    for rounds in (1, 2):
                        counts = study.with_rounds(rounds)
                        adaptive[rounds] += np.array([study.accuracy(counts), counts.mean()]) / SIMULATIONS
                grid = np.arange(2, MOST + 1)
                for rounds in (1, 2):
                    accuracy, cost = adaptive[rounds]
                    equal = float(np.interp(accuracy, np.maximum.accumulate(fixed[2:]), grid))
                    print(
                        f"  {candidates} per question, {name}, {careless:.0%} careless, {rounds} round(s): "
                        f"{cost:.2f} labels give {accuracy:.4f}, as many as {equal:.2f} for each question: "
                        f"saves {1 - cost / equal:.0%}"
                    )


class _Study:
    """Simulated labels (questions, MOST, candidates) of different annotators (questions, MOST), and true labels."""

    def __init__(self, candidates: int, clarity: object, careless: float, seed: int) -> None:
        draw = np.random.default_rng([seed, 5])
        self.annotator: Ints = draw.random((QUESTIONS, ANNOTATORS)).argsort(axis=1)[:, :MOST]
        clear: Floats = clarity(draw, QUESTIONS * candidates).reshape(QUESTIONS, 1, candidates)  # type: ignore[operator]
        skill = draw.normal(0, 0.5, ANNOTATORS)
        self.truth: Ints = draw.integers(0, 2, (QUESTIONS, candidates))
        right = draw.random((QUESTIONS, MOST, candidates)) < to_bounded(
            clear + skill[self.annotator][..., None], "share"
        )
        label = np.where(right, self.truth[:, None], 1 - self.truth[:, None])
        random: Bools = draw.permutation(ANNOTATORS) < round(careless * ANNOTATORS)
        self.label: Ints = np.where(random[self.annotator][..., None], draw.integers(0, 2, label.shape), label)

    def with_rounds(self, rounds: int) -> Ints:
        """Return the number of labels of each question after the rounds."""
        counts = np.full(QUESTIONS, START)
        for _ in range(rounds):
            unsure = (1 - self._posterior(counts).max(axis=2)).sum(axis=1)
            unsure[counts == MOST] = -1
            counts[np.argsort(-unsure, kind="stable")[: round(SHARE * QUESTIONS)]] += 1
        return counts

    def accuracy(self, counts: Ints) -> float:
        return float((self._posterior(counts).argmax(axis=2) == self.truth).mean())

    def _posterior(self, counts: Ints) -> Floats:
        question, turn = np.nonzero(np.arange(MOST) < counts[:, None])
        candidates = self.truth.shape[1]
        item = question[:, None] * candidates + np.arange(candidates)
        labels = Labels(
            item.ravel(),
            np.repeat(self.annotator[question, turn], candidates),
            self.label[question, turn].ravel(),
            self.truth.size,
            ANNOTATORS,
            2,
        )
        posterior = one_coin(labels).posterior
        assert posterior is not None
        return posterior.reshape(QUESTIONS, candidates, 2)
