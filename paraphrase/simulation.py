"""Answers of simulated annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from accord_core.paraphrase.numerics.planning import ATTENTIVE
from annotate.tasktypes import GUESSER
from paraphrase.answer import candidates, order_on_screen

MOST_CANDIDATES = 6  # All possible answers of a guesser are listed for up to this number of candidates.


def simulate_answer(
    payload: Any, shown: Any, truth: Mapping[str, float], careless: bool, generator: np.random.Generator
) -> dict[str, list[bool]]:
    """Return simulated votes in screen order. `truth` contains each item's share of good candidates.

    The good candidates are the first in the list, because lists are often ranked.
    """
    order = order_on_screen(payload, shown)
    if careless:
        return {"votes": (generator.random(len(order)) < 0.5).tolist()}
    attentive = generator.random(len(order)) < ATTENTIVE
    good = truly_good(payload, truth)
    return {"votes": [good[index] == bool(correct) for index, correct in zip(order, attentive, strict=True)]}


def careless_answers(number: int, generator: np.random.Generator) -> dict[str, Sequence[dict[str, list[bool]]]]:
    """Return the answers, by kind, of annotators who do not read a question with this number of candidates. A guesser
    chooses each candidate with probability ½. With more than six candidates, 64 random answers represent all possible
    answers.
    """
    if number <= MOST_CANDIDATES:
        guesses = [list(votes) for votes in product((False, True), repeat=number)]
    else:
        guesses = (generator.random((2**MOST_CANDIDATES, number)) < 0.5).tolist()
    return {
        GUESSER: [{"votes": votes} for votes in guesses],
        "always yes": [{"votes": [True] * number}],
        "always no": [{"votes": [False] * number}],
    }


def truly_good(payload: Any, truth: Mapping[str, float]) -> list[bool]:
    """Return whether each candidate is good in the simulation, in payload order."""
    if "content" in payload:
        return [index < payload["synonyms"] for index in range(len(candidates(payload)))]
    good = round(truth[payload["item"]] * len(payload["paraphrases"]))
    return [index < good for index in range(len(payload["paraphrases"]))]
