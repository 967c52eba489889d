"""Word links, sure and possible, and how two alignments of a sentence pair compare (Och and Ney 2003)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Link = tuple[int, int]
"""A source token and a target token, both counted from 0."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """The links of one sentence pair. A link is sure or possible, never both: `possible` holds those that are not sure.

    The papers' P, which contains S, is `links`.
    """

    sure: frozenset[Link] = frozenset()
    possible: frozenset[Link] = frozenset()

    def __post_init__(self) -> None:
        if both := self.sure & self.possible:
            raise ValueError(f"link {min(both)} is both sure and possible")

    @classmethod
    def of(cls, sure: Iterable[Link] = (), possible: Iterable[Link] = ()) -> Alignment:
        return cls(frozenset(sure), frozenset(possible))

    @property
    def links(self) -> frozenset[Link]:
        return self.sure | self.possible
