"""Common chunks for all annotators of a sentence pair, and each annotator's links between these chunks.

Annotators can divide a sentence into different chunks. Their links can be compared only as links between the same
chunks.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from accord_core.chunks.numerics.chunks import UNLINKED, ChunkLink, IstsPair
from accord_core.numerics.labels import EQUAL

Chunk = tuple[int, ...]
Cell = tuple[int, int]
"""The indices of a source chunk and a target chunk among the common chunks."""


class CommonChunks(NamedTuple):
    """The common source and target chunks of a sentence pair, sorted by their first tokens."""

    source: list[Chunk]
    target: list[Chunk]


class ChunkVotes(NamedTuple):
    """An annotation that uses the common chunks.

    `links` contains the annotator's link for each cell. `unlinked_source` and `unlinked_target` contain the types,
    NOALI or ALIC, of the common chunks that the annotator left without a link, by index.
    """

    links: Mapping[Cell, ChunkLink]
    unlinked_source: Mapping[int, str]
    unlinked_target: Mapping[int, str]


def common_chunks(annotations: Sequence[IstsPair], initial: IstsPair | None = None) -> CommonChunks:
    """Return the most typical division of each sentence among the annotators.

    Each sentence gets the annotator's division with the highest mean F1 compared with all annotators' divisions. Two
    chunks agree if they have the same tokens. If several divisions tie, the function prefers the initial division, then
    the division with the fewest chunks, and finally the first division in sorted order.
    """
    return CommonChunks(
        _typical([each.source_chunks for each in annotations], initial.source_chunks if initial else []),
        _typical([each.target_chunks for each in annotations], initial.target_chunks if initial else []),
    )


def votes_of(annotation: IstsPair, chunks: CommonChunks) -> ChunkVotes:
    """Return an annotator's links between the common chunks.

    Two common chunks are linked if more than half of the words in both chunks together have a link to the other chunk.
    If several of the annotator's links connect the two chunks, the link with the most pairs of words counts. A common
    chunk is unlinked if more than half of its words are in chunks that the annotator marked as NOALI or ALIC.
    """
    source_of = {token: place for place, chunk in enumerate(chunks.source) for token in chunk}
    target_of = {token: place for place, chunk in enumerate(chunks.target) for token in chunk}
    words: dict[Cell, set[tuple[str, int]]] = defaultdict(set)
    weights: dict[Cell, Counter[ChunkLink]] = defaultdict(Counter)
    for link in annotation.links:
        for i in link.source:
            for j in link.target:
                if i in source_of and j in target_of:
                    cell = source_of[i], target_of[j]
                    words[cell] |= {("source", i), ("target", j)}
                    weights[cell][link] += 1
    links = {
        (a, b): weights[a, b].most_common(1)[0][0]
        for (a, b), linked in sorted(words.items())
        if 2 * len(linked) > len(chunks.source[a]) + len(chunks.target[b])
    }
    alone = [link for link in annotation.links if link.type in UNLINKED]
    return ChunkVotes(
        links,
        _unlinked(chunks.source, {token: link.type for link in alone if not link.target for token in link.source}),
        _unlinked(chunks.target, {token: link.type for link in alone if not link.source for token in link.target}),
    )


def _typical(divisions: Sequence[list[Chunk]], initial: list[Chunk]) -> list[Chunk]:
    sets = [frozenset(each) for each in divisions]
    totals = [sum(_f1(one, other) for other in sets) for one in sets]
    tied = [each for each, total in zip(divisions, totals, strict=True) if total >= max(totals) - EQUAL]
    return min(tied, key=lambda each: (each != initial, len(each), each))


def _f1(one: frozenset[Chunk], other: frozenset[Chunk]) -> float:
    both = len(one) + len(other)
    return 2 * len(one & other) / both if both else 1.0


def _unlinked(chunks: Sequence[Chunk], type_of: Mapping[int, str]) -> dict[int, str]:
    unlinked = {}
    for place, chunk in enumerate(chunks):
        types = Counter(type_of[token] for token in chunk if token in type_of)
        if 2 * types.total() > len(chunk):
            unlinked[place] = max(types, key=lambda name: (types[name], name))
    return unlinked
