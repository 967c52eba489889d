"""What a release holds: data in the formats of its field, raw annotations, report, statement, checksums."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from annotate.tasktypes import Export, StudyData, TaskType
from evaluation.release.croissant import croissant
from evaluation.release.raw import FILES, raw_files
from evaluation.release.statement import data_statement

REPORT = "report/results.json"
SUMS = "SHA256SUMS"
# Pages for annotators elsewhere carry gold where nobody should read it, and are no data.
LEFT_OUT = ("mturk-",)


@dataclass(frozen=True)
class About:
    """What the authors of a release say of it. `statement` holds sections of the data statement by name."""

    version: str
    licence: str
    published: date
    creators: str = ""
    citation: str = ""
    url: str = "https://example.org/"
    statement: Mapping[str, str] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        return {
            "version": self.version, "licence": self.licence, "published": self.published.isoformat(),
            "creators": self.creators, "citation": self.citation, "url": self.url, "statement": dict(self.statement),
        }  # fmt: skip


def release_files(task: TaskType, data: StudyData, report: Mapping[str, Any], about: About) -> dict[str, bytes]:
    """The files of a release by path, checksums last.

    `report` is what `annotate.selectors.exports.report_document` gives of a report on these very rows: its `result`
    must be what they come to, or nobody could verify the release.
    """
    facts = data.facts
    files: dict[str, bytes] = {}
    notes: dict[str, str] = {}
    for export in published(task):
        files[f"data/{export.filename}"] = b"".join(export.write(data, report["result"]))
        notes[f"data/{export.filename}"] = " ".join(filter(None, [export.description, export.note]))
    files |= raw_files(data)
    notes |= FILES
    files[REPORT] = _json(report)
    notes[REPORT] = "every published figure, with parameters, seed and versions"
    for name in ("instructions", "examples", "consent"):
        if facts.get(name):
            files[f"{name}.md"] = facts[name].encode()
            notes[f"{name}.md"] = "as annotators read it"
    files["README.md"] = data_statement(
        data, report["result"], authors=about.statement, version=about.version, licence=about.licence
    ).encode()
    notes["README.md"] = "data statement"
    files["release.json"] = _json({"title": facts["title"], "task_type": facts["task_type"], **about.as_dict()})
    notes["release.json"] = "what this release is"
    described = croissant(
        files, notes, title=facts["title"], version=about.version, licence=about.licence, creators=about.creators,
        description=f"{task.name}: {len(data.questions):,} questions, judged by several people each.",
        citation=about.citation, url=about.url, published=about.published,
    )  # fmt: skip
    files["croissant.json"] = _json(described)
    files[SUMS] = _sums(files)
    return files


def published(task: TaskType) -> Iterable[Export]:
    """The downloads of a task type that belong into a release."""
    return [export for export in task.exports() if not export.filename.startswith(LEFT_OUT)]


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def _sums(files: Mapping[str, bytes]) -> bytes:
    """As `sha256sum --check` reads them."""
    return "".join(f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in sorted(files.items())).encode()
