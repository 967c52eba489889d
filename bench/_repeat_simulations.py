"""Simulated repeated questions, for the intervals of the agreement of annotators with themselves."""

from __future__ import annotations

from functools import partial

import numpy as np

from accord_core.numerics.group_agreement import f1_of_sums, kappa_of_sums, shares_of_sums
from accord_core.numerics.repeated_answers import agreement_of_repeats, share_of_repeats
from bench._interval_simulations import Draw, Figure, Simulation

REPORT = "report, repeated questions"
QUESTIONS = 10  # per annotator, on average
LINKS = 12


def same_answers(draw: Draw, annotators: int, *, fixed: bool = False) -> dict[str, Figure]:
    """Annotators give the same answer again to 60%, 85% or 95% of their questions on average. Their shares have a beta
    distribution with an intraclass correlation of .05.

    If `fixed` is true, all collections have the same annotators with the same numbers of questions, as the intervals
    over questions assume.
    """
    figures: dict[str, Figure] = {}
    for mean in (0.6, 0.85, 0.95):
        people = np.random.default_rng(annotators) if fixed else draw
        number = np.repeat(np.arange(annotators), 1 + people.poisson(QUESTIONS - 1, size=annotators))
        chance = people.beta(19 * mean, 19 * (1 - mean), size=annotators)[number]
        share = share_of_repeats((draw.random(len(number)) < chance).astype(np.int64), number)
        true = float(chance.mean()) if fixed else mean
        figures[f"a share of {mean:.0%}, over {share.over}"] = (share.value, share.low, share.high, true)
    return figures


def counted_answers(draw: Draw, annotators: int) -> dict[str, Figure]:
    """The figures of the task types, from annotators whose care has a beta distribution."""
    number = np.repeat(np.arange(annotators), 1 + draw.poisson(QUESTIONS - 1, size=annotators))
    care = draw.beta(12, 3, size=annotators)[number]
    same = draw.random(len(number)) < care
    first = draw.random((len(number), 6)) < 0.4
    again = np.where(draw.random(first.shape) < care[:, None], first, draw.random(first.shape) < 0.4)
    votes = np.stack([first & again, first & ~again, ~first & again, ~first & ~again], axis=-1).sum(axis=1)
    kept = draw.binomial(LINKS, care)
    links = np.stack([kept, np.full(len(kept), LINKS), kept, np.full(len(kept), LINKS)], axis=1)
    choices = np.stack([same, np.ones(len(same))], axis=1)
    rows = (
        ("choice", choices, shares_of_sums, 0),
        ("votes", votes, kappa_of_sums, 0),
        ("κ of votes", votes, kappa_of_sums, 1),
        ("F1 of links", links, f1_of_sums, 0),
    )
    figures: dict[str, Figure] = {}
    for name, counts, estimate, place in rows:
        figure = agreement_of_repeats(counts.astype(float), number, estimate, seed=1)[place]
        figures[name] = (figure.value, figure.low, figure.high)
    return figures


SIMULATIONS = (
    Simulation(REPORT, "annotators", partial(same_answers, fixed=True), (2, 4), 2.0),
    Simulation(REPORT, "annotators", same_answers, (5, 10, 30), 2.0),
    Simulation(REPORT, "annotators", counted_answers, (5, 10, 30), 2.0),
)
