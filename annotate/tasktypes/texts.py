"""The initial texts for annotators in a new study. Researchers can edit all texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from gettext import NullTranslations, translation
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_FOLDERS = (_ROOT / "annotate" / "shared" / "locale", _ROOT / "locale")  # of a wheel, and of the sources
_WRAPPED = re.compile(r"(?<!^>)\n(?!\s*(?:[-*>]|\d+\.)(?:\s|$)) *", re.MULTILINE)  # a line break within a sentence


@dataclass(frozen=True)
class StudyTexts:
    """The default texts for a new study, in Markdown. `options` contains the default values of the options that
    annotators read.
    """

    guidelines: str = ""
    worked_examples: str = ""
    options: Mapping[str, str] = field(default_factory=dict)

    def marked(self) -> list[str]:
        """Return the texts to translate: paragraphs, lists and the values of options."""
        return [*_paragraphs(self.guidelines), *_paragraphs(self.worked_examples), *self.options.values()]

    def translated(self, language: str, *locales: Path) -> StudyTexts:
        """Return the texts in the language of a BCP 47 tag, or unchanged without translations into it. The folders
        `locales` of a task type's package come before Accord's.
        """
        code = language.partition("-")[0].lower()
        folder = next((each for each in (*locales, *_FOLDERS) if (each / code).is_dir()), None)
        if not code or folder is None:
            return self
        texts = translation("django", folder, [code])
        options = dict(zip(self.options, map(texts.gettext, self.options.values()), strict=True))
        return StudyTexts(_translated(self.guidelines, texts), _translated(self.worked_examples, texts), options)


@dataclass(frozen=True)
class UpdateTexts:
    """The texts for the action that updates unopened questions: a heading, an explanation, and the label of the
    button.
    """

    heading: str
    explanation: str
    button: str


def _translated(text: str, texts: NullTranslations) -> str:
    return "\n\n".join(map(texts.gettext, _paragraphs(text)))


def _paragraphs(text: str) -> list[str]:
    """Return the paragraphs and lists of a text, with each sentence on one line."""
    return [_WRAPPED.sub(" ", paragraph) for paragraph in re.split(r"\n{2,}", text.strip()) if paragraph]
