"""A random draw of the questions for people, for studies in which a program answers every question."""

from __future__ import annotations

import numpy as np

from accord_core.numerics.labels import Bools, Floats

ROUNDS = 100


def draw_probabilities(uncertainty: Floats, share: float, even: float) -> Floats:
    """Return the probability (U,) with which each question is drawn, with the mean `share`.

    A share `even` of the draw is even, and the remaining part is proportional to the program's `uncertainty` (U,)
    (active inference: Zrnic and Candès 2024). No probability is below even·share, so an interval is at most
    √(1/even) times as wide as after an even draw. Probabilities that would exceed 1 are 1, and the others grow. Raises
    ValueError for a negative uncertainty, and for shares outside 0 to 1.
    """
    if not (0 < share <= 1 and 0 < even <= 1):
        raise ValueError(f"Both shares must be above 0 and at most 1, not {share:g} and {even:g}.")
    if not (np.isfinite(uncertainty).all() and (uncertainty >= 0).all()):
        raise ValueError("The uncertainty must be a number of at least 0.")
    total = uncertainty.mean()
    relative = even + (1 - even) * (uncertainty / total if total > 0 else np.ones(len(uncertainty)))
    low, high = 1.0, 1 / (share * even)
    for _ in range(ROUNDS):
        middle = (low + high) / 2
        low, high = (middle, high) if np.minimum(1, share * middle * relative).mean() < share else (low, middle)
    probabilities: Floats = np.minimum(1, share * high * relative)
    return probabilities


def drawn_questions(probability: Floats, uniform: Floats) -> Bools:
    """Return which questions (U,) are drawn. The number of drawn questions is the sum of the probabilities, rounded.

    `uniform` (U,) contains a random number in [0, 1) for each question. The questions with the smallest ratio of this
    number to their probability are drawn (sequential Poisson sampling: Ohlsson 1998). With equal probabilities, this is
    a simple random sample.
    """
    order = np.where(probability >= 1, -1.0, uniform / probability)
    drawn = np.zeros(len(probability), dtype=np.bool_)
    drawn[np.argsort(order, kind="stable")[: round(float(probability.sum()))]] = True
    return drawn
