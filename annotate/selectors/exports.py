"""Exports that do not depend on the task type: all answers and all annotators."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC

from annotate.exchange.csvtext import write_csv
from annotate.models import Report, Study
from annotate.tasktypes import AnswerRow, Export, Json, StudyData

from .annotators import annotator_rows, annotators_table
from .reports import people


def answers_jsonl(data: StudyData, result: Mapping[str, Json] | None = None) -> Iterator[bytes]:
    """Yield one JSON line per answer, in the order in which the assignments were claimed. `reason` states why an answer
    does not count.
    """
    for row in data.answers:
        yield json.dumps(_answer(row), ensure_ascii=False).encode() + b"\n"


def _answer(row: AnswerRow) -> dict[str, Json]:
    return {
        "question": row.ref,
        "kind": row.kind,
        "annotator": row.pseudonym,
        "hit": row.hit,
        "position": row.position,
        "value": row.value,
        "shown": row.shown,
        "seconds": row.seconds,
        "answered_at": row.given_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "counts": row.counts,
        "reason": row.reason or None,
        "passed": row.passed,
        "pilot": row.pilot,
        "guidelines_version": row.guidelines,
    }


ANSWERS = Export(
    "answers.jsonl",
    "application/jsonl; charset=utf-8",
    "all answers, with the reason if an answer does not count",
    answers_jsonl,
    note="The file is in JSON Lines format. “shown” contains the order in which the question’s items were shown.",
)


def annotators_csv(study: Study) -> Iterable[bytes]:
    """Return annotators.csv: the standing, gold results, agreement and credit of each annotator."""
    columns, rows = annotators_table(annotator_rows(study, people(study)))
    return (chunk.encode() for chunk in write_csv(rows, columns))


def report_document(report: Report) -> dict[str, Json]:
    """Return a report as a JSON document: the result, parameters, seed, software versions and input checksum."""
    return {
        "study": report.study.public_id,
        "title": report.study.title,
        "kind": report.kind,
        "number": report.number,
        "created_at": report.created_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "parameters": report.parameters,
        "seed": report.seed,
        "versions": report.versions,
        "input_sha256": report.input_sha256,
        "result": report.result,
    }
