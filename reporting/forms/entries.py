"""Checklists and datasheets as lists of entries, with their answers and the questions that are still open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from django.utils.safestring import SafeString, mark_safe

from accord_core.exchange.printed_tables import escape_markdown
from reporting.forms.basis import Basis
from reporting.sentences import Sentence, html, markdown

Answer = Sequence[Sentence]
By = Literal["study", "authors", ""]
OPEN = "*Not answered yet.*"


@dataclass(frozen=True)
class Ask:
    """A question of a document. `study` answers it from the study, and `author` names the authors' questions that add
    to this answer or give it.

    An answer that only `assumes` something, such as that there was no power analysis outside Accord, must be checked by
    the authors, whose own answer replaces it. `settled_by` names the source of the answer if it is neither the authors
    nor the settings.
    """

    number: str
    text: str
    study: Callable[[Basis], Answer] = lambda basis: ()
    author: tuple[str, ...] = ()
    assumes: bool = False
    replaces: bool = False
    settled_by: str = ""

    @property
    def who(self) -> str:
        """Who can answer the question if it is open."""
        return self.settled_by or ("Authors" if self.author else "Settings of the study")


@dataclass(frozen=True)
class Section:
    title: str
    questions: Sequence[Ask]


@dataclass(frozen=True)
class Entry:
    """A question with its answer, which is empty if the question is open."""

    ask: Ask
    answer: Answer
    from_study: bool
    check: bool

    @property
    def is_open(self) -> bool:
        return not self.answer

    @property
    def html(self) -> SafeString:
        """The answer as HTML, in which each sentence escapes its texts."""
        return mark_safe(html(self.answer))  # noqa: S308


@dataclass(frozen=True)
class Form:
    """A document of questions and answers. `slug` is its file name without the suffix `.md`."""

    slug: str
    title: str
    source: str
    sections: Sequence[tuple[str, Sequence[Entry]]]

    @property
    def entries(self) -> list[Entry]:
        return [entry for _, entries in self.sections for entry in entries]

    @property
    def open(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.is_open]

    @property
    def to_check(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.check]

    @property
    def answered(self) -> int:
        return len(self.entries) - len(self.open)

    @property
    def prefilled(self) -> int:
        """The number of questions that are answered from the study alone."""
        return sum(entry.from_study for entry in self.entries)

    def markdown(self) -> str:
        parts = [f"# {self.title}", self.source]
        for title, entries in self.sections:
            parts.append(f"## {title}")
            for entry in entries:
                number = f"{entry.ask.number} " if entry.ask.number else ""
                parts.append(f"### {number}{escape_markdown(entry.ask.text)}")
                parts.append(markdown(entry.answer) if entry.answer else OPEN)
        return "\n\n".join(parts) + "\n"


def filled_form(slug: str, title: str, source: str, sections: Sequence[Section], basis: Basis) -> Form:
    """Answer the questions of a document."""
    return Form(
        slug,
        title,
        source,
        [(section.title, [_entry(ask, basis) for ask in section.questions]) for section in sections],
    )


def _entry(ask: Ask, basis: Basis) -> Entry:
    study = list(ask.study(basis))
    authors = [sentence for name in ask.author for sentence in basis.answered(name)]
    own = study if not (authors and (ask.assumes or ask.replaces)) else []
    return Entry(ask, [*own, *authors], bool(study), check=ask.assumes and bool(own))
