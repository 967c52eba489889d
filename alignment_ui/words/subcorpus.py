"""The pairs in one subcorpus while a design is built."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from annotate.tasktypes import ItemDraft


@dataclass
class Subcorpus:
    """A subcorpus: the number of pairs excluded for each reason, the pairs not drawn, and the pairs in the design."""

    name: str
    pairs: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    spare: list[ItemDraft] = field(default_factory=list)
    asked: list[ItemDraft] = field(default_factory=list)
    twice: set[str] = field(default_factory=set)
    blank: set[str] = field(default_factory=set)
