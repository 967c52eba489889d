"""A writer of sentences whose figures are named by the paths of their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import Formatter
from typing import Any

from accord_core.numerics.printed import count
from annotate.tasktypes import MethodText
from reporting.sentences import Figure, Sentence, value_at

Path = str | tuple[str, Callable[[Any], str]]


class Writer:
    """Writes sentences from `values`, which maps `result`, `facts`, `counts` and `answers` to the study's values."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values

    def at(self, path: str) -> Any:
        """Return the value at a path, or None if there is none, as in releases by earlier versions."""
        try:
            return value_at(self.values, path)
        except LookupError:
            return None

    def sentence(self, template: str, **figures: Path) -> Sentence:
        return self.written(MethodText(template, figures))

    def written(self, text: MethodText) -> Sentence:
        """Return the sentence with its figures. Raise LookupError if a path has no value."""
        figures = {name: self._figure(path) for name, path in text.figures.items()}
        citations = {each.key: each.cited for each in text.publications}
        return Sentence(self._with_nouns(text), figures, citations)

    def _figure(self, path: Path) -> Figure:
        where, printed = (path, _printed) if isinstance(path, str) else path
        value = value_at(self.values, where)
        if value is None:
            raise LookupError(f"the value at {where} is undefined")
        return Figure(printed(value), where)

    def _with_nouns(self, text: MethodText) -> str:
        """Return the template with nouns in the right number, as in “{items} items” for `{items:item}`."""
        written = []
        for literal, name, noun, _ in Formatter().parse(text.template):
            written.append(literal.replace("{", "{{").replace("}", "}}"))
            if name is not None:
                written.append(f"{{{name}}}{self._noun(text, name, noun)}")
        return "".join(written)

    def _noun(self, text: MethodText, name: str, noun: str | None) -> str:
        if not noun:
            return ""
        path = text.figures[name]
        value = value_at(self.values, path if isinstance(path, str) else path[0])
        one, _, many = noun.partition(",")
        return f" {one}" if _number(value) == 1 else f" {many or f'{one}s'}"


def _printed(value: Any) -> str:
    """Print text as it is, and a whole number or the length of a list with thousands separators."""
    return value if isinstance(value, str) else count(_number(value))


def _number(value: Any) -> int:
    return len(value) if isinstance(value, list) else int(value)
