"""Exports that are the same for all task types: answers, annotators, and annotators' messages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from accord_core.exchange.csvtext import write_csv
from annotate.models import Report
from annotate.results.selectors.by_group import shown_by_group
from annotate.tasktypes import ANSWER_FILES, AnswerRow, Export, Json, MessageRow, ShownRow, SkippedRow, StudyData
from annotate.tasktypes.common_fields import ANSWER_LINES, MESSAGE_ROWS


def answers_jsonl(data: StudyData, result: Mapping[str, Json] | None = None) -> Iterator[bytes]:
    """Yield one JSON line per answer, in the order of the claims, followed by one line per skipped question. `reason`
    states why an answer does not count.
    """
    simulated = set(data.facts.get("simulated_annotators", ()))
    for row in data.answers:
        line = _answer(row) | {"simulated": row.pseudonym in simulated}
        yield json.dumps(line, ensure_ascii=False).encode() + b"\n"
    for skip in data.skipped:
        line = _skipped(skip) | {"simulated": skip.pseudonym in simulated}
        yield json.dumps(line, ensure_ascii=False).encode() + b"\n"


def _answer(row: AnswerRow) -> dict[str, Json]:
    return _line(row) | {
        "value": row.value,
        "answered_at": _time(row.given_at),
        "counts": row.counts,
        "reason": row.reason or None,
        "passed": row.passed,
    }


def _skipped(row: SkippedRow) -> dict[str, Json]:
    return _line(row) | {"reason": "skipped", "skipped": row.text, "skipped_at": _time(row.skipped_at)}


def _line(row: ShownRow) -> dict[str, Json]:
    """Return all keys in file order. The keys that only one class of rows has are still empty."""
    return {
        "question": row.ref,
        "kind": row.kind,
        "annotator": row.pseudonym,
        "hit": row.hit,
        "position": row.position,
        "value": None,
        "shown": row.shown,
        "seconds": row.seconds,
        "answered_at": None,
        "counts": False,
        "reason": None,
        "passed": None,
        "pilot": row.pilot,
        "round": row.round,
        "guidelines_version": row.guidelines,
        "skipped": None,
        "skipped_at": None,
    }


def _time(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


ANSWERS = Export(
    "answers.jsonl",
    "application/jsonl; charset=utf-8",
    "all answers, with the reason if an answer does not count, and all skipped questions",
    answers_jsonl,
    note="The file is in JSON Lines format. “shown” contains the order in which the question’s items were shown. A "
    "skipped question has no value and never counts. The “skipped” column contains the annotator’s reason. "
    "“simulated” shows whether a simulated annotator gave the answer.",
    group=ANSWER_FILES,
    rows=ANSWER_LINES,
)


def messages_csv(data: StudyData, result: Mapping[str, Json] | None = None) -> Iterator[bytes]:
    """Yield messages.csv: annotators' messages with their replies, skipped questions, disputed gold answers, returned
    HITs and withdrawals.
    """
    for chunk in write_csv((_message(row) for row in data.messages), [field.name for field in MESSAGE_ROWS.fields]):
        yield chunk.encode()


def _message(row: MessageRow) -> list[str]:
    return [
        row.id,
        row.kind,
        row.pseudonym,
        row.ref,
        "" if row.hit is None else str(row.hit),
        _time(row.at),
        row.text,
        row.state,
        row.reply,
        row.replied_by,
        _time(row.replied_at) if row.replied_at else "",
    ]


MESSAGES = Export(
    "messages.csv",
    "text/csv; charset=utf-8",
    "messages with replies, skipped questions, disputes, returned HITs and withdrawals",
    messages_csv,
    note="The file omits annotators who withdrew and chose to exclude their answers.",
    group=ANSWER_FILES,
    rows=MESSAGE_ROWS,
)


def report_document(report: Report) -> dict[str, Json]:
    """Return a report as a JSON document with the result, parameters, seed, software versions and input checksum."""
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
        **({"by_group": by_group} if (by_group := shown_by_group(report)) else {}),
    }
