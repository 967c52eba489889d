"""Simulated collections of best–worst judgements, for the intervals of reliability, noise ceilings and annotators.

All items have normal utilities with a standard deviation of 1.5, and each tuple is judged twice. Each annotator answers
at random with a probability of 20%. The true reliability is the mean over collections that differ in the units to which
the interval generalises.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from accord_core.bws.numerics.annotator_reliability import annotator_reliabilities, held_out_check
from accord_core.bws.numerics.ceiling import noise_ceiling
from accord_core.bws.numerics.design import best_worst_design
from accord_core.bws.numerics.model_reliability import maxdiff_reliability
from accord_core.bws.numerics.reliability import split_half_reliability
from accord_core.bws.numerics.reliability_intervals import Method, Over, reliability_intervals
from accord_core.bws.numerics.scoring import Judgements
from accord_core.bws.numerics.simulation import judge, simulate_judgements
from bench._interval_simulations import Draw, Figure, Simulation

SPREAD, CARELESS = 1.5, 0.2
TRUE = 0.7856  # Spearman's correlation of two normal variables with Pearson's correlation .8
OWN = (0.5, 0.8, 0.95)  # shares of judgements of three annotators that follow MaxDiff


def collection(draw: Draw, tuples: int, over: Over, annotators: int) -> Judgements:
    items, seed = tuples // 2, int(draw.integers(2**31))
    truth = np.random.default_rng(7).normal(0, SPREAD, items)
    design = best_worst_design(items, seed=1 if over == "annotators" else seed)
    careless = CARELESS if over == "tuples" else draw.binomial(annotators, CARELESS) / annotators
    return simulate_judgements(design, truth, annotators=annotators, careless=careless, seed=seed)


def reliability(over: Over, annotators: int, method: Method) -> Callable[[Draw, int], dict[str, Figure]]:
    def simulate(draw: Draw, tuples: int) -> dict[str, Figure]:
        judgements = collection(draw, tuples, over, annotators)
        if method == "maxdiff":
            halves = maxdiff_reliability(judgements, splits=20, unit="tuples")
        else:
            halves = split_half_reliability(judgements, splits=100, unit="tuples")
        splits = 10 if method == "maxdiff" else 25
        found = reliability_intervals(judgements, halves, over=over, method=method, splits=splits).spearman
        name = "MaxDiff" if method == "maxdiff" else "counting"
        return {f"{name}, for other {over}, {annotators} annotators": (halves.spearman_mean, found.low, found.high)}

    return simulate


def ceiling(draw: Draw, tuples: int) -> dict[str, Figure]:
    """The true correlation of the system is known, and the other true values are means over collections."""
    items, seed = tuples // 2, int(draw.integers(2**31))
    truth = draw.normal(0, SPREAD, items)
    system = 0.8 * truth + 0.6 * draw.normal(0, SPREAD, items)
    judgements = simulate_judgements(best_worst_design(items, seed=seed), truth, annotators=30, seed=seed)
    figures = noise_ceiling(judgements, system, splits=20, seed=1).figures
    found: dict[str, Figure] = {name: (each["value"], each["low"], each["high"]) for name, each in figures.items()}
    return found | {"corrected": (*found["corrected"][:3], TRUE)}


def annotators(number: int) -> Callable[[Draw, int], dict[str, Figure]]:
    """Return a simulation in which three annotators follow MaxDiff in known shares of their judgements, and the others
    in all judgements.
    """

    def simulate(draw: Draw, tuples: int) -> dict[str, Figure]:
        judgements = collection(draw, tuples, "tuples", number)
        assert judgements.annotator is not None
        shares = np.ones(number)
        shares[: len(OWN)] = OWN
        truth = np.random.default_rng(7).normal(0, SPREAD, judgements.n_items)
        random = draw.random(len(judgements)) >= shares[judgements.annotator]
        best, worst = judge(judgements.items, truth, random, draw)
        judgements = replace(judgements, best=best, worst=worst)
        found = annotator_reliabilities(judgements)
        figures: dict[str, Figure] = {
            f"reliability {share:.2f}, {number} annotators": (found.reliability[n], found.low[n], found.high[n], share)
            for n, share in enumerate(OWN)
        }
        check = held_out_check(judgements)
        gain = f"gain in held-out likelihood, {number} annotators"
        return figures | {gain: (check.difference, check.low, check.high)}

    return simulate


SIMULATIONS = (
    *(
        Simulation("bws reliability", "tuples", reliability(over, number, "counting"), (400,), share)
        for over, number, share in (
            ("tuples", 20, 0.5),
            ("annotators", 20, 1.0),
            ("annotators", 40, 1.0),
            ("both", 20, 1.0),
            ("both", 40, 0.5),
        )
    ),
    *(
        Simulation("bws reliability", "tuples", reliability(over, 20, "maxdiff"), (400,), 0.5)
        for over in ("tuples", "annotators", "both")
    ),
    Simulation("evaluate ceiling", "tuples", ceiling, (400,), 0.5),
    *(Simulation("bws score --annotators", "tuples", annotators(number), (400,), 0.5) for number in (8, 20)),
)
