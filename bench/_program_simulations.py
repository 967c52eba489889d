"""Simulated studies in which a program answers the same questions as people, for the intervals of the page Programs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from annotate.tasktypes import ProgramFigures
from bench._interval_simulations import Draw, Figure, Simulation
from bws.grading import AGREEMENT as CHOICES
from paraphrase.grading import AGREEMENT as VOTES

PEOPLE, CANDIDATES, TUPLE = 3, 4, 4
PARAMETERS = {"epsilon": 0.1, "fewest_questions": 30, "seed": 1}


def choices(draw: Draw, questions: int) -> dict[str, Figure]:
    """Three people and a program choose the best and the worst of four items. There are half as many items as tuples,
    so each item is in eight tuples. All collections contain the same items.
    """
    items = questions // 2
    quality = np.random.default_rng(items).normal(size=items)
    # In each round, every item is in one tuple.
    rounds = [draw.permutation(items)[: items - items % TUPLE].reshape(-1, TUPLE) for _ in range(4 * TUPLE)]
    tuples = np.concatenate(rounds)[:questions]
    compared = ProgramFigures(_task(CHOICES), {}, ["program"])
    for chosen in tuples:
        seen = quality[chosen] + draw.normal(size=TUPLE) * 0.4  # the difficulty of a tuple is the same for everybody
        answers = [_choice(chosen, seen + noise * draw.normal(size=TUPLE)) for noise in (*[0.6] * PEOPLE, 0.8)]
        people = {f"p{number}": answer for number, answer in enumerate(answers[:-1])}
        compared.add({"items": [f"i{item}" for item in chosen]}, people, {"program": answers[-1]})
    return _figures(compared)


def votes(draw: Draw, questions: int) -> dict[str, Figure]:
    """Three people and a program vote on four candidates. Questions differ in difficulty and in the share of yes."""
    compared = ProgramFigures(_task(VOTES), {}, ["program"])
    for _ in range(questions):
        truth, error = draw.random(CANDIDATES) < draw.beta(2, 2), draw.beta(2, 8)
        answers = [{"votes": (truth ^ (draw.random(CANDIDATES) < error)).tolist()} for _ in range(PEOPLE + 1)]
        people = {f"p{number}": answer for number, answer in enumerate(answers[:-1])}
        compared.add({}, people, {"program": answers[-1]})
    return _figures(compared)


def _task(agreement: Any) -> Any:
    """Return a task type without choices, because `_copying_simulations` simulates the test of copied answers."""
    alike, choices = (lambda payload, one, other, options: float(one == other)), (lambda payload, values, options: [])
    return SimpleNamespace(agreement=agreement, alike=alike, choices=choices)


def _choice(chosen: Any, seen: Any) -> dict[str, str]:
    return {"best": f"i{chosen[seen.argmax()]}", "worst": f"i{chosen[seen.argmin()]}"}


def _figures(compared: ProgramFigures) -> dict[str, Figure]:
    result = compared.result(**PARAMETERS)
    figures = {
        f"{name}, {each['one']} with {each['other']}": (figure["value"], figure["low"], figure["high"])
        for each in result["agreement"]
        for name, figure in each["figures"].items()
    }
    scores = {"Spearman of the scores": result["scores"][0]} if result["scores"] else {}
    return figures | {name: (each["value"], each["low"], each["high"]) for name, each in scores.items()}


SIMULATIONS = (
    Simulation("page Programs, choices", "questions", choices, (16, 48, 200), 0.5),
    Simulation("page Programs, votes", "questions", votes, (15, 50, 200), 0.5),
)
