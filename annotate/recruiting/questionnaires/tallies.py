"""Counts of survey answers, with and without suppression of small counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accord_core.numerics.suppression import SMALLEST_SHOWN, suppress, suppress_options
from annotate.models.questionnaire_definition import TEXTS, FormQuestion

DECLINED, MISSING, ANSWERED = "Prefer not to say", "No answer", "Answered"
BAND = 10  # width of the bands in which numbers are counted

Tally = dict[str, int]  # the number of people per answer


@dataclass(frozen=True)
class SurveyTable:
    """The published counts for a question. `rows` contains each answer with its count, or None for a hidden count."""

    name: str
    label: str
    people: int
    rows: list[tuple[str, int | None]]


def tally(question: FormQuestion, responses: Iterable[Mapping[str, Any]]) -> Tally:
    """Count the answers to a question. Each option of a multiple-choice question is counted separately."""
    counts: Counter[str] = Counter()
    for response in responses:
        counts.update(_labels(question, response))
    return dict(counts)


def published(question: FormQuestion, counts: Mapping[str, int], people: int) -> SurveyTable:
    """Return the counts for a question, with small counts suppressed. If fewer than five people answered the survey,
    all counts are hidden.
    """
    possible, always = _possible(question), [DECLINED, MISSING]
    others = sorted((label for label in counts if label not in (*possible, *always)), key=_order)
    labels = [*possible, *others, *always]
    values = [counts.get(label, 0) for label in labels]
    if people < SMALLEST_SHOWN:
        shown: Sequence[int | None] = [None] * len(values)
    elif question.kind == "multiple":
        shown = suppress_options(values, people)
    else:
        shown = suppress(values)
    return SurveyTable(question.name, question.label, people, list(zip(labels, shown, strict=True)))


def _possible(question: FormQuestion) -> list[str]:
    if question.kind in TEXTS:
        return [ANSWERED]
    return list(question.options) or ([str(point) for point in question.points] if question.kind == "scale" else [])


def _labels(question: FormQuestion, response: Mapping[str, Any]) -> list[str]:
    if question.name not in response:
        return [MISSING]
    answer = response[question.name]
    if answer is None:
        return [DECLINED]
    if question.kind in TEXTS:
        return [ANSWERED]
    if question.kind == "number" and isinstance(answer, int):
        low = answer // BAND * BAND
        return [f"{low} to {low + BAND - 1}"]
    return list(answer) if isinstance(answer, list) else [str(answer)]


def _order(label: str) -> tuple[bool, int, str]:
    """Sort bands of numbers by their lower limit, and put other labels after them."""
    first = label.split(" ")[0]
    is_number = first.lstrip("-").isdigit()
    return not is_number, int(first) if is_number else 0, label
