"""Versions of a study's guidelines, and the lines that changed between two versions."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher

from annotate.models import Guidelines, Study

CONTEXT = 2  # unchanged lines around each change


@dataclass(frozen=True)
class Line:
    """A line of a comparison. `kind` is `same`, `removed` or `added`, or `gap` for omitted unchanged lines."""

    kind: str
    text: str


@dataclass(frozen=True)
class Part:
    """The changed lines of the instructions or of the worked examples."""

    title: str
    lines: list[Line]


def versions_of(study: Study) -> list[Guidelines]:
    """Return the stored versions, newest first, without their texts."""
    return list(study.guidelines.defer("instructions", "examples").order_by("-version"))


def changes_in(version: Guidelines) -> list[Part]:
    """Return the changes since the previous version. The first version counts as completely new."""
    before = Guidelines.objects.filter(study=version.study_id, version=version.version - 1).first()
    parts = [
        Part("Instructions", changed_lines(before.instructions if before else "", version.instructions)),
        Part("Worked examples", changed_lines(before.examples if before else "", version.examples)),
    ]
    return [part for part in parts if part.lines]


def changed_lines(before: str, after: str) -> list[Line]:
    """Return the removed and added lines with the unchanged lines around them."""
    old, new = before.splitlines(), after.splitlines()
    lines: list[Line] = []
    end = 0
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(CONTEXT):
        if group[0][1] > end:
            lines.append(Line("gap", ""))
        for kind, first, last, new_first, new_last in group:
            if kind == "equal":
                lines += [Line("same", text) for text in old[first:last]]
            else:
                lines += [Line("removed", text) for text in old[first:last]]
                lines += [Line("added", text) for text in new[new_first:new_last]]
        end = group[-1][2]
    return [*lines, Line("gap", "")] if lines and end < len(old) else lines
