"""Functions that compare two versions of a text word by word or line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

CONTEXT = 2  # unchanged lines around each change
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
LONGEST = 250_000  # product of the numbers of words in two blocks that are compared word by word
_WORDS = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True)
class Change:
    """A part of a text. The kind is `same`, `added`, `removed`, or `gap` for omitted unchanged lines."""

    kind: str
    text: str


def text_changes(before: str, after: str) -> list[Change]:
    """Return the parts of both versions in reading order. At each change, the removed text precedes the added text.

    Lines are compared first. Words are compared only within lines that differ, because a comparison of all words in
    long texts would be slow. Different line ends, as in browsers and files, do not count as changes.
    """
    parts: list[Change] = []
    versions = (_LINES.findall(text.replace("\r\n", "\n")) for text in (before, after))
    for kind, old, new in _compare(*versions):
        for same, removed, added in _by_word(old, new) if kind == "replace" else [(kind == "equal", old, new)]:
            if same:
                _append(parts, "same", "".join(added))
            else:
                _append(parts, "removed", "".join(removed))
                _append(parts, "added", "".join(added))
    return parts


def line_changes(before: str, after: str) -> list[Change]:
    """Return the removed and added lines in reading order, with the unchanged lines around them. The list is empty if
    the text has not changed.
    """
    old, new = before.splitlines(), after.splitlines()
    lines: list[Change] = []
    end = 0
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(CONTEXT):
        if group[0][1] > end:
            lines.append(Change("gap", ""))
        for kind, first, last, new_first, new_last in group:
            lines += [Change("same" if kind == "equal" else "removed", text) for text in old[first:last]]
            if kind != "equal":
                lines += [Change("added", text) for text in new[new_first:new_last]]
        end = group[-1][2]
    return [*lines, Change("gap", "")] if lines and end < len(old) else lines


def _by_word(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[bool, Sequence[str], Sequence[str]]]:
    """Compare replaced lines word by word. If both blocks have the same number of lines, compare each line with its
    counterpart.

    Long blocks are not compared, because the time grows with the product of their lengths.
    """
    pairs = zip(old, new, strict=True) if len(old) == len(new) else [("".join(old), "".join(new))]
    for removed, added in pairs:
        words, new_words = _WORDS.findall(removed), _WORDS.findall(added)
        if len(words) * len(new_words) > LONGEST:
            yield False, words, new_words
        else:
            for kind, one, other in _compare(words, new_words):
                yield kind == "equal", one, other


def _compare(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[str, Sequence[str], Sequence[str]]]:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, start, end, new_start, new_end in matcher.get_opcodes():
        yield kind, before[start:end], after[new_start:new_end]


def _append(parts: list[Change], kind: str, text: str) -> None:
    """Append a part, or extend the previous part if both are of the same kind."""
    if not text:
        return
    if parts and parts[-1].kind == kind:
        text = parts.pop().text + text
    parts.append(Change(kind, text))
