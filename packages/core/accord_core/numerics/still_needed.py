"""The number of judgements that a study still needs to reach a target, predicted from the figures so far.

A figure is converted to its noise, which is inversely proportional to the number of judgements: (1 − r)/r for a
reliability r (Spearman 1910; Brown 1910), and the square of a standard error or of the width of an interval.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from .intervals import Z_95

Kind = Literal["reliability", "width", "error"]

# A study that stops when the estimate crosses the target stops too early in about half of all cases. For this reason,
# Accord stops only if the target is within the one-sided 80% limit of the figure. `bench/stopping.py` measures the
# result.
CAREFUL = 0.8416
ROUNDS = 100  # of the fixed-point iteration, which converges in fewer than 20 rounds
KURTOSIS = 5.0
# √(.025 · .975)/φ(1.96) is the error of one percentile in standard deviations times √R. Two such errors are divided by
# the width of 3.92 standard deviations.
PERCENTILE_ERROR = math.sqrt(2 * 0.025 * 0.975) / 0.05845 / (2 * Z_95)
FEWEST_UNITS = 10  # with fewer units, an interval can be far too narrow, for example 0 if all units agree
NEVER = 1e12  # a number of judgements that no study reaches


@dataclass(frozen=True)
class Attained:
    """A figure of a study that more judgements improve, with the ends of its 95% interval.

    `low` and `high` describe the uncertainty if the same annotators continue. The noise of the figure is inversely
    proportional to `size`, which grows by 1 with each further judgement. `floor` is the part of a standard error that
    further judgements of the same questions do not reduce.
    """

    figure: str
    kind: Kind
    value: float
    low: float
    high: float
    size: int
    floor: float = 0.0

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Attained:
        return cls(**stored)

    @property
    def noise(self) -> float:
        return noise_of(self.value, self.kind)

    @property
    def constant_noise(self) -> float:
        """The part of the noise that does not depend on the size."""
        return noise_of(self.floor, self.kind) if self.floor else 0.0

    @property
    def error(self) -> float:
        """The standard error of the log noise, estimated from the less favourable half of the interval.

        It is 0 if the less favourable bound lies on the wrong side of the figure, which can happen with percentile
        intervals.
        """
        worse = noise_of(self.low if self.kind == "reliability" else self.high, self.kind)
        if not 0 < self.noise < math.inf:
            return 0.0 if self.noise == 0 and worse == 0 else math.inf
        return max(0.0, math.log(worse / self.noise) / Z_95) if 0 < worse < math.inf else worse

    @property
    def careful_value(self) -> float:
        """The less favourable end of the one-sided 80% interval, which must reach the target."""
        if self.noise == 0 and self.error == 0:
            return self.value
        return value_of(self.noise * math.exp(min(CAREFUL * self.error, 700)), self.kind)


@dataclass(frozen=True)
class StillNeeded:
    """The number of judgements that are still needed until the careful value of a figure reaches the target, with the
    ends of its 95% interval. None means that the number cannot be predicted yet.

    All three numbers are 0 if the target is reached.
    """

    judgements: int | None
    low: int | None
    high: int | None

    @property
    def reached(self) -> bool:
        return self.judgements == 0


def still_needed(attained: Attained, target: float, *, z: float = Z_95) -> StillNeeded:
    """Return how many more judgements the study needs until the careful value of the figure reaches the `target`, if
    the same annotators continue. `z` is the normal quantile of the interval, by default for 95%.

    Raises ValueError for a reliability that is not between 0 and 1, and for a width that is not positive.
    """
    refuse_impossible(target, attained.kind)
    goal = noise_of(target, attained.kind)
    noise, error, size, constant = attained.noise, attained.error, attained.size, attained.constant_noise
    if noise == 0 and error == 0:
        return StillNeeded(0, 0, 0)
    if not size or not math.isfinite(noise) or not math.isfinite(error):
        return StillNeeded(None, None, None)
    total = _size_at(noise, constant, error, size, goal)
    if total <= size * (1 + 1e-9):
        return StillNeeded(0, 0, 0)
    # The later figure includes the judgements so far, so the prediction is uncertain only because of the remaining
    # judgements.
    spread = z * error * math.sqrt(1 - size / total)
    factors = (math.exp(sign * spread) for sign in (-1, 1))
    low, high = (_size_at(noise * factor, constant * factor, error, size, goal) for factor in factors)
    needed, fewest, most = (max(1, math.ceil(min(each, NEVER) - size - 1e-6)) for each in (total, low, high))
    return StillNeeded(needed, fewest, most)


def value_at(attained: Attained, size: int) -> float:
    """Return the predicted figure after `size` judgements, or the figure itself without judgements."""
    if size <= 0:
        return attained.value
    constant = attained.constant_noise
    return value_of(constant + (attained.noise - constant) * attained.size / size, attained.kind)


def mean_of_annotators(
    figure: str, agreement: tuple[float, float, float], *, judgements: int, questions: int
) -> Attained:
    """Return the reliability of the mean of k annotators per question, which follows from the chance-corrected
    `agreement` α of single annotators (its value, low and high): kα/(1 + (k − 1)α) (Spearman–Brown).

    k is the number of `judgements` divided by the number of `questions`.
    """
    k = judgements / max(1, questions)
    value, low, high = (
        k * each / (1 + (k - 1) * each) if each > 0 else 0.0 for each in (min(end, 1.0) for end in agreement)
    )
    return Attained(figure, "reliability", value, low, high, judgements)


def width_attained(figure: str, low: float, high: float, units: int, size: int, resamples: int) -> Attained:
    """Return the width of a 95% interval as an `Attained` figure, from which `still_needed` predicts the judgements.

    The interval comes from `resamples` bootstrap resamples of `units` units.

    The relative error of a standard deviation from n units is √((κ − 1)/(4n)), with a kurtosis κ of 3 for normal data.
    Sentence pairs on which annotators disagree strongly give higher kurtoses, so κ = 5 is assumed. Two percentiles of R
    resamples add an error of .96/√R.
    """
    width = high - low
    error = math.sqrt((KURTOSIS - 1) / (4 * max(1, units - 1)) + PERCENTILE_ERROR**2 / resamples)
    factor = math.exp(Z_95 * error)
    return Attained(figure, "width", width, width / factor, width * factor, size)


def noise_of(value: float, kind: Kind) -> float:
    """Return the noise of a figure, which is infinite for a reliability of 0 or less."""
    if kind != "reliability":
        return value**2
    return (1 - value) / value if value > 0 else math.inf


def value_of(noise: float, kind: Kind) -> float:
    """Reverse `noise_of`."""
    return 1 / (1 + noise) if kind == "reliability" else math.sqrt(noise)


def refuse_impossible(target: float, kind: Kind) -> None:
    """Raise ValueError for a target that no study can have."""
    if kind == "reliability" and not 0 < target < 1:
        raise ValueError(f"The target must be between 0 and 1, not {target}.")
    if kind != "reliability" and not target > 0:
        raise ValueError(f"The target must be greater than 0, not {target}.")


def _size_at(noise: float, constant: float, error: float, size: int, goal: float) -> float:
    """Return the size at which noise · exp(CAREFUL · error) falls to `goal`, or `NEVER`. The noise without its
    `constant` part and the square of the error are inversely proportional to the size.
    """
    falling = noise - constant
    if noise <= 0:
        return 0.0
    if falling <= 0 or goal <= constant:  # further judgements do not help
        return size if noise * math.exp(min(CAREFUL * error, 50)) <= goal else NEVER
    total = size * falling / (goal - constant)
    for _ in range(ROUNDS):
        reduced = goal * math.exp(-min(CAREFUL * error * math.sqrt(size / total), 50)) - constant
        total = size * falling / reduced if reduced > 0 else NEVER
        if not 0 < total < NEVER:
            return NEVER
    return total
