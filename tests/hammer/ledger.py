"""The clients' ledger, which contains one JSON line for each acknowledgement of the server, in append-only files.

["answer", assignment, position, value]            an answer was acknowledged
["change", assignment, position, value]            a changed answer is about to be sent
["kept", assignment, position]                     the change was refused
["draft", assignment, position, revision, draft]   a draft was acknowledged
["unsure", assignment, position, revision]         a draft was sent, and no reply came at first
["seen", assignment, position]                     the acknowledgement of feedback was acknowledged
["receipt", assignment, credited, {position: value}]   a submission with these answers was acknowledged
["import", first item, rows]                       an import was acknowledged
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class Ledger:
    """The file of one session. Every entry is written before the client's next request."""

    def __init__(self, folder: Path, session: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = (folder / f"{session:04}.jsonl").open("a", encoding="utf-8", buffering=1)

    def write(self, *entry: Any) -> None:
        self._file.write(json.dumps(entry, separators=(",", ":")) + "\n")

    def close(self) -> None:
        self._file.close()


def read(folder: Path) -> Iterator[list[Any]]:
    """Return all entries of all sessions in order, and skip the incomplete last line of a killed session."""
    for file in sorted(folder.glob("*.jsonl")):
        with file.open(encoding="utf-8") as lines:
            yield from (json.loads(line) for line in lines if line.endswith("\n"))


@dataclass
class Promised:
    """The data that the server must have stored, by assignment and position."""

    answers: dict[tuple[str, int], list[Any]] = field(default_factory=dict)  # values that may stand there
    # Answers that a client had to give again, because a later response did not contain them.
    forgotten: set[tuple[str, int]] = field(default_factory=set)
    drafts: dict[tuple[str, int], tuple[int, Any, int]] = field(default_factory=dict)  # revision, draft, highest sent
    feedback_read: set[tuple[str, int]] = field(default_factory=set)
    submissions: set[str] = field(default_factory=set)
    credits: set[str] = field(default_factory=set)
    imports: dict[str, int] = field(default_factory=dict)


def promised(folder: Path) -> Promised:
    """Summarise the ledger. If several answers to one question were acknowledged, the last answer must be stored."""
    sums = Promised()

    def answered(assignment: str, position: int, value: Any) -> None:
        before = sums.answers.get((assignment, position))
        if before and value not in before[1:]:  # not a change
            sums.forgotten.add((assignment, position))
        sums.answers[assignment, position] = [value]

    for kind, *entry in read(folder):
        if kind == "answer":
            answered(*entry)
        elif kind == "change":
            sums.answers.setdefault((entry[0], entry[1]), []).append(entry[2])
        elif kind == "kept":
            sums.answers[entry[0], entry[1]].pop()
        elif kind == "draft":
            sums.drafts[entry[0], entry[1]] = (entry[2], entry[3], entry[2])
        elif kind == "unsure":
            revision, draft, _ = sums.drafts.get((entry[0], entry[1]), (0, None, 0))
            sums.drafts[entry[0], entry[1]] = (revision, draft, entry[2])
        elif kind == "seen":
            sums.feedback_read.add((entry[0], entry[1]))
        elif kind == "receipt":
            sums.submissions.add(entry[0])
            sums.credits |= {entry[0]} if entry[1] else set()
            for position, value in entry[2].items():
                answered(entry[0], int(position), value)
        elif kind == "import":
            sums.imports[entry[0]] = entry[1]
    return sums
