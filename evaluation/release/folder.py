"""The contents of a release: data in the usual file formats, raw annotations, the report, the data statement and
checksums.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from typing import Any

from annotate.tasktypes import Export, StudyData, TaskType
from evaluation.release.croissant import croissant
from evaluation.release.raw import FILES, raw_files
from evaluation.release.statement import data_statement, simulated_annotators

ABOUT = "release.json"
REPORT = "report/results.json"
SUMS = "SHA256SUMS"


@dataclass(frozen=True)
class About:
    """The information that the authors of a release provide. `statement` contains the sections of the data statement by
    name.
    """

    version: str
    licence: str
    published: date
    creators: str = ""
    citation: str = ""
    url: str = "https://example.org/"
    statement: Mapping[str, str] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        return {
            "version": self.version,
            "licence": self.licence,
            "published": self.published.isoformat(),
            "creators": self.creators,
            "citation": self.citation,
            "url": self.url,
            "statement": dict(self.statement),
        }

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> About:
        """Create the object from a dictionary that `as_dict` returned. Other keys are ignored."""
        named = {each.name: stored[each.name] for each in fields(cls)}
        return cls(**named | {"published": date.fromisoformat(stored["published"])})


def release_files(task: TaskType, data: StudyData, report: Mapping[str, Any], about: About) -> dict[str, bytes]:
    """Return a mapping from paths to the files of a release. The checksums come last.

    `report` is the result of `annotate.selectors.exports.report_document` for a report on exactly these rows. Its
    `result` must follow from these rows, because otherwise the release could not be verified.
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
    for path, (text, note) in pages(data, report["result"], about).items():
        files[path], notes[path] = text, note
    files[ABOUT] = _json({"title": facts["title"], "task_type": facts["task_type"], **about.as_dict()})
    notes[ABOUT] = "description of this release"
    described = croissant(
        files,
        notes,
        title=facts["title"],
        version=about.version,
        licence=about.licence,
        creators=about.creators,
        description=f"{task.name}: {len(data.questions):,} questions, each answered by several {_annotators(data)}.",
        citation=about.citation,
        url=about.url,
        published=about.published,
    )
    files["croissant.json"] = _json(described)
    files[SUMS] = _sums(files)
    return files


def _annotators(data: StudyData) -> str:
    only_simulated = {row.pseudonym for row in data.answers if row.counts} <= simulated_annotators(data)
    return "simulated annotators" if only_simulated else "annotators"


def pages(data: StudyData, result: Mapping[str, Any], about: About) -> dict[str, tuple[bytes, str]]:
    """Return a mapping from paths to the texts of a release, each with a note. These texts are the data statement and
    the texts that annotators read.
    """
    texts = {
        f"{name}.md": (data.facts[name].encode(), "text as shown to annotators")
        for name in ("instructions", "examples", "consent")
        if data.facts.get(name)
    }
    statement = data_statement(data, result, authors=about.statement, version=about.version, licence=about.licence)
    return texts | {"README.md": (statement.encode(), "data statement")}


def published(task: TaskType) -> Iterable[Export]:
    """Return the downloads of a task type that belong in a release. Mechanical Turk batches do not belong in a release,
    because they contain gold questions.
    """
    return task.exports


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def _sums(files: Mapping[str, bytes]) -> bytes:
    """Return the checksums in the format that `sha256sum --check` reads."""
    return "".join(f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in sorted(files.items())).encode()
