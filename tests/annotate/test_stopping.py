"""Tests of the probability of being stopped, compared with simulation and with results by hand."""

from itertools import product

import numpy as np
import pytest

from annotate.numerics.stopping import stop_chance


def enumerated(accuracy: float, minimum: int, threshold: float, answers: int) -> float:
    """Sum the probabilities of all sequences of correct and incorrect answers."""
    stopped = 0.0
    for sequence in product((0, 1), repeat=answers):
        shares = np.cumsum(sequence) / np.arange(1, answers + 1)
        if (shares[minimum - 1 :] < threshold).any():
            right = sum(sequence)
            stopped += accuracy**right * (1 - accuracy) ** (answers - right)
    return stopped


@pytest.mark.parametrize("accuracy", [0.0, 0.5, 0.8, 0.9, 1.0])
@pytest.mark.parametrize(("minimum", "answers"), [(1, 8), (5, 12), (10, 13), (12, 10)])
def test_equals_enumeration(accuracy: float, minimum: int, answers: int) -> None:
    chance = stop_chance(accuracy, minimum=minimum, threshold=0.7, answers=answers)
    assert chance == pytest.approx(enumerated(accuracy, minimum, 0.7, answers), abs=1e-12)


def test_a_late_minimum_spares_good_annotators() -> None:
    early = stop_chance(0.9, minimum=5, threshold=0.7, answers=50)
    late = stop_chance(0.9, minimum=10, threshold=0.7, answers=50)
    assert early == pytest.approx(0.13, abs=0.02)
    assert late < early / 2


@pytest.mark.parametrize(
    "arguments", [{"accuracy": 1.2}, {"accuracy": 0.5, "minimum": 0}, {"accuracy": 0.5, "threshold": -1}]
)
def test_impossible_settings_are_refused(arguments: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"between 0 and 1|answer"):
        stop_chance(**{"minimum": 5, "threshold": 0.7, "answers": 10, **arguments})
