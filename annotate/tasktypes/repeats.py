"""The repeated questions of a study in its reports: how often annotators give the same answer again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accord_core.exchange.arrays import Columns, finite_or_none, float_array, int_array, json_array, read_json_array
from accord_core.numerics.labels import Floats
from accord_core.numerics.repeated_answers import agreement_of_repeats, share_of_repeats

from .answer_agreement import AnswerAgreement
from .capabilities import RESULTS
from .data import AnswerRow, StudyData
from .drafts import Progress
from .program_figures import agreement_of
from .tasktype import TaskType

Json = Any
REPEAT = "repeat"  # why the second answer to a question does not count
DAY = 86_400


def report_columns(task: TaskType, data: StudyData) -> Columns:
    """Return the arrays that are stored with a report: those of the task type and, if the study has repeated questions,
    those of the repeated answers.
    """
    columns = dict(task.reports.columns(data))
    return columns | _repeat_columns(task, data) if data.facts.get("repeats_questions") else columns


def report_result(
    task: TaskType, kind: str, columns: Columns, parameters: Mapping[str, Json], seed: int, progress: Progress
) -> dict[str, Json]:
    """Return a report's result in its stored format. The part `repeats` is about the repeated questions, if any."""
    result = task.reports.calculate(kind, columns, parameters, seed, progress)
    if kind != RESULTS or not len(columns.get("repeat_annotator", ())) or not result["judgements"]:
        return result
    same, names = columns["repeat_same"], read_json_array(columns["repeat_names"])
    own = {name: same[columns["repeat_annotator"] == number] for number, name in enumerate(names)}
    people = [
        person | {"repeated": len(answers), "repeated_same": int(answers.sum())}
        if len(answers := own.get(person["pseudonym"], ()))
        else person
        for person in result.get("people", ())
    ]
    return result | {"repeats": _figures(agreement_of(task), columns, seed)} | ({"people": people} if people else {})


def _repeat_columns(task: TaskType, data: StudyData) -> Columns:
    """Return arrays over the R repeated questions whose first answer counts. They contain the annotator's number,
    whether both answers are the same, the days between them, and the C counts of their agreement.

    The mean share of other annotators with the same answer as the first one, and the mean counts of their agreement
    with it, are NaN for questions that nobody else has answered.
    """
    again = [row for row in data.answers if row.reason == REPEAT]
    refs, options = {row.ref for row in again}, data.facts["options"]
    counted: dict[str, dict[str, AnswerRow]] = defaultdict(dict)
    for row in data.answers:
        if row.counts and row.ref in refs:
            counted[row.ref][row.pseudonym] = row
    again = [row for row in again if row.pseudonym in counted[row.ref]]
    names, agreement = sorted({row.pseudonym for row in again}), agreement_of(task)
    number = {name: place for place, name in enumerate(names)}
    width = len(agreement.counts(again[0].payload, again[0].value, again[0].value, options)) if again else 0
    same, others_same, counts, others = [], [], [], []
    days = []
    for row in again:
        first = counted[row.ref][row.pseudonym]
        values = [each.value for name, each in counted[row.ref].items() if name != row.pseudonym]
        pairs = [agreement.counts(row.payload, first.value, value, options) for value in values]
        same.append(int(_is_same(task, first.value, row.value)))
        equal = [_is_same(task, first.value, value) for value in values]
        others_same.append(sum(equal) / len(equal) if equal else None)
        counts.append(agreement.counts(row.payload, first.value, row.value, options))
        others.append(np.mean(pairs, axis=0) if pairs else [np.nan] * width)
        days.append((row.given_at - first.given_at).total_seconds() / DAY)
    return {
        "repeat_annotator": int_array(number[row.pseudonym] for row in again),
        "repeat_names": json_array(names),
        "repeat_same": int_array(same),
        "repeat_days": float_array(days),
        "repeat_counts": _matrix(counts, width),
        "repeat_others_same": float_array(others_same),
        "repeat_others_counts": _matrix(others, width),
    }


def _figures(agreement: AnswerAgreement, columns: Columns, seed: int) -> dict[str, Json]:
    """Return the part `repeats` of a result. The figures of other annotators are about the same questions."""
    annotator, same, others = columns["repeat_annotator"], columns["repeat_same"], columns["repeat_others_same"]
    share = share_of_repeats(same, annotator)
    compared = ~np.isnan(others)
    own = agreement_of_repeats(columns["repeat_counts"], annotator, agreement.estimate, seed=seed)
    sums = columns["repeat_others_counts"][compared].sum(axis=0, keepdims=True)
    between = agreement.estimate(sums)[:, 0] if compared.any() else [np.nan] * len(own)
    return {
        "questions": len(same),
        "annotators": len(np.unique(annotator)),
        "same": int(same.sum()),
        "share": {"value": share.value, "low": share.low, "high": share.high},
        "over": share.over,
        "median_days": float(np.median(columns["repeat_days"])),
        "others": {
            "questions": int(compared.sum()),
            "share": float(others[compared].mean()) if compared.any() else None,
        },
        "figures": [
            {
                "name": name,
                "label": label,
                **_from(agreement.least.get(name, 0.0), figure.as_figure()),
                "others": finite_or_none(float(value)),
            }
            for (name, label), figure, value in zip(agreement.figures.items(), own, between, strict=True)
        ],
    }


def _from(least: float, figure: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return a figure whose interval does not extend below the least possible value."""
    low = figure.get("low")
    return figure if low is None else {**figure, "low": max(least, low)}


def _is_same(task: TaskType, one: Json, other: Json) -> bool:
    return task.agreed([one, other]) is not None


def _matrix(rows: Sequence[Sequence[float]], width: int) -> Floats:
    return np.asarray(rows, dtype=np.float64).reshape(-1, width)
