"""Functions that detect texts in annotators' templates and JavaScript that are not marked for translation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from django.template.base import Lexer, TokenType

HIDDEN = "\ue000"  # stands for a template tag or variable
NOT_TRANSLATED = frozenset({"Accord", "HIT", "Esc", "Enter", "Tab", "Ctrl", "Shift"})  # names, and the labels of keys
RAW_ELEMENTS = frozenset({"kbd", "code", "script", "style", "svg", "output"})
ATTRIBUTES = frozenset({"alt", "aria-label", "aria-description", "aria-valuetext", "label", "placeholder", "title"})
CODE_EXAMPLE = re.compile(r"[A-Z0-9]{4}(-[A-Z0-9]{4})+")
_ATTRIBUTE = re.compile(r'[\w-]+="[^"]*"')  # in a template block inside a tag
_LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"|\'((?:[^\'\\\n]|\\.)*)\'|`((?:[^`\\]|\\.)*)`')
_COMMENT = re.compile(r"(?s)/\*.*?\*/|(?<![:\\])//[^\n]*")
# These technical strings in JavaScript look like text but need no translation.
_TECHNICAL = frozenset({"Participation X", "X · Accord", "Content-Type", "Accept-Language", "Authorization"})


def in_template(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line number and content of each unmarked text in a template."""
    parser = _Texts()
    parser.feed(_without_tags(source))
    parser.close()
    yield from parser.texts


def in_script(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line number and content of each JavaScript string that looks like user-facing text."""
    code = _COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), source)
    for literal in _LITERAL.finditer(code):
        text = re.sub(r"\$\{[^}]*\}", "X", next(group for group in literal.groups() if group is not None))
        if text not in _TECHNICAL and _reads_like_text(text):
            yield code.count("\n", 0, literal.start()) + 1, text


def _reads_like_text(text: str) -> bool:
    phrase = re.match(r"(X |[“„‘])?[A-Z][a-z]+('[a-z]+)? [A-Za-z]", text) and not re.search(r"[<>{};=#]", text)
    sentence = re.search(r"[a-z]+ [a-z]+[.!?…]$", text)
    quoted = re.search(r"[“”„‘]", text) and not re.search(r"[\[\]\\]", text)
    return bool(phrase or sentence or quoted)


def _without_tags(source: str) -> str:
    """Return the template with placeholders instead of template tags, variables and translated blocks. Line breaks are
    preserved so that line numbers remain correct.
    """
    parts = []
    translated = False
    for token in Lexer(source).tokenize():
        name = token.contents.split(" ", 1)[0] if token.token_type == TokenType.BLOCK else ""
        if name in ("blocktranslate", "blocktrans", "comment"):
            translated = True
        elif name in ("endblocktranslate", "endblocktrans", "endcomment"):
            translated = False
        if token.token_type == TokenType.TEXT and not translated:
            parts.append(token.contents)
        else:
            lines = token.contents.count("\n") if token.token_type == TokenType.TEXT else 0
            parts.append(HIDDEN + "\n" * lines)
    return "".join(parts)


class _Texts(HTMLParser):
    """A parser that collects text nodes and attributes that contain words."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[tuple[int, str]] = []
        self._raw: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in RAW_ELEMENTS:
            self._raw.append(tag)
        for name, value in attributes:
            if name in ATTRIBUTES:
                self._note(value or "")

    def handle_endtag(self, tag: str) -> None:
        if self._raw and self._raw[-1] == tag:
            self._raw.pop()

    def handle_data(self, data: str) -> None:
        if not self._raw:
            self._note(data)

    def _note(self, text: str) -> None:
        words = re.findall(r"[^\W\d_]{2,}", CODE_EXAMPLE.sub("", _ATTRIBUTE.sub("", text)))
        if any(word not in NOT_TRANSLATED for word in words):
            self.texts.append((self.getpos()[0], re.sub(r"\s+", " ", re.sub(f"{HIDDEN}+", "…", text)).strip()))
