"""Simulated studies in which a program answers all questions and people answer a random part (see `assisted`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import asin, pi
from typing import NamedTuple

import numpy as np

from accord_core.numerics import assisted
from accord_core.numerics.assisted import AssistedFigure, Drawn, Judgements
from accord_core.numerics.assisted_labels import (
    agreement_counts,
    agreement_figures,
    plain_means,
    rarer_agreement,
    rarer_shares,
    shares,
)
from accord_core.numerics.assisted_ranks import Rank, assisted_ranks
from bench._interval_simulations import Draw, Figure, Simulation

RELIABILITY = 0.8  # of a judged unit
PEOPLE_ALONE = 0.2  # the share of the pool that people alone would judge
PROGRAMS: Mapping[str, float] = {"adversarial": -0.8, "useless": 0.0, ".6": 0.6, ".8": 0.8, "perfect": 1.0}
"""Correlations of programs with the true scores."""
ACCURACIES: Mapping[str, float] = {"adversarial": 0.2, "useless": 0.5, ".75": 0.75, ".9": 0.9, "perfect": 1.0}
"""Shares of questions with two labels on which programs are right."""
SHARE, RIGHT = 0.4, 0.8  # the share of the first label, and of a system's correct labels
ANNOTATORS, EACH = 8, 2
EVEN = 0.5  # the share of a draw by uncertainty that is even
SYSTEMS = (0.9, 0.8, 0.7, 0.5)  # correlations of four ranked systems with the true scores
CELLS = 6  # possible links of a sentence pair


class Assisted(NamedTuple):
    """A simulated figure with its true value, for a number of judged questions out of a pool."""

    name: str
    draw: Callable[[Draw, int, int], tuple[AssistedFigure, float]]


def drawn(draw: Draw, judged: int, pool: int) -> Drawn:
    return Drawn(draw.permutation(pool)[:judged], np.ones(judged), pool)


def scores(draw: Draw, pool: int, correlation: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the true scores, people's scores with the reliability above, and the program's scores."""
    true = draw.normal(size=pool)
    people = true + draw.normal(size=pool) * (1 / RELIABILITY - 1) ** 0.5
    return true, people, correlation * true + (1 - correlation**2) ** 0.5 * draw.normal(size=pool)


def mean(correlation: float, draw: Draw, judged: int, pool: int) -> tuple[AssistedFigure, float]:
    _, people, program = scores(draw, pool, correlation)
    part = drawn(draw, judged, pool)
    (figure,) = assisted.assisted_figures(people[part.judged, None], program[:, None], part, plain_means)
    return figure, 0.0


def mean_by_uncertainty(correlation: float, draw: Draw, judged: int, pool: int) -> tuple[AssistedFigure, float]:
    """Half of the draw is even, and the other half follows the size of the program's error, which it knows roughly."""
    true, people, program = scores(draw, pool, correlation)
    uncertainty = np.abs(program - true) * draw.lognormal(0, 0.5, size=pool)
    return _mean_of_part(people, program, uncertainty, EVEN, draw, judged)


def mean_misled(correlation: float, even: float, draw: Draw, judged: int, pool: int) -> tuple[AssistedFigure, float]:
    """The program is certain of exactly those answers that are wrong."""
    _, people, program = scores(draw, pool, correlation)
    uncertainty = np.abs(people - program) < 0.2
    return _mean_of_part(people, program, uncertainty.astype(float), even, draw, judged)


def _mean_of_part(
    people: np.ndarray, program: np.ndarray, uncertainty: np.ndarray, even: float, draw: Draw, judged: int
) -> tuple[AssistedFigure, float]:
    relative = uncertainty / max(uncertainty.mean(), 1e-12)
    probability = np.minimum(1, judged / len(people) * (even + (1 - even) * relative))
    chosen = np.flatnonzero(draw.random(len(people)) < probability)
    part = Drawn(chosen, probability[chosen], len(people))
    (figure,) = assisted.assisted_figures(people[chosen, None], program[:, None], part, plain_means)
    return figure, 0.0


def spearman(correlation: float, draw: Draw, judged: int, pool: int) -> tuple[AssistedFigure, float]:
    """A system with the correlation .8 that makes other errors than the program."""
    true, people, program = scores(draw, pool, correlation)
    system = 0.8 * true + 0.6 * draw.normal(size=pool)
    part = drawn(draw, judged, pool)
    (figure,) = assisted.assisted_spearman(people[part.judged], program, system[None], part)
    return figure, 6 / pi * asin(0.8 * RELIABILITY**0.5 / 2)


def labels(draw: Draw, pool: int, accuracy: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the labels (pool, 2) of people, of a program and of a system whose errors are independent."""
    true = draw.random(pool) < SHARE
    answers = (true, true ^ (draw.random(pool) >= accuracy), true ^ (draw.random(pool) >= RIGHT))
    people, program, system = (np.stack([each, ~each], axis=1).astype(float) for each in answers)
    return people, program, system


def share(accuracy: float, draw: Draw, judged: int, pool: int) -> tuple[AssistedFigure, float]:
    people, program, _ = labels(draw, pool, accuracy)
    part = drawn(draw, judged, pool)
    own = people[part.judged]
    return assisted.assisted_figures(own, program, part, shares, rare=rarer_shares(own))[0], SHARE


def agreement(number: int, accuracy: float, draw: Draw, judged: int, pool: int) -> tuple[AssistedFigure, float]:
    people, program, system = labels(draw, pool, accuracy)
    part = drawn(draw, judged, pool)
    own = agreement_counts(system, people)[part.judged]
    figures = assisted.assisted_figures(
        own,
        agreement_counts(system, program),
        part,
        agreement_figures,
        scale="fisher",
        rare=rarer_agreement(own),
    )
    table = np.array([[SHARE * RIGHT, (1 - SHARE) * (1 - RIGHT), SHARE * (1 - RIGHT), (1 - SHARE) * RIGHT]])
    return figures[number], float(agreement_figures(table)[number, 0])


def f1_of_links(draw: Draw, pool: int, accuracy: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the counts (pool, 3) of true positives, system links and gold links, with the links of people and of the
    program as the gold links. Sentence pairs differ in difficulty and in the number of links.
    """
    difficulty = draw.beta(2, 6, size=(pool, 1))
    true = draw.random((pool, CELLS)) < draw.beta(4, 4, size=(pool, 1))
    system = true ^ (draw.random(true.shape) < difficulty)
    program = true ^ (draw.random(true.shape) < np.minimum(1, 2 * difficulty * (1 - accuracy) / 0.5))
    people, of_program = (
        np.stack([(system & gold).sum(axis=1), system.sum(axis=1), gold.sum(axis=1)], axis=1).astype(float)
        for gold in (true, program)
    )
    return people, of_program


def f1_of_means(means: np.ndarray) -> np.ndarray:
    return (2 * means[:, 0] / (means[:, 1] + means[:, 2]))[None]


def link_f1(accuracy: float, draw: Draw, judged: int, pool: int) -> tuple[AssistedFigure, float]:
    people, program = f1_of_links(draw, pool, accuracy)
    part = drawn(draw, judged, pool)
    (figure,) = assisted.assisted_figures(people[part.judged], program, part, f1_of_means, scale="fisher")
    return figure, 0.75  # for a mean difficulty of ¼, and as many links as other cells


def share_over_both(accuracy: float, draw: Draw, judged: int, pool: int) -> tuple[AssistedFigure, float]:
    """Each question has two of eight annotators, who differ in how often they choose the first label."""
    true = draw.random(pool) < SHARE
    program = true ^ (draw.random(pool) >= accuracy)
    part = drawn(draw, judged, pool)
    lean = draw.uniform(-0.1, 0.1, size=ANNOTATORS)
    annotator = draw.random((judged, ANNOTATORS)).argsort(axis=1)[:, :EACH]
    chance = np.where(true[part.judged, None], 0.85, 0.15) + lean[annotator]
    chosen = (draw.random(chance.shape) < chance).astype(float)
    single = Judgements(chosen.reshape(-1, 1), np.repeat(np.arange(judged), EACH), annotator.ravel())
    (figure,) = assisted.assisted_figures(
        chosen.mean(axis=1, keepdims=True), program[:, None].astype(float), part, plain_means, judgements=single
    )
    return figure, SHARE * 0.85 + (1 - SHARE) * 0.15


SCORED = (("mean", mean), ("mean, drawn by uncertainty", mean_by_uncertainty), ("Spearman of a system", spearman))
LABELLED = (
    ("label share", share),
    ("accuracy of a system", partial(agreement, 0)),
    ("κ of a system", partial(agreement, 1)),
    ("F1 of a label", partial(agreement, 2)),
    ("F1 of links", link_f1),
    ("label share over annotators", share_over_both),
)


def figures_of(program: str, qualities: Mapping[str, float], kinds) -> list[Assisted]:  # type: ignore[no-untyped-def]
    return [Assisted(name, partial(draw, qualities[program])) for name, draw in kinds]


def ranks(correlation: float, draw: Draw, judged: int, pool: int) -> tuple[list[Rank] | None, list[int]]:
    """Return the ranks of four systems by their Spearman correlation, and their true ranks."""
    true, people, program = scores(draw, pool, correlation)
    systems = np.stack([each * true + (1 - each**2) ** 0.5 * draw.normal(size=pool) for each in SYSTEMS])
    part = drawn(draw, judged, pool)
    parts = assisted.parts_of_spearman(people[part.judged], program, systems, part)
    return assisted_ranks(parts, part), [1, 2, 3, 4]


def covered(draw: Draw, judged: int) -> dict[str, Figure]:
    """Return each figure with a good program, for the table of coverage."""
    figures = {}
    for each in (*figures_of(".8", PROGRAMS, SCORED), *figures_of(".9", ACCURACIES, LABELLED)):
        figure, truth = each.draw(draw, judged, 5 * judged)
        if figure.assisted.low is None:
            continue
        figures[each.name] = (figure.assisted.value, figure.assisted.low, figure.assisted.high, truth)
    return figures


SIMULATIONS = (Simulation("evaluate assisted", "judged questions", covered, (100, 400)),)
