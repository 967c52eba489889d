"""Adaptive rounds of label studies: one more label for questions with the largest expected numbers of wrong labels."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from accord_core.numerics.agreement import fleiss_kappa
from accord_core.numerics.em import one_coin
from accord_core.numerics.labels import Bools, Floats, Ints, Labels, majority
from accord_core.numerics.predictions import to_bounded

SIMULATIONS, QUESTIONS, ANNOTATORS, MOST = 20, 400, 20, 9
CARELESS = (0.0, 0.2)
START, SHARE = 3, 0.25  # labels per question in the design, and the share of questions in each round
DISTRIBUTIONS = {
    "normal": lambda draw, n: draw.normal(2.2, 0.8, n),
    "uniform": lambda draw, n: draw.uniform(0.2, 4.0, n),
    "two clusters": lambda draw, n: np.where(draw.random(n) < 0.25, 0.4, 3.2) + draw.normal(0, 0.2, n),
}


def print_labels() -> None:
    """Compare the accuracy of one-coin labels and of majority labels, for questions with 1 or 8 labels each.

    The one-coin model gets one more label in each of two rounds. The majority gets two more labels in one round, so
    that the number of labels stays odd and no ties occur.
    """
    print(f"labels: accuracy, {QUESTIONS} questions, {SIMULATIONS} simulations")
    for candidates in (1, 8):
        for name, clarity in DISTRIBUTIONS.items():
            for careless in CARELESS:
                studies = [_Study(candidates, clarity, careless, seed) for seed in range(SIMULATIONS)]
                text = f"  {candidates} per question, {name}, {careless:.0%} careless"
                _print(f"{text}, one-coin, 1 round", studies, (1,), _Study.one_coin_accuracy, range(2, MOST + 1))
                _print(f"{text}, one-coin, 2 rounds", studies, (1, 1), _Study.one_coin_accuracy, range(2, MOST + 1))
                _print(f"{text}, majority, 1 round", studies, (2,), _Study.majority_accuracy, range(3, MOST + 1, 2))


def print_label_bias() -> None:
    """Compare Fleiss' κ of all labels after a round with κ of the design and with κ of five labels per question."""
    print(f"bias of Fleiss’ κ, {QUESTIONS} questions, {SIMULATIONS} simulations")
    for name, clarity in DISTRIBUTIONS.items():
        rows = []
        for seed in range(SIMULATIONS):
            study = _Study(1, clarity, 0.0, seed)
            counts = np.full(QUESTIONS, START)
            rows.append([study.agreement(each) for each in (counts + 2, counts, study.with_rounds((2,)))])
        fixed, design, every = np.mean(rows, axis=0)
        print(f"  {name}: five labels each {fixed:.3f}, design {design:.3f}, all labels with a round {every:.3f}")


def _print(
    text: str, studies: list[_Study], rounds: tuple[int, ...], accuracy: Callable[[_Study, Ints], float], grid: range
) -> None:
    fixed = [np.mean([accuracy(study, np.full(QUESTIONS, count)) for study in studies]) for count in grid]
    counts = [study.with_rounds(rounds) for study in studies]
    value = float(np.mean([accuracy(study, count) for study, count in zip(studies, counts, strict=True)]))
    cost = float(np.mean(counts))
    equal = float(np.interp(value, np.maximum.accumulate(fixed), list(grid)))
    print(
        f"{text}: {cost:.2f} labels give {value:.4f}, as many as {equal:.2f} for each question: saves "
        f"{1 - cost / equal:.0%}"
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

    def with_rounds(self, rounds: tuple[int, ...]) -> Ints:
        """Return the number of labels of each question after rounds with these numbers of further labels."""
        counts = np.full(QUESTIONS, START)
        for more in rounds:
            unsure = (1 - self._posterior(counts).max(axis=2)).sum(axis=1)
            counts[np.argsort(-unsure, kind="stable")[: round(SHARE * QUESTIONS)]] += more
        return counts

    def one_coin_accuracy(self, counts: Ints) -> float:
        return float((self._posterior(counts).argmax(axis=2) == self.truth).mean())

    def majority_accuracy(self, counts: Ints) -> float:
        chosen = majority(self._labels(counts)).label.reshape(self.truth.shape)
        return float((chosen == self.truth).mean())

    def agreement(self, counts: Ints) -> float:
        return fleiss_kappa(self._labels(counts), resamples=0).value or 0.0

    def _posterior(self, counts: Ints) -> Floats:
        posterior = one_coin(self._labels(counts)).posterior
        assert posterior is not None
        return posterior.reshape(*self.truth.shape, 2)

    def _labels(self, counts: Ints) -> Labels:
        question, turn = np.nonzero(np.arange(MOST) < counts[:, None])
        candidates = self.truth.shape[1]
        item = question[:, None] * candidates + np.arange(candidates)
        return Labels(
            item.ravel(),
            np.repeat(self.annotator[question, turn], candidates),
            self.label[question, turn].ravel(),
            self.truth.size,
            ANNOTATORS,
            2,
        )
