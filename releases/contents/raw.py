"""The raw annotations in a release, with a writer that stores a study's rows as files and a reader for these files. All
published numbers are calculated from these raw annotations.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from annotate.tasktypes import AnswerRow, ItemDraft, QuestionDraft, StudyData
from releases.contents.archive import read_zip, require_whole

FILES = {
    "raw/study.json": "settings of the study, its instructions, consent text and seed",
    "raw/items.jsonl": "imported items with their metadata",
    "raw/questions.jsonl": "questions in the order of the design",
    "raw/gold.jsonl": "gold questions with their expected answers",
    "raw/hits.jsonl": "HITs with their questions",
    "raw/annotations.jsonl": "all answers by pseudonym, with the reason if an answer does not count",
    "raw/decisions.jsonl": "decisions of researchers on disputed questions",
}
# The fields of answers in raw/annotations.jsonl. A release cannot be taken back, so a new field of `AnswerRow` is only
# published if it is added here. The payload is in the file of the questions.
PUBLISHED = (
    *("ref", "kind", "value", "shown", "pseudonym", "hit", "position", "seconds", "given_at", "counts", "reason"),
    *("passed", "tally", "pilot", "guidelines", "round"),
)


def raw_notes(*, sealed: bool) -> dict[str, str]:
    """Return a mapping from paths to descriptions of the files."""
    return FILES | ({"raw/gold.jsonl": "empty, because the gold questions are sealed"} if sealed else {})


def raw_files(data: StudyData) -> dict[str, bytes]:
    """Return a mapping from paths to the files of raw annotations. `study_data` reads the same study from the release's
    files.
    """
    return {
        "raw/study.json": (json.dumps(dict(data.facts), ensure_ascii=False, indent=2) + "\n").encode(),
        "raw/items.jsonl": _lines(asdict(item) for item in data.items),
        "raw/questions.jsonl": question_lines(data),
        "raw/gold.jsonl": _lines(asdict(question) for question in data.gold),
        "raw/hits.jsonl": _lines(list(refs) for refs in data.hits),
        "raw/annotations.jsonl": answer_lines(data),
        "raw/decisions.jsonl": _lines(_decisions(data)),
    }


def question_lines(data: StudyData) -> bytes:
    """Return all questions, with one question per line."""
    return _lines(asdict(question) for question in data.questions)


def answer_lines(data: StudyData) -> bytes:
    """Return the published fields of all answers, with one answer per line."""
    return _lines({**_published(row), "given_at": row.given_at.astimezone(UTC).isoformat()} for row in data.answers)


def data_in_zip(file: bytes, name: str, largest: int) -> StudyData:
    """Return the rows of a release in a zip file, whose files have at most `largest` bytes. Raises `UnreadableRelease`
    if a file is missing or has changed, and as `study_data` does.
    """
    files = read_zip(io.BytesIO(file), name, largest)
    require_whole(files, name)
    return study_data(files)


def study_data(files: Mapping[str, bytes]) -> StudyData:
    """The inverse of `raw_files`. Raises KeyError if a file is missing, and ValueError if a file has a different
    format.
    """
    rows = {path: _read_lines(path, files[path]) for path in FILES if path.endswith(".jsonl")}
    all_questions = [*rows["raw/questions.jsonl"], *rows["raw/gold.jsonl"]]
    payloads = {question["ref"]: question["payload"] for question in all_questions}
    return StudyData(
        facts=json.loads(files["raw/study.json"]),
        items=[ItemDraft(**row) for row in rows["raw/items.jsonl"]],
        questions=[QuestionDraft(**row) for row in rows["raw/questions.jsonl"]],
        gold=[QuestionDraft(**row) for row in rows["raw/gold.jsonl"]],
        answers=[
            AnswerRow(
                **{**row, "given_at": datetime.fromisoformat(row["given_at"]), "payload": payloads.get(row["ref"])}
            )
            for row in rows["raw/annotations.jsonl"]
        ],
        hits=rows["raw/hits.jsonl"],
        decisions={row["ref"]: row["value"] for row in rows["raw/decisions.jsonl"] if not row.get("keep_both")},
        keep_both=frozenset(row["ref"] for row in rows["raw/decisions.jsonl"] if row.get("keep_both")),
    )


def _decisions(data: StudyData) -> list[dict[str, Any]]:
    """The reviewers' decisions, sorted by question. Decisions that accept all answers have no value."""
    chosen = [{"ref": ref, "value": value} for ref, value in data.decisions.items()]
    kept = [{"ref": ref, "value": None, "keep_both": True} for ref in data.keep_both]
    return sorted(chosen + kept, key=lambda row: row["ref"])


def _published(row: AnswerRow) -> dict[str, Any]:
    values = asdict(row)
    return {name: values[name] for name in PUBLISHED}


def _lines(rows: Iterable[Any]) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)


def _read_lines(path: str, data: bytes) -> list[Any]:
    rows = []
    for number, line in enumerate(data.decode().split("\n"), start=1):
        if line:
            try:
                rows.append(json.loads(line))
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from error
    return rows
