"""Differences between a system's links and the gold links of interpretable STS, such as missing links and links with
different chunks, types or scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from accord_core.chunks.numerics.chunks import RELATIONS, TYPES, ChunkLink, IstsPair
from accord_core.chunks.numerics.scores import words_among

Kind = Literal["missing", "extra", "chunks", "type", "score", "type and score"]

NO_LINK = "none"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A gold link and a system link that share token links but are not equal, or a link without a counterpart.

    `kind` is `missing` if only the gold file contains the link and `extra` if only the system's file contains the link.
    Otherwise, `kind` names the difference. If types and scores are equal, the difference is in the `chunks`.
    `source` and `target` are the tokens of the sentence pair in the gold file.
    """

    pair: str
    kind: Kind
    gold: ChunkLink | None
    system: ChunkLink | None
    source: Sequence[str]
    target: Sequence[str]

    @property
    def score_difference(self) -> float | None:
        """Return the system's score minus the gold score, or None if one of the links is missing."""
        if self.gold is None or self.system is None:
            return None
        return (self.system.score or 0.0) - (self.gold.score or 0.0)


@dataclass(frozen=True, slots=True)
class Mismatches:
    """The differences in gold-file order, and the counts of all compared links.

    `types` counts the pairs of a gold type and a system type over all gold and system links that share token links. A
    link without a counterpart counts with the type `none` on the other side. `differences` counts the score differences
    (system minus gold) over the links with a counterpart.
    """

    rows: list[Mismatch]
    types: Counter[tuple[str, str]]
    differences: Counter[float]

    @property
    def kinds(self) -> Counter[str]:
        return Counter(row.kind for row in self.rows)

    @property
    def type_table(self) -> tuple[list[str], list[list[int]]]:
        """Return the type names, and a table of counts with gold types as rows and system types as columns."""
        occurring = {name for both in self.types for name in both}
        names = [*(name for name in TYPES if name in RELATIONS or name in occurring), NO_LINK]
        return names, [[self.types[row, column] for column in names] for row in names]

    @property
    def mean_score_difference(self) -> float | None:
        """Return the mean of the score differences (system minus gold), or None if no link has a counterpart."""
        number = self.differences.total()
        return sum(each * count for each, count in self.differences.items()) / number if number else None

    @property
    def mean_absolute_score_difference(self) -> float | None:
        """Return the mean absolute difference between the two scores, or None if no link has a counterpart."""
        number = self.differences.total()
        return sum(abs(each) * count for each, count in self.differences.items()) / number if number else None


def mismatches(gold: Iterable[IstsPair], system: Iterable[IstsPair]) -> Mismatches:
    """Compare a system's links with the gold links of all sentence pairs, which are matched by ID.

    Like the measures, the comparison ignores unlinked chunks and punctuation, and if two links connect the same tokens,
    the later link counts. A link that shares token links with several links is compared with each of these links.
    """
    gold, system = list(gold), list(system)
    tokens = {pair.id: (pair.source, pair.target) for pair in gold}
    links_of_gold, links_of_system = _links(gold), _links(system)
    rows: list[Mismatch] = []
    types: Counter[tuple[str, str]] = Counter()
    differences: Counter[float] = Counter()
    for name in {**links_of_gold, **links_of_system}:
        source, target = tokens.get(name, ((), ()))
        for one, other in _counterparts(links_of_gold.get(name, []), links_of_system.get(name, []), source, target):
            types[one.type if one else NO_LINK, other.type if other else NO_LINK] += 1
            row = Mismatch(name, "chunks", one, other, source, target)
            if row.score_difference is not None:
                differences[row.score_difference] += 1
            if kind := _kind(one, other):
                rows.append(Mismatch(name, kind, one, other, source, target))
    return Mismatches(rows, types, differences)


def _links(pairs: Iterable[IstsPair]) -> dict[str, list[ChunkLink]]:
    links: dict[str, list[ChunkLink]] = {}
    for pair in pairs:
        links.setdefault(pair.id, []).extend(pair.links)
    return links


def _counterparts(
    gold: Sequence[ChunkLink], system: Sequence[ChunkLink], source: Sequence[str], target: Sequence[str]
) -> Iterator[tuple[ChunkLink | None, ChunkLink | None]]:
    """Return each gold link with every system link that shares token links with it, and the links without a
    counterpart.
    """
    by_gold, by_system = _numbers(gold, source, target), _numbers(system, source, target)
    both = sorted({(by_gold[tokens], by_system[tokens]) for tokens in by_gold.keys() & by_system.keys()})
    matched_gold, matched_system = {one for one, _ in both}, {other for _, other in both}
    for number in sorted(set(by_gold.values())):
        if number not in matched_gold:
            yield gold[number], None
        yield from ((gold[one], system[other]) for one, other in both if one == number)
    for number in sorted(set(by_system.values()) - matched_system):
        yield None, system[number]


def _numbers(links: Sequence[ChunkLink], source: Sequence[str], target: Sequence[str]) -> dict[tuple[int, int], int]:
    """Return the number of the last link between each pair of connected tokens."""
    return {
        (i, j): number
        for number, link in enumerate(links)
        for i in words_among(link.source, source)
        for j in words_among(link.target, target)
    }


def _kind(gold: ChunkLink | None, system: ChunkLink | None) -> Kind | None:
    if system is None:
        return "missing"
    if gold is None:
        return "extra"
    types = (gold.type, gold.flags) != (system.type, system.flags)
    scores = (gold.score or 0.0) != (system.score or 0.0)
    if types and scores:
        return "type and score"
    if types:
        return "type"
    if scores:
        return "score"
    return None if (gold.source, gold.target) == (system.source, system.target) else "chunks"
