"""Versions of a study's guidelines, and the lines that differ between two versions."""

from __future__ import annotations

from dataclasses import dataclass

from annotate.models import Guidelines, Study
from annotate.web.text_changes import Change, line_changes


@dataclass(frozen=True)
class Part:
    """The changed lines in the instructions or the worked examples."""

    title: str
    lines: list[Change]


def versions_of(study: Study) -> list[Guidelines]:
    """Return the stored versions, newest first, without their texts."""
    return list(study.guidelines.defer("instructions", "examples").order_by("-version"))


def changes_in(version: Guidelines) -> list[Part]:
    """Return the changes since the previous version. All lines in the first version count as new."""
    before = Guidelines.objects.filter(study=version.study_id, version=version.version - 1).first()
    parts = [
        Part("Instructions", line_changes(before.instructions if before else "", version.instructions)),
        Part("Worked examples", line_changes(before.examples if before else "", version.examples)),
    ]
    return [part for part in parts if part.lines]
