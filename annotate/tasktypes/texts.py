"""The initial texts for annotators in a new study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class StudyTexts:
    """The default texts for a new study in one language, in Markdown. Researchers can edit all texts.

    `options` contains the default values of the options that annotators read.
    """

    guidelines: str = ""
    worked_examples: str = ""
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class UpdateTexts:
    """The texts for the action that updates unopened questions: a heading, an explanation, and the label of the
    button.
    """

    heading: str
    explanation: str
    button: str


def read_texts(folder: Path, *, options: Mapping[str, str] | None = None) -> StudyTexts:
    """Return the texts in a folder with the files `guidelines.md` and, optionally, `worked_examples.md`."""
    examples = folder / "worked_examples.md"
    return StudyTexts(
        (folder / "guidelines.md").read_text(encoding="utf-8"),
        examples.read_text(encoding="utf-8") if examples.exists() else "",
        options or {},
    )
