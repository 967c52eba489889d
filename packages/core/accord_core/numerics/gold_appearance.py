"""Features by which gold questions differ from other questions before anyone answers them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

LEVEL = 0.01  # probability of a false alarm about any feature of a study
LEAST = 0.2  # smaller distances do not help to recognise gold questions

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Difference:
    """A feature with its mean and its 5% and 95% quantiles in gold questions and in other questions. The AUC is the
    probability that a gold question has a higher value than another question. Ties count half.
    """

    feature: str
    gold: tuple[float, float, float]
    others: tuple[float, float, float]
    auc: float


def differences(gold: Mapping[str, Sequence[float]], others: Mapping[str, Sequence[float]]) -> list[Difference]:
    """Return the features whose distributions differ, by the two-sample Kolmogorov–Smirnov test with a Bonferroni
    correction. Features that are missing in one of the arguments are ignored.

    The distance can also find gold questions that vary less than the others, which have an AUC of .5. With few gold
    questions or tied values, the test has fewer false alarms than its level.
    """
    shared = [name for name in gold if name in others and len(gold[name]) and len(others[name])]
    differing = []
    for name in shared:
        own, rest = np.sort(np.asarray(gold[name], float)), np.sort(np.asarray(others[name], float))
        critical = math.sqrt(math.log(2 * len(shared) / LEVEL) / 2 * (1 / len(own) + 1 / len(rest)))
        if distance(own, rest) >= max(critical, LEAST):
            differing.append(Difference(name, _described(own), _described(rest), auc(own, rest)))
    return differing


def distance(gold: Values, others: Values) -> float:
    """Return the largest difference between the two empirical distribution functions. Both arrays must be sorted."""
    values = np.concatenate([gold, others])
    below = [np.searchsorted(each, values, side="right") / len(each) for each in (gold, others)]
    return float(np.max(np.abs(below[0] - below[1])))


def auc(gold: Values, others: Values) -> float:
    """Return the probability that a value in `gold` is higher than one in `others`. Ties count half. `others` must be
    sorted.
    """
    lower = np.searchsorted(others, gold, side="left") + np.searchsorted(others, gold, side="right")
    return float(lower.mean() / 2 / len(others))


def _described(values: Values) -> tuple[float, float, float]:
    low, high = np.quantile(values, [0.05, 0.95], method="inverted_cdf")
    return float(values.mean()), float(low), float(high)
