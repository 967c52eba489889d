"""Simulated collections of best–worst judgements, for the interval of the largest standard error.

Each tuple is judged twice, and 10% of the annotators are careless. The true value comes from random opponents of each
item, with the probability of each choice.
"""

from __future__ import annotations

import numpy as np

from accord_core.bws.numerics.design import best_worst_design
from accord_core.bws.numerics.largest_error import largest_standard_error
from accord_core.bws.numerics.scoring import Floats
from accord_core.bws.numerics.simulation import simulate_judgements
from bench._interval_simulations import Draw, Figure, Simulation

SPREAD, CARELESS, ANNOTATORS, SIZE, TUPLES_PER_ITEM = 1.5, 0.1, 20, 4, 8
OPPONENTS = 2_000


def true_variances(utility: Floats, careless: float) -> tuple[Floats, Floats]:
    """Return the variance of a choice of each item (N,) within a tuple and between tuples with random opponents."""
    draw = np.random.default_rng(11)
    within, between = np.empty((2, len(utility)))
    for item, own in enumerate(utility):
        others = np.delete(utility, item)[draw.integers(len(utility) - 1, size=(OPPONENTS, SIZE - 1))]
        shown = np.column_stack([np.full(OPPONENTS, own), others])
        odds = np.exp(shown[:, :, None] - shown[:, None, :])
        odds[:, np.arange(SIZE), np.arange(SIZE)] = 0
        chances = odds / odds.sum(axis=(1, 2), keepdims=True)
        best, worst = (
            (1 - careless) * each + careless / SIZE for each in (chances.sum(axis=2)[:, 0], chances.sum(axis=1)[:, 0])
        )
        within[item] = (best + worst - (best - worst) ** 2).mean()
        between[item] = (best - worst).var()
    return within, between


def largest_error(draw: Draw, items: int) -> dict[str, Figure]:
    utility = np.random.default_rng(7).normal(0, SPREAD, items)
    within, between = true_variances(utility, CARELESS)
    true = np.sqrt(((within / 2 + between) / TUPLES_PER_ITEM).max())
    seed = int(draw.integers(2**31))
    judgements = simulate_judgements(
        best_worst_design(items, seed=seed), utility, annotators=ANNOTATORS, careless=CARELESS, seed=seed
    )
    found = largest_standard_error(judgements)
    assert found is not None
    return {"largest standard error": (found.value, found.low, found.high, float(true))}


SIMULATIONS = (Simulation("report of best–worst scaling", "items", largest_error, (50, 200)),)
