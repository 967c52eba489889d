"""Sentences that report a study. Every number in a sentence has a name, a text, and the path of its value. All formats
therefore print the same numbers, and a test can compare each number with the report.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from string import Formatter
from typing import Any

from accord_core.exchange.printed_tables import escape_latex, escape_markdown

_MACRO = re.compile(r"[a-z]+(?:_[a-z]+)*")
_STEP = re.compile(r"\[(\d+)\]|\.?([^.\[\]]+)")
# Text at the start of a paragraph that Markdown reads as a heading, a list, a rule or an underline.
_MARKDOWN_START = re.compile(r"\d+(?=[.)])|(?=[-+#=])")
_CONTROLS = dict.fromkeys([*range(9), *range(14, 32), 127], "")


@dataclass(frozen=True)
class Figure:
    """A number, or another text that comes from the study, and the path of its value, such as
    `result.headline.ends[0].value` or `facts.judgements`.
    """

    text: str
    path: str

    @classmethod
    def at(cls, values: Mapping[str, Any], path: str, printed: Callable[[Any], str]) -> Figure:
        """Print the value at a path. Raise LookupError if `values` contains no such path."""
        return cls(printed(value_at(values, path)), path)

    @property
    def line(self) -> str:
        """The text on one line, without control characters and without spaces at its ends."""
        return " ".join(self.text.translate(_CONTROLS).split())


@dataclass(frozen=True)
class Sentence:
    """One or more sentences. In the template, `{name}` stands for a figure, and `{@key}` or `{@key,other}` for a
    citation.

    `figures` maps names to figures. A name consists of lower-case letters and underscores, because it also becomes a
    LaTeX macro. `citations` maps BibTeX keys to authors and year, such as “Louviere and Woodworth, 1991”. Raise
    ValueError if the template and the two mappings do not fit together.
    """

    template: str
    figures: Mapping[str, Figure] = field(default_factory=dict)
    citations: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        used = [name for _, name in self._parts() if name is not None]
        cited = {key for name in used if name[:1] == "@" for key in name[1:].split(",")}
        differing = ({name for name in used if name[:1] != "@"} ^ self.figures.keys()) | (cited ^ self.citations.keys())
        if differing:
            raise ValueError(f"“{self.template}” does not use exactly these names: {', '.join(sorted(differing))}")
        if faulty := [name for name in self.figures if not _MACRO.fullmatch(name)]:
            raise ValueError(f"“{faulty[0]}” cannot name a figure. Use lower-case letters and underscores")

    def plain(self) -> str:
        """Return the text without markup."""
        return "".join(self._rendered(str, lambda name, figure: figure.line, self._in_brackets))

    def markdown(self) -> str:
        return "".join(
            self._rendered(
                _markdown_part,
                lambda name, figure: escape_markdown(figure.line),
                lambda keys: _markdown_part(self._in_brackets(keys)),
            )
        )

    def html(self) -> str:
        """Return the text with each figure in a `data` element, and each citation as a link to `#ref-KEY`."""
        return "".join(self._rendered(escape, lambda name, figure: _data(figure), self._links))

    def latex(self) -> str:
        r"""Return the text with a macro for each figure and `\citep` for each citation. `macros` defines the macros."""
        return "".join(
            self._rendered(
                _latex_part,
                lambda name, figure: f"\\{macro(name)}{{}}",
                lambda keys: f"\\citep{{{','.join(keys)}}}",
            )
        )

    def _parts(self) -> Iterator[tuple[str, str | None]]:
        for text, name, _, _ in Formatter().parse(self.template):
            yield text, name

    def _rendered(
        self, text: Callable[[str], str], figure: Callable[[str, Figure], str], citation: Callable[[list[str]], str]
    ) -> Iterator[str]:
        for literal, name in self._parts():
            if literal:
                yield text(literal)
            if name is None:
                continue
            yield citation(name[1:].split(",")) if name[0] == "@" else figure(name, self.figures[name])

    def _in_brackets(self, keys: list[str]) -> str:
        return f"({'; '.join(self.citations[key] for key in keys)})"

    def _links(self, keys: list[str]) -> str:
        links = (f'<a href="#ref-{escape(key)}">{escape(self.citations[key])}</a>' for key in keys)
        return f"({'; '.join(links)})"


def value_at(values: Mapping[str, Any], path: str) -> Any:
    """Return the value at a path such as `result.headline.ends[0].value`. Raise LookupError if there is none."""
    value: Any = values
    for place, key in _STEP.findall(path):
        try:
            value = value[int(place)] if place else value[key]
        except (LookupError, TypeError) as error:
            raise LookupError(f"there is no value at {path}") from error
    return value


def markdown(sentences: Iterable[Sentence]) -> str:
    """Return a paragraph."""
    text = " ".join(sentence.markdown() for sentence in sentences).strip()
    start = _MARKDOWN_START.match(text)
    return text if start is None else f"{start[0]}\\{text[start.end() :]}"


def html(sentences: Iterable[Sentence]) -> str:
    """Return the sentences of a paragraph, without the element around them."""
    return " ".join(sentence.html() for sentence in sentences)


def latex(sentences: Iterable[Sentence]) -> str:
    """Return a paragraph with one sentence per line, so that a new report changes few lines."""
    return "\n".join(sentence.latex() for sentence in sentences)


def macros(sentences: Iterable[Sentence]) -> str:
    """Return the definitions of all macros as a LaTeX file, sorted by name.

    Raise ValueError if a name stands for two different figures.
    """
    figures: dict[str, Figure] = {}
    for sentence in sentences:
        for name, figure in sentence.figures.items():
            if figures.setdefault(name, figure) != figure:
                raise ValueError(f"“{name}” stands for {figures[name]} and for {figure}")
    return "".join(
        f"\\newcommand{{\\{macro(name)}}}{{{escape_latex(figure.line)}}} % {_comment(figure.path)}\n"
        for name, figure in sorted(figures.items())
    )


def macro(name: str) -> str:
    """Return the name of a figure's macro, such as `accordHourlyWage` for `hourly_wage`."""
    return "accord" + "".join(word.capitalize() for word in name.split("_"))


def _markdown_part(text: str) -> str:
    """Escape a part of a line, and keep the spaces at its ends."""
    return _between_spaces(text, escape_markdown)


def _latex_part(text: str) -> str:
    """Escape a part of a line, and keep the spaces at its ends."""
    return _between_spaces(text, escape_latex)


def _between_spaces(text: str, escaped: Callable[[str], str]) -> str:
    inside = escaped(text)
    before, after = (" " if text and end.isspace() else "" for end in (text[:1], text[-1:]))
    return f"{before}{inside}{after if inside else ''}"


def _data(figure: Figure) -> str:
    return f'<data value="{escape(figure.line)}" data-path="{escape(figure.path)}">{escape(figure.line)}</data>'


def _comment(path: str) -> str:
    """Return a path as a LaTeX comment. A line break would end the comment."""
    return " ".join(path.split())
