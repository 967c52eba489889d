"""Files of a study that do not depend on what its questions are: every answer, and every annotator."""

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
    """One given answer a line, in the order in which they were claimed; `counts`, and `reason` where it does not."""
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
        "given_at": row.given_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "counts": row.counts,
        "reason": row.reason or None,
        "passed": row.passed,
        "pilot": row.pilot,
    }


ANSWERS = Export(
    "answers.jsonl",
    "application/jsonl; charset=utf-8",
    "every answer given, whether it counts and why not",
    answers_jsonl,
    note="JSON Lines; “shown” holds the places of the question’s items in the order in which they stood on the screen.",
)


def annotators_csv(study: Study) -> Iterable[bytes]:
    """Every annotator by pseudonym: standing, gold, agreement, credit."""
    columns, rows = annotators_table(annotator_rows(study, people(study)))
    return (chunk.encode() for chunk in write_csv(rows, columns))


def report_document(report: Report) -> dict[str, Json]:
    """A report as one JSON document: its result, and what made it (parameters, seed, versions, input checksum)."""
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
