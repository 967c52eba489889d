"""A task type's figures for the agreement between two annotators, such as a person and a system."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from accord_core.numerics.group_agreement import Estimate, shares_of_sums

Json = Any


@dataclass(frozen=True)
class AnswerAgreement:
    """A task type's agreement figures.

    `figures` maps the name of each figure to its label. `counts` receives the payload of a question, the stored answers
    of two annotators and the study's options, and returns C counts. `estimate` maps counts, summed over questions, to
    the figures. A figure cannot be less than its value in `least`, or 0. `item_scores` returns how an answer changes
    the score of each item in the question, if answers score items.
    """

    figures: Mapping[str, str]
    counts: Callable[[Json, Json, Json, Mapping[str, Json]], Sequence[float]]
    estimate: Estimate = shares_of_sums
    item_scores: Callable[[Json, Json], Mapping[str, float]] | None = None
    least: Mapping[str, float] = field(default_factory=dict)
