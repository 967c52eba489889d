"""The texts for annotators with which a new study starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class StudyTexts:
    """The default texts of a new study in one language, in Markdown. Researchers can edit all texts.

    `options` contains the default values of the options that annotators read.
    """

    guidelines: str = ""
    worked_examples: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
