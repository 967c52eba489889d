"""A test of whether an annotator gives a program's answers more often than expected from the annotator's ability, the
difficulty of the questions, the likeliest wrong answers and the other annotators' answers.

The result is evidence, not proof. Annotators who honestly read texts as the program does give the same answers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord_core.numerics.copying_model import DISPUTED, PRIOR, PRIOR_UNITS, HonestAnswers, Units
from accord_core.numerics.draws import generator
from accord_core.numerics.labels import Floats, Ints

LEVEL = 0.01
FEWEST_ERRORS = 8  # with fewer, one or two equal errors decide, and false alarms are more frequent
FEWEST_OTHERS = 200  # answers from other people; with fewer, false alarms are more frequent
ABILITIES = np.linspace(-3, 3, 13)  # relative to the other annotators, on the scale of log odds
ABILITY_SD = 1.5
SHARES = np.linspace(0, 1, 11)
FINE_SHARES = np.linspace(0, 1, 41)
FITS = 10  # estimates of the model from resampled questions
MOST_DRAWS, DRAWS, ENOUGH = 1_000, 100, 20  # simulated annotators, in batches, until so many are as unusual
NOT_SIMULATED = 0.5  # the p-value of small gains, which are reached in at least 15% of cases
CHANCE = 0.8  # with which the smallest noticeable share is noticed
DROP = 1.920729  # half of the 95% quantile of χ² with one degree of freedom
SMALL_GAIN, UNUSUAL_GAIN = 0.5, 2.705947  # in log likelihood; half of the 68% and of the 98% quantile of χ²


@dataclass(frozen=True)
class CopyingTest:
    """One annotator's answers, compared with the program's.

    `share` is the estimated share of copied answers, with a 95% interval. `p` is the probability that an annotator who
    copies nothing has such a high share. `program_errors` is the expected number of the program's errors among the
    `units` that others have answered as well. `noticeable` is the smallest share that would be noticed with a
    probability of 80%, or None if not even an annotator who copies every answer would be noticed.
    """

    units: int
    same: int
    expected_same: float
    program_errors: float
    share: float
    low: float
    high: float
    p: float
    noticeable: float | None

    @property
    def unusual(self) -> bool:
        return self.p <= LEVEL and self.program_errors >= FEWEST_ERRORS

    @property
    def can_tell(self) -> bool:
        """Return whether copying would be noticed."""
        return self.unusual or (self.program_errors >= FEWEST_ERRORS and self.noticeable is not None)


def copying_tests(units: Units, *, seed: int, power: bool = True) -> Iterator[CopyingTest | None]:
    """Yield each annotator's test, in order. It is None for annotators who share no unit with the program and another
    person, or if the other annotators have given fewer than 200 answers. Without `power`, the smallest noticeable
    share, which takes most of the time, is not calculated.
    """
    model = HonestAnswers.fit(units)
    dispersion = _dispersions(model)
    others = np.bincount(units.unit, minlength=len(units))[units.unit] > 1
    for annotator in range(units.n_annotators):
        answers = np.flatnonzero((units.annotator == annotator) & others)
        draw = generator(seed, "copying", annotator)
        enough = len(answers) and (units.annotator != annotator).sum() >= FEWEST_OTHERS
        yield _Annotator(model, answers, dispersion[annotator], draw).test(power) if enough else None


class _Annotator:
    """The log likelihood of one annotator's answers for each fit of the model, ability and share of copies."""

    def __init__(self, model: HonestAnswers, answers: Ints, dispersion: float, draw: np.random.Generator) -> None:
        self._draw, self._dispersion = draw, dispersion
        self._same = model.units.same[answers]
        unit = model.units.unit[answers]
        likelihood = model.without(answers)
        _, shares = model.fitted_shares(likelihood, _resampled(model.units, draw))
        each = shares[:, model.units.stratum]
        mixture = np.log((likelihood * each).sum(axis=2)).sum(axis=1)
        fits = mixture + PRIOR_UNITS * (np.log(np.maximum(shares, 1e-300)).mean(axis=1) @ PRIOR)
        posterior = likelihood[unit] * each[:, unit]
        posterior /= posterior.sum(axis=2, keepdims=True)
        self._wrong = float(posterior[0][:, DISPUTED].sum())
        self._honest = np.stack([model.chances(unit, fit, ABILITIES) for fit in posterior], axis=1)
        self._penalty = (fits - fits[0])[:, None] - ABILITIES**2 / 2 / ABILITY_SD**2

    def test(self, power: bool) -> CopyingTest:
        profile = self._profile(self._same[None], FINE_SHARES)[0]
        fit, ability = self._likeliest_honest()
        honest = self._honest[:, fit, ability]
        low, high = _range(profile - profile.max() + DROP * self._dispersion)
        return CopyingTest(
            units=len(self._same),
            same=int(self._same.sum()),
            expected_same=float(honest.sum()),
            program_errors=self._wrong,
            share=float(FINE_SHARES[profile.argmax()]),
            low=low,
            high=high,
            p=self._p_value(honest),
            noticeable=self._noticeable(honest) if power else None,
        )

    def _p_value(self, honest: Floats) -> float:
        """Return the share of simulated honest annotators whose gain is at least as large (Besag and Clifford 1991)."""
        gain = self._gains(self._same[None])[0] / self._dispersion
        if gain < SMALL_GAIN:
            return NOT_SIMULATED
        larger = simulated = 0
        while simulated < MOST_DRAWS and larger < ENOUGH:
            larger += int((self._gains(self._draws(honest)) >= gain * (1 - 1e-6)).sum())
            simulated += DRAWS
        return (larger + 1) / (simulated + 1)

    def _noticeable(self, honest: Floats) -> float | None:
        """Return the smallest share of copies that is unusual in at least 80% of simulated annotators."""

        def is_noticed(share: float) -> bool:
            chance = honest * (1 - share) + share
            gains = self._gains(self._draws(chance)) / self._dispersion
            return bool((gains >= UNUSUAL_GAIN).mean() >= CHANCE)

        shares = SHARES[1:]
        if not is_noticed(shares[-1]):
            return None
        return float(shares[bisect_left(shares[:-1], True, key=is_noticed)])

    def _draws(self, chance: Floats) -> Floats:
        """Return rows of simulated answers (R, n), 1 where they equal the program's."""
        return (self._draw.random((DRAWS, len(chance))) < chance).astype(np.float64)

    def _likeliest_honest(self) -> tuple[int, int]:
        total = np.log(self._honest).transpose(1, 2, 0) @ self._same
        total += np.log1p(-self._honest).transpose(1, 2, 0) @ (1 - self._same) + self._penalty
        fit, ability = np.unravel_index(total.argmax(), total.shape)
        return int(fit), int(ability)

    def _gains(self, same: Floats) -> Floats:
        profile = self._profile(same, SHARES)
        gains: Floats = profile.max(axis=1) - profile[:, 0]
        return gains

    def _profile(self, same: Floats, shares: Floats) -> Floats:
        """Return the log likelihoods (R, C) of rows of answers (R, n) for each share of copies, at the likeliest fit
        and ability.
        """
        gain, base = self._table if shares is SHARES else self._logs(shares)
        total = (same.astype(np.float32) @ gain).astype(np.float64) + base
        profile: Floats = total.reshape(len(same), self._penalty.size, len(shares)).max(axis=1)
        return profile

    @cached_property
    def _table(self) -> tuple[Floats, Floats]:
        return self._logs(SHARES)

    def _logs(self, shares: Floats) -> tuple[Floats, Floats]:
        """Return what each answer equal to the program's adds (n, F · T · C), in single precision because a large study
        has many units, and the log likelihood of answers that all differ from the program's.
        """
        columns = self._penalty.size * len(shares)
        gain = np.empty((len(self._honest), columns), dtype=np.float32)
        base = np.repeat(self._penalty.ravel(), len(shares))
        for start in range(0, len(self._honest), 1_000):
            chance = self._honest[start : start + 1_000, :, :, None] * (1 - shares) + shares
            other = np.log(np.maximum(1 - chance, 1e-12))
            gain[start : start + 1_000] = (np.log(chance) - other).reshape(-1, columns)
            base += other.sum(axis=0).ravel()
        return gain, base


def _range(heights: Floats) -> tuple[float, float]:
    """Return the range of the shares with heights (C,) of at least 0, with ends interpolated linearly."""
    inside = np.flatnonzero(heights >= 0)
    first, last = inside[0], inside[-1]
    low = np.interp(0, heights[first - 1 : first + 1], FINE_SHARES[first - 1 : first + 1]) if first else 0.0
    ends = [last + 1, last]
    high = np.interp(0, heights[ends], FINE_SHARES[ends]) if last < len(heights) - 1 else 1.0
    return float(low), float(high)


def _resampled(units: Units, draw: np.random.Generator) -> Floats:
    """Return weights (FITS + 1, U) of the units: 1 in the first row, and from resampled questions in the others."""
    questions = int(units.question.max()) + 1
    counts = draw.multinomial(questions, np.full(questions, 1 / questions), size=FITS)
    return np.concatenate([np.ones((1, len(units))), counts[:, units.question].astype(np.float64)])


def _dispersions(model: HonestAnswers) -> Floats:
    """Return the overdispersion (at least 1) of the other annotators' agreement with the program, for each annotator:
    the variance between questions, divided by the variance for independent units (McCullagh and Nelder 1989, §4.5).
    """
    units = model.units
    chance = model.fitted_chances()
    pairs, pair = np.unique(np.column_stack([units.annotator, units.question[units.unit]]), axis=0, return_inverse=True)
    residual = np.bincount(pair.ravel(), weights=units.same - chance)
    observed = np.bincount(pairs[:, 0], weights=residual**2, minlength=units.n_annotators)
    expected = np.bincount(units.annotator, weights=chance * (1 - chance), minlength=units.n_annotators)
    others = (observed.sum() - observed) / np.maximum(expected.sum() - expected, 1e-9)
    return np.maximum(others, 1.0) if len(pairs) < len(units.unit) else np.ones(units.n_annotators)
