"""Aligned sentence pairs in memory, independent of their file format. Links are either sure or possible. Token numbers
start at 0, and there is no NULL token.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from accord_core.exchange.cells import shorten
from accord_core.exchange.faults import Fault
from accord_core.pairs.numerics.links import Alignment, Link

Tokens = tuple[str, ...]
IdKind = Literal["own", "numbers", "none"]
NO_LINKS = Alignment()


class SentencePair(NamedTuple):
    """A sentence pair and the word links in it. `id`, the sentences and `line` are None if the file does not contain
    them.
    """

    id: str | None
    source: Tokens | None
    target: Tokens | None
    alignment: Alignment = NO_LINKS
    line: int | None = None

    @property
    def sizes(self) -> tuple[int, int] | None:
        """Return the number of tokens in each sentence, or None if the sentences are unknown."""
        return sizes(self.source, self.target)


@dataclass(frozen=True, slots=True)
class Corpus:
    """The sentence pairs in a file, in file order. `notes` describes content of the file that was excluded.

    `ids` describes the IDs: `own` for the pairs' own IDs, `numbers` for numbers that start at 1, or `none` if pairs are
    identified by position.
    """

    name: str
    format: str
    ids: IdKind
    pairs: list[SentencePair]
    notes: list[str] = field(default_factory=list)


_NOTATION = re.compile(r"(\d{1,9})([-?p])(\d{1,9})", re.ASCII)


class Links:
    """The links of a sentence pair, collected while a file is read. Invalid links are reported in `faults`.

    `base` is the number of the first token. With base 1, a link to 0 is a link to NULL. Such links are counted in
    `null` and excluded. `sizes` contains the number of tokens in the two sentences, if known.
    """

    def __init__(self, faults: list[Fault], *, base: int = 0, sizes: tuple[int, int] | None = None) -> None:
        self.faults = faults
        self.base = base
        self.sizes = sizes
        self.null = 0
        self._line_of: dict[Link, int | None] = {}
        self._kinds: dict[Link, bool] = {}

    def add(
        self, source: int, target: int, *, possible: bool, line: int | None, column: str | None, text: str = ""
    ) -> None:
        """Add a link whose token numbers start at `base`. `text` is the link as written in the file."""
        text = text or f"{source}-{target}"
        if self.base and 0 in (source, target):
            self.null += 1
            return
        if fault := self._out_of_range(source, target):
            self.faults.append(Fault(line, column, f"link {text}: {fault}"))
            return
        link = source - self.base, target - self.base
        if self._kinds.setdefault(link, possible) != possible:
            earlier = self._line_of[link]
            where = f" on line {earlier}" if earlier not in (None, line) else ""
            first = "sure" if possible else "possible"
            message = (
                f"the link {text} is {first}{where}, but {'possible' if possible else 'sure'} "
                "here. Remove one of the two"
            )
            self.faults.append(Fault(line, column, message))
            return
        self._line_of.setdefault(link, line)

    def add_notation(self, text: str, *, line: int | None, column: str | None, possible: bool = False) -> None:
        """Add links written as `0-0 1-2`. The notations `3?4` and `3p4` mark possible links. If `possible` is true, all
        links are possible links.
        """
        for notation in text.split():
            found = _NOTATION.fullmatch(notation)
            if found is None:
                message = f"{shorten(notation)!r} is not a link. Write a sure link as 3-4, and a possible link as 3?4"
                self.faults.append(Fault(line, column, message))
                continue
            kind = possible or found[2] != "-"
            self.add(int(found[1]), int(found[3]), possible=kind, line=line, column=column, text=notation)

    def alignment(self) -> Alignment:
        return Alignment.of(
            (link for link, possible in self._kinds.items() if not possible),
            (link for link, possible in self._kinds.items() if possible),
        )

    def _out_of_range(self, source: int, target: int) -> str | None:
        if self.sizes is None:
            return None
        for token, size, side in zip((source, target), self.sizes, ("source", "target"), strict=True):
            if token - self.base >= size:
                return f"the {side} sentence has no token {token}, only tokens {self.base} to {size - 1 + self.base}"
        return None


def notation(alignment: Alignment, *, possible: str | None = "?") -> str:
    """Return the sorted links as text such as `0-0 1?2`. `possible` is the separator for possible links. If there is no
    such separator, possible links are not written.
    """
    signed = ((i, j, possible if kind else "-") for i, j, kind in each_link(alignment))
    return " ".join(f"{i}{sign}{j}" for i, j, sign in signed if sign)


def each_link(alignment: Alignment) -> Iterator[tuple[int, int, bool]]:
    """Yield the links in order, as (source, target, possible)."""
    for link in sorted(alignment.links):
        yield *link, link in alignment.possible


def sizes(source: Tokens | None, target: Tokens | None) -> tuple[int, int] | None:
    """Return the number of tokens in each sentence, or None if either sentence is unknown."""
    return (len(source), len(target)) if source and target else None


class Ids:
    """A check for repeated IDs. The error message contains the repeated ID."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = faults
        self._line_of: dict[str, int | None] = {}

    def add(self, key: str, line: int | None, column: str | None) -> None:
        if key in self._line_of:
            earlier = self._line_of[key]
            where = f"on line {earlier}" if earlier is not None else "in the file"
            message = f"the ID {shorten(key)} is already {where}. Give each pair its own ID"
            self.faults.append(Fault(line, column, message))
        self._line_of.setdefault(key, line)
