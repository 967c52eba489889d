"""Typed and scored links between the chunks of two sentences, as in interpretable STS (SemEval 2015 and 2016)."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile

RELATIONS = ("EQUI", "OPPO", "SPE1", "SPE2", "SIMI", "REL")
"""The types of links. Each type describes the relation between the two linked chunks."""

UNLINKED = ("NOALI", "ALIC")
"""Unlinked chunks either have no match, or their match is already linked."""

TYPES = RELATIONS + UNLINKED
FLAGS = ("FACT", "POL")
TOP_SCORE = 5


@dataclass(frozen=True, slots=True)
class ChunkLink:
    """A link between a source chunk and a target chunk. Chunks contain token numbers, which start at 0 and need not be
    consecutive.

    An unlinked chunk is represented by a link with an empty side. `score` is a number from 0 to 5, or None for NIL.
    `comment` is free text. If `comment` is None, the words of the two chunks are written, as annotation tools do.
    `line` is the line of the link in the file and does not count when links are compared.
    """

    source: tuple[int, ...]
    target: tuple[int, ...]
    type: str
    flags: frozenset[str] = frozenset()
    score: float | None = None
    comment: str | None = None
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class IstsPair:
    """Two tokenised sentences and the links between their chunks.

    `text` is the original text of the pair, from the end of the previous pair to the beginning of the next pair, or
    None if the pair does not come from a file. `line` is the line of the pair's tag. Neither field counts when pairs
    are compared.
    """

    id: str
    source: tuple[str, ...]
    target: tuple[str, ...]
    links: tuple[ChunkLink, ...] = ()
    status: str = ""
    text: str | None = field(default=None, compare=False, repr=False)
    line: int | None = field(default=None, compare=False)

    @property
    def source_chunks(self) -> list[tuple[int, ...]]:
        """Return the source chunks without duplicates, sorted by their first tokens."""
        return sorted({link.source for link in self.links if link.source})

    @property
    def target_chunks(self) -> list[tuple[int, ...]]:
        """Return the target chunks without duplicates, sorted by their first tokens."""
        return sorted({link.target for link in self.links if link.target})


def final_punctuation(sentence: Sequence[str]) -> frozenset[int]:
    """Return the numbers of the punctuation marks at the end of a tokenised sentence.

    A mark consists only of characters of the Unicode categories P. A chunk of such marks needs no link.
    """
    marks = takewhile(lambda token: all(unicodedata.category(sign)[0] == "P" for sign in token), reversed(sentence))
    count = len(list(marks))
    return frozenset(range(len(sentence) - count, len(sentence)))
