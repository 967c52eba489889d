"""Rounds of initial links. Questions in the first round start with links from an aligner that has learned only from
sentences. In each later round, the aligner has also learned from the study's finished pairs.

A gold question has initial links for every round. Annotators see the links of the round to which the other questions of
their HIT belong. Otherwise annotators could recognise gold questions, for example by links between words that the
study's annotators usually leave unlinked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord_core.pairs.numerics.links import Alignment
from alignment_ui.words.answer import as_value
from annotate.tasktypes import StudyData

FIRST = 0
Payload = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Suggestion(Alignment):
    """Links from the built-in aligner. `likely` contains the probabilities of likely links as (source, target,
    probability), sorted by link.
    """

    likely: tuple[tuple[int, int, float], ...] = ()


def as_start(links: Alignment) -> dict[str, Any]:
    """Return initial links as JSON, with the aligner's probabilities if it suggested these links."""
    likely = [list(each) for each in links.likely] if isinstance(links, Suggestion) else []
    return as_value(links) | ({"likely": likely} if likely else {})


def round_of(payload: Payload) -> int:
    """Return a regular question's round."""
    return int(payload.get("round", FIRST))


def later_rounds(data: StudyData) -> list[int]:
    """Return the rounds of the study's regular questions in ascending order, except the first round."""
    return sorted({round_of(question.payload) for question in data.questions} - {FIRST})


def next_round(data: StudyData) -> int:
    """Return a number for a round that is not yet used in the study."""
    of_gold = (int(number) for one in (*data.gold, *data.candidates) for number in one.payload.get("starts", {}))
    return max([FIRST, *later_rounds(data), *of_gold]) + 1


def chosen_round(payload: Payload, beside: Sequence[Payload], generator: np.random.Generator) -> list[int]:
    """Return the round in which a gold question starts: the round of a random question next to it. The list is empty if
    the question has the same initial links in all rounds.
    """
    if "starts" not in payload or not beside:
        return []
    return [round_of(beside[int(generator.integers(len(beside)))])]


def start_of(payload: Payload, shown: Any, *, probabilities: bool = False) -> Any:
    """Return the initial links that annotators see, or None. `shown` is the result of `chosen_round`. The aligner's
    probabilities are included only with `probabilities`.
    """
    start = payload.get("starts", {}).get(str(shown[0]) if shown else "", payload["prealignment"])
    if start is None or probabilities:
        return start
    return {name: value for name, value in start.items() if name != "likely"}


def with_start(payload: Payload, number: int, links: Alignment) -> dict[str, Any]:
    """Return the payload of a gold question, with initial links for one more round. A question that starts without
    links does so in every round.
    """
    start = None if payload["prealignment"] is None else as_start(links)
    return {**payload, "starts": {**payload.get("starts", {}), str(number): start}}


def round_marked(payload: Payload, number: int) -> dict[str, Any]:
    """Return the payload of a regular question in this round. Payloads of the first round do not contain the round."""
    return dict(payload) if number == FIRST else {**payload, "round": number}


def in_round(payload: Payload, number: int, links: Alignment) -> dict[str, Any]:
    """Return the payload of a regular question, with the initial links of another round. If a question starts without
    links, annotators still see no links, and only the withheld links change.
    """
    shown = {"withheld": as_value(links)} if "withheld" in payload else {"prealignment": as_start(links)}
    return round_marked({**payload, **shown}, number)
