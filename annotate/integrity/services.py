"""The service that calculates the integrity indicators of all annotators in a study."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from statistics import fmean
from typing import Any

import numpy as np

from accord_core.numerics.signs import AnswersGiven, agreement_over_time, sign_values
from annotate import tasktypes
from annotate.core.permissions import Action, Actor, permitted_study
from annotate.core.services.writing import write
from annotate.models import Answer, Assignment, IntegrityFigures, Study
from annotate.models.event import REMOVED_PERSONAL_DATA
from annotate.server import clock
from annotate.server.refusals import Refused
from annotate.tasktypes import Progress, TaskType

COMPARED = 10  # the most other answers to the question with which an answer is compared
ROWS = 2_000  # answers that are read from the database at the same time
PASTED = ("medium", "long")  # shorter texts are typical of corrections
ACTIVITY = {  # the arrays of `AnswersGiven` that come from activity summaries, and their columns
    "webdriver": "webdriver",
    "untrusted": "untrusted_events",
    "focus_losses": "focus_losses",
    "unfocused_seconds": "unfocused_seconds",
    "straightness": "straightness",
    "presses": "presses",
    "press_median": "press_interval_median",
    "press_iqr": "press_interval_iqr",
    "keys": "keys",
    "key_median": "key_interval_median",
    "key_iqr": "key_interval_iqr",
}
ARRAYS = ("annotator", "at", "seconds", "length", "code", "agreement", "summarized", "pasted", *ACTIVITY)
Row = dict[str, Any]


def calculate_signs(study_id: int, *, user: Actor, progress: Progress) -> int:
    """Calculate the integrity indicators of all annotators whose accepted consent text mentions activity summaries.

    Only answers that these annotators gave on the work page after accepting the text are included. The new indicators
    replace all earlier indicators of the study. Returns the number of annotators with indicators. Raises `Refused`
    (`off`) if the study does not collect activity summaries.
    """
    study = permitted_study(study_id, user, Action.CALCULATE_REPORTS)
    if not study.activity_summaries:
        raise Refused("off", "This study does not collect activity summaries, so there are no integrity indicators.")
    progress(0.0, "reading the answers")
    people = _people(study)
    answers = _read(study, {key: number for number, key in enumerate(people)})
    progress(0.5, "comparing the annotators")
    values = sign_values(answers, len(people))
    over_time = agreement_over_time(answers, len(people)).tolist()
    counts = np.bincount(answers.annotator, minlength=len(people)).tolist()
    now = clock.now()
    with write():
        remaining = set(_people(Study.objects.get(pk=study_id)))  # personal data can be removed during the calculation
        IntegrityFigures.objects.filter(participation__study=study).delete()
        rows = [
            IntegrityFigures(
                participation_id=key,
                answers=counts[number],
                figures={name: _stored(column[number]) for name, column in values.items()}
                | {"agreement_over_time": [_stored(value) for value in over_time[number]]},
                calculated_at=now,
            )
            for number, key in enumerate(people)
            if counts[number] and key in remaining
        ]
        IntegrityFigures.objects.bulk_create(rows)
    return len(rows)


def _people(study: Study) -> list[int]:
    """Return the keys of annotators who accepted a consent text that mentions activity summaries. Annotators whose
    personal data was removed are excluded.
    """
    if study.personal_data_removed_at is not None:
        return []
    removed = study.events.filter(verb=REMOVED_PERSONAL_DATA, participation__isnull=False).values("participation")
    named = study.participations.filter(consent__names_activity=True, excludes_answers=False).exclude(pk__in=removed)
    return list(named.order_by("pk").values_list("pk", flat=True))


def _stored(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 4)


def _read(study: Study, people: Mapping[int, int]) -> AnswersGiven:
    """Return the answers as arrays. `people` maps annotators' keys to consecutive numbers.

    The answers are read question by question, so that the comparison needs only the answers to one question at a time.
    """
    task = tasktypes.get(study.task_type)
    lengths = _lengths(study, task)
    codes: dict[str, int] = {}
    numbers = array("d")
    for _, rows in groupby(_rows(study), key=lambda row: row["question"]):
        together = list(rows)
        for row in together:
            if row["participation"] in people and _is_included(row):
                numbers.extend(
                    (
                        people[row["participation"]],
                        row["given_at"].timestamp(),
                        _number(row["seconds"]),
                        _length(task, row["question__payload"], lengths),
                        codes.setdefault(_on_screen(task, row), len(codes)),
                        _agreement(study, task, row, together),
                        *_activity(row),
                    )
                )
    table = np.asarray(numbers, dtype=np.float64).reshape(-1, len(ARRAYS))
    columns = dict(zip(ARRAYS, table[np.lexsort((table[:, 1], table[:, 0]))].T, strict=True))
    del columns["at"]
    whole = {name: columns.pop(name).astype(np.int64) for name in ("annotator", "code")}
    return AnswersGiven(**whole, **columns)


def _rows(study: Study) -> Iterator[Row]:
    answers = Answer.objects.filter(
        assignment__study=study,
        assignment__kind=Assignment.Kind.REGULAR,
        given_at__isnull=False,
        repeat=False,
        participation__excludes_answers=False,
    )
    columns = (
        *("question", "question__payload", "participation", "value", "shown", "seconds", "given_at"),
        *("assignment__source", "participation__consented_at", "activity__id", "activity__pasted_length"),
        *(f"activity__{column}" for column in ACTIVITY.values()),
    )
    yield from answers.order_by("question", "pk").values(*columns).iterator(chunk_size=ROWS)


def _is_included(row: Row) -> bool:
    return bool(
        row["assignment__source"] == Assignment.Source.WEB and row["given_at"] >= row["participation__consented_at"]
    )


def _lengths(study: Study, task: TaskType) -> dict[str, int]:
    """Return the number of characters in each item, keyed by item."""
    items = study.items.values_list("key", "content").iterator(chunk_size=ROWS)
    return {key: sum(map(len, task.texts(content))) for key, content in items}


def _length(task: TaskType, payload: Any, lengths: Mapping[str, int]) -> float:
    """Return the number of characters in a question. Some questions contain their own texts instead of referring to
    items.
    """
    keys = task.item_keys(payload)
    characters = sum(lengths.get(key, 0) for key in keys) or sum(map(len, task.question_texts(payload, {})))
    return float(characters) if characters else np.nan


def _on_screen(task: TaskType, row: Row) -> str:
    return json.dumps(task.reveal(row["question__payload"], row["shown"], row["value"]), sort_keys=True)


def _agreement(study: Study, task: TaskType, row: Row, together: Sequence[Row]) -> float:
    """Return the mean similarity to up to ten other annotators' answers, or NaN if there are none."""
    others = [other["value"] for other in together[: COMPARED + 1] if other["participation"] != row["participation"]]
    similarities = [
        task.alike(row["question__payload"], row["value"], value, study.options) for value in others[:COMPARED]
    ]
    return fmean(similarities) if similarities else np.nan


def _activity(row: Row) -> list[float]:
    """Return the numbers in an answer's activity summary, in the order of `ARRAYS`. If there is no summary, all numbers
    are NaN.
    """
    if row["activity__id"] is None:
        return [0.0, *[np.nan] * (1 + len(ACTIVITY))]
    figures = [_number(row[f"activity__{column}"]) for column in ACTIVITY.values()]
    return [1.0, float(row["activity__pasted_length"] in PASTED), *figures]


def _number(value: float | None) -> float:
    return np.nan if value is None else float(value)
