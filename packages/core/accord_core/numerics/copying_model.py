"""A model of honest answers. It predicts, from the other annotators' answers, how likely an annotator is to give a
program's answer without having seen it.

Each unit, such as a vote or a choice, has a true answer, and belongs to one of the model's classes. A class states
whether the program's answer is true, how likely people find the true answer (the difficulty), and how many errors
choose the likeliest wrong answer. If the program's answer is wrong, it can be this likeliest wrong answer. The shares
of the classes are estimated from all units, so that questions that mislead people and programs alike are expected. The
shares are a nonparametric maximum-likelihood estimate (Laird 1978, JASA 73) with a weak prior. Each annotator has one
ability, which shifts the log odds of the true answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from accord_core.numerics.labels import Floats, Ints

ACCURACY = np.array([0.25, 0.45, 0.6, 0.75, 0.86, 0.93, 0.98])  # chances of the true answer, one per difficulty
SHARE = np.array([0.03, 0.07, 0.12, 0.2, 0.23, 0.2, 0.15])  # the prior shares of these difficulties
LIKELY_IF_RIGHT, LIKELY_IF_WRONG = (0.0, 0.8), (0.0, 0.5, 0.9)  # errors with the likeliest wrong answer, beyond chance
PROGRAM_RIGHT = 0.8  # the prior share of units on which the program is right
PRIOR_UNITS, STRATUM_UNITS = 2.0, 20.0  # units that a prior counts for: of all units, and of a stratum
FITS, FIRST_ROUNDS, ROUNDS = 4, 150, 50  # alternations with the abilities, and rounds of the estimation
ABILITIES = np.linspace(-2, 2, 17)
ABILITY_SD = 0.7

_CLASSES = [
    (right, accuracy, likely, share * (PROGRAM_RIGHT if right else 1 - PROGRAM_RIGHT) / len(likelies))
    for right, likelies in ((True, LIKELY_IF_RIGHT), (False, LIKELY_IF_WRONG))
    for accuracy, share in zip(ACCURACY, SHARE, strict=True)
    for likely in likelies
]
RIGHT = np.array([right for right, *_ in _CLASSES])
LOG_ODDS = np.array([np.log(accuracy / (1 - accuracy)) for _, accuracy, *_ in _CLASSES])
LIKELY = np.array([likely for _, _, likely, _ in _CLASSES])
PRIOR = np.array([prior for *_, prior in _CLASSES])
DISPUTED = RIGHT ^ (LOG_ODDS > 0)  # classes in which typical people give another answer than the program
SAME, LIKELIEST, OTHER = 0, 1, 2  # an answer: the program's, the likeliest other one, or a further one


@dataclass(frozen=True, eq=False)
class Units:
    """The units that a program has answered, with people's answers.

    `unit`, `annotator` and `label` (A,) describe people's answers, and `program` and `options` (U,) the program's label
    and the number of possible labels of each unit, at least 2. Labels are numbers from 0 whose meaning can differ
    between units. Units of one `stratum` (U,) have the same kind of answer, such as votes that are yes for the program.
    Units of one `question` (U,) were answered together. All numbers count from 0.
    """

    unit: Ints
    annotator: Ints
    label: Ints
    program: Ints
    options: Ints
    stratum: Ints
    question: Ints

    def __len__(self) -> int:
        return len(self.program)

    @property
    def n_annotators(self) -> int:
        return int(self.annotator.max(initial=-1)) + 1

    @property
    def same(self) -> Floats:
        """Return for each answer (A,) whether it equals the program's."""
        same: Floats = (self.label == self.program[self.unit]).astype(np.float64)
        return same


class HonestAnswers:
    """The fitted model. `evidence` (A, V, G) and `likelihood` (U, V, G) are logarithms for each answer and unit, each
    possible likeliest other answer and each class.
    """

    def __init__(self, units: Units) -> None:
        self.units = units
        slot, alternatives = _slots(units)
        self._relation = np.where(slot[:, None] == 0, SAME, np.where(slot[:, None] == _places(alternatives), 1, OTHER))
        with np.errstate(divide="ignore"):
            self._prior = np.log(alternatives / (units.options[:, None] - 1))[:, :, None]
        self._errors = _errors(units.options)
        self.ability: Floats = np.zeros(units.n_annotators)
        self.pooled: Floats = PRIOR
        self.shares: Floats = np.tile(PRIOR, (int(units.stratum.max(initial=0)) + 1, 1))

    @classmethod
    def fit(cls, units: Units) -> Self:
        """Estimate the shares of the classes and the annotators' abilities, alternately."""
        model = cls(units)
        for _ in range(FITS):
            model._add_up()
            likelihood, weights = _relative(model.likelihood).sum(axis=1), np.ones((1, len(units)))
            model.pooled, model.shares = (
                each[0] for each in model.fitted_shares(likelihood, weights, rounds=FIRST_ROUNDS)
            )
            model.ability = model._likeliest_abilities()
        return model

    def fitted_shares(self, likelihood: Floats, weights: Floats, rounds: int = ROUNDS) -> tuple[Floats, Floats]:
        """Return the shares of the classes for each row of the units' weights (E, U), from the likelihood (U, G). The
        shares (E, G) in all units are the prior of the shares (E, S, G) in each stratum.

        The estimation starts at the model's current shares.
        """
        pooled = _expected(likelihood, weights, self.pooled, PRIOR, PRIOR_UNITS, rounds)
        if len(self.shares) == 1:
            return pooled, pooled[:, None]
        shares = np.empty((len(weights), *self.shares.shape))
        for stratum, start in enumerate(self.shares):
            own = self.units.stratum == stratum
            shares[:, stratum] = _expected(likelihood[own], weights[:, own], start, pooled, STRATUM_UNITS, rounds)
        return pooled, shares

    def without(self, answers: Ints) -> Floats:
        """Return the relative likelihood (U, G) of the units without these answers of one annotator."""
        likelihood = self.likelihood.copy()
        likelihood[self.units.unit[answers]] -= self.evidence[answers]
        total: Floats = _relative(likelihood).sum(axis=1)
        return total

    def chances(self, unit: Ints, posterior: Floats, abilities: Floats) -> Floats:
        """Return the chances (n, T) that honest annotators with these abilities (T,) give the program's answer to the
        units (n,), from the posterior of the classes (n, G).
        """
        accuracy = _logistic(LOG_ODDS[:, None] + abilities)
        right, wrong = posterior * RIGHT, posterior * self._errors[unit, :, SAME] * ~RIGHT
        chances: Floats = np.clip(right @ accuracy + wrong @ (1 - accuracy), 1e-4, 1 - 1e-4)
        return chances

    def fitted_chances(self) -> Floats:
        """Return for each answer (A,) the chance of the program's answer, at the annotator's own ability."""
        units = self.units
        posterior = _relative(self.likelihood[units.unit] - self.evidence).sum(axis=1)
        posterior *= self.shares[units.stratum[units.unit]]
        posterior /= posterior.sum(axis=1, keepdims=True)
        accuracy = _logistic(LOG_ODDS + self.ability[units.annotator][:, None])
        chance = np.where(RIGHT, accuracy, (1 - accuracy) * self._errors[units.unit, :, SAME])
        total: Floats = (posterior * chance).sum(axis=1)
        return total

    def _add_up(self) -> None:
        units = self.units
        accuracy = _logistic(LOG_ODDS + self.ability[units.annotator][:, None])[:, None]
        true, error = self._answers_if()
        self.evidence = np.log(np.maximum(true * accuracy + error * (1 - accuracy), 1e-12))
        self.likelihood = np.repeat(self._prior, len(PRIOR), axis=2)
        np.add.at(self.likelihood, units.unit, self.evidence)

    def _answers_if(self) -> tuple[Floats, Floats]:
        """Return the chances (A, V, G) of each answer if the annotator finds the true answer, and after an error."""
        true = np.where(RIGHT, self._relation[..., None] == SAME, self._relation[..., None] == LIKELIEST)
        errors = self._errors[self.units.unit].transpose(0, 2, 1)
        error = np.take_along_axis(errors, np.repeat(self._relation[:, :, None], len(PRIOR), axis=2), axis=1)
        return true.astype(np.float64), error

    def _likeliest_abilities(self) -> Floats:
        units = self.units
        posterior = (
            np.exp(self.likelihood[units.unit] - self.evidence) * self.shares[units.stratum[units.unit]][:, None]
        )
        posterior /= posterior.sum(axis=(1, 2), keepdims=True)
        accuracy = _logistic(LOG_ODDS[:, None] + ABILITIES)
        true, error = (np.einsum("avg,avg->ag", posterior, each) for each in self._answers_if())
        logs = np.log(np.maximum(true @ accuracy + error @ (1 - accuracy), 1e-12))
        total = np.zeros((units.n_annotators, len(ABILITIES)))
        np.add.at(total, units.annotator, logs)
        likeliest: Floats = ABILITIES[(total - ABILITIES**2 / 2 / ABILITY_SD**2).argmax(axis=1)]
        return likeliest


def _slots(units: Units) -> tuple[Ints, Floats]:
    """Return each answer's slot, and the number of labels (U, V) that each slot stands for. An answer that equals the
    program's has slot 0, and any other answer has the number of its label among the unit's other labels. In the second
    array, slot 0 stands for labels that nobody gave.
    """
    same = units.same > 0
    pairs, number = np.unique(np.column_stack([units.unit[~same], units.label[~same]]), axis=0, return_inverse=True)
    first = np.searchsorted(pairs[:, 0], np.arange(len(units)))
    slot: Ints = np.zeros(len(units.unit), dtype=np.int64)
    slot[~same] = (np.arange(len(pairs)) - first[pairs[:, 0]] + 1)[number.ravel()]
    seen = np.bincount(pairs[:, 0], minlength=len(units))
    alternatives = (np.arange(seen.max(initial=0) + 1) <= seen[:, None]).astype(np.float64)
    alternatives[:, 0] = np.maximum(units.options - 1 - seen, 0)
    return slot, alternatives


def _places(alternatives: Floats) -> Ints:
    """Return the number of each slot. Slot 0 stands for labels that nobody gave, so it contains no answers."""
    places: Ints = np.arange(alternatives.shape[1])
    places[0] = -1
    return places


def _errors(options: Ints) -> Floats:
    """Return how errors are spread (U, G, 3) over the program's answer, the likeliest other one, and each further
    one.
    """
    wrong = options[:, None] - 1.0
    likeliest, further = LIKELY + (1 - LIKELY) / wrong, (1 - LIKELY) / wrong
    programs = np.where(wrong == 1, 1.0, likeliest)
    errors = np.zeros((len(options), len(PRIOR), 3))
    errors[:, :, SAME] = np.where(RIGHT, 0, programs)
    errors[:, :, LIKELIEST] = np.where(RIGHT, likeliest, 0)
    errors[:, :, OTHER] = np.where(RIGHT, further, (1 - programs) / np.maximum(wrong - 1, 1))
    return errors


def _expected(
    likelihood: Floats, weights: Floats, start: Floats, prior: Floats, strength: float, rounds: int
) -> Floats:
    """Return the shares (E, G) after rounds of expectation maximisation with a prior (G,) or (E, G)."""
    shares = np.tile(start, (len(weights), 1))
    for _ in range(rounds):
        total = np.maximum(likelihood @ shares.T, 1e-300)
        shares = shares * ((weights / total.T) @ likelihood) + strength * prior
        shares = shares / shares.sum(axis=1, keepdims=True)
    return shares


def _relative(logs: Floats) -> Floats:
    """Return likelihoods (n, V, G) from logarithms, as multiples of the largest one of each unit."""
    result: Floats = np.exp(logs - logs.max(axis=(1, 2), keepdims=True))
    return result


def _logistic(values: Floats) -> Floats:
    result: Floats = 1 / (1 + np.exp(-values))
    return result
