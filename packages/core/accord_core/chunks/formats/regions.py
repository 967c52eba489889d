"""A chunk alignment represented as labelled regions of adjacent words and labelled relations between these regions.

Label Studio and INCEpTION can mark only adjacent words. A chunk whose words are not adjacent becomes several regions,
connected by relations labelled `same-chunk`. The labels of a relation between the sentences are the type, the flags and
the score of the link. The label of an unlinked chunk's region is the chunk's type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from accord_core.chunks.formats.ists_links import read_score, read_types, score_name
from accord_core.chunks.numerics.chunks import FLAGS, TOP_SCORE, TYPES, UNLINKED, ChunkLink, IstsPair
from accord_core.exchange.cells import shorten
from accord_core.exchange.faults import Fault

CHUNK, SAME = "chunk", "same-chunk"
SIDES = ("source", "target")
Chunk = tuple[str, tuple[int, ...]]


class Region(NamedTuple):
    """Adjacent words of one sentence: `side` is `source` or `target`, and `tokens` are the numbers of the words."""

    side: str
    tokens: tuple[int, ...]
    labels: tuple[str, ...] = (CHUNK,)
    line: int | None = None


class Relation(NamedTuple):
    """A relation between two regions, each identified by its position in a list of regions."""

    start: int
    end: int
    labels: tuple[str, ...]
    line: int | None = None


def regions_of(pair: IstsPair) -> tuple[list[Region], list[Relation]]:
    """Return a pair's regions and relations. `links_of` recreates the links from these regions and relations, but
    without comments.

    Links without any tokens are omitted. Regions are sorted by side, and linked chunks come first.
    """
    regions: list[Region] = []
    relations: list[Relation] = []

    def add(chunk: Chunk, labels: tuple[str, ...]) -> int:
        first = len(regions)
        for place, run in enumerate(_runs(chunk[1])):
            regions.append(Region(chunk[0], run, labels if place == 0 else (CHUNK,)))
            if place:
                relations.append(Relation(len(regions) - 2, len(regions) - 1, (SAME,)))
        return first

    linked = [link for link in pair.links if link.source and link.target]
    chunks = sorted({(side, getattr(link, side)) for link in linked for side in SIDES})
    place = {chunk: add(chunk, (CHUNK,)) for chunk in chunks}
    for link in pair.links:
        if bool(link.source) != bool(link.target):
            side = "source" if link.source else "target"
            add((side, getattr(link, side)), labels_of(link))
    relations += [
        Relation(place["source", link.source], place["target", link.target], labels_of(link)) for link in linked
    ]
    return regions, relations


def links_of(
    regions: Sequence[Region], relations: Iterable[Relation], faults: list[Fault], *, column: str
) -> tuple[ChunkLink, ...]:
    """Return a pair's links. The direction of a relation does not matter.

    A chunk without a relation and without a type is NOALI. A relation of type EQUI without a score has the score 5.
    Invalid labels and relations are added to `faults`, with the name of the `column`.
    """
    relations = list(relations)
    chunk_of, labels = _chunks(regions, [each for each in relations if each.labels == (SAME,)], faults)
    links = []
    used: set[Chunk] = set()
    for relation in relations:
        if relation.labels == (SAME,):
            continue
        both = (chunk_of[relation.start], chunk_of[relation.end])
        used.update(both)
        ends = dict(both)
        if len(ends) < len(SIDES):
            message = f"a relation connects two chunks of the {next(iter(ends))} sentence"
            faults.append(Fault(relation.line, column, f"{message}. Connect the parts of a chunk with “{SAME}”"))
        elif link := _link(ends["source"], ends["target"], relation.labels, relation.line, faults, column):
            links.append(link)
    typed = {chunk for chunk, types in labels if types}
    unlinked: list[ChunkLink] = []
    for number, (chunk, types) in enumerate(labels):
        if not types and (chunk in used | typed or chunk in [each for each, _ in labels[:number]]):
            continue
        source, target = (chunk[1] if chunk[0] == side else () for side in SIDES)
        if link := _link(source, target, types or (UNLINKED[0],), _line(chunk, regions), faults, column):
            unlinked.append(link)
    return (*links, *unlinked)


def labels_of(link: ChunkLink) -> tuple[str, ...]:
    """Return the labels of a link: its type, its flags, and its score, if any."""
    flags = [flag for flag in FLAGS if flag in link.flags]
    return (link.type, *flags, *([] if link.score is None else [score_name(link.score)]))


def _link(
    source: tuple[int, ...],
    target: tuple[int, ...],
    labels: Sequence[str],
    line: int | None,
    faults: list[Fault],
    column: str,
) -> ChunkLink | None:
    """Return the link with these labels, or None if the labels are invalid."""
    before = len(faults)

    def refuse(_: str, message: str) -> None:
        faults.append(Fault(line, column, message))

    names = [label for label in labels if not label[:1].isdigit()]
    scores = [label for label in labels if label[:1].isdigit()]
    if not names:
        faults.append(Fault(line, column, f"a relation must have a type as its label: {', '.join(TYPES)}"))
        return None
    if unknown := [name for name in names if name not in (*TYPES, *FLAGS)]:
        known = ", ".join((*TYPES, *FLAGS))
        faults.append(Fault(line, column, f"“{shorten(unknown[0])}” is not a type. The types and flags are {known}"))
        return None
    kind, flags = read_types("_".join(names), refuse)
    if len(scores) > 1:
        faults.append(Fault(line, column, f"a link must have one score, not {' and '.join(scores)}"))
    score: float | None = TOP_SCORE if kind == "EQUI" else None
    if scores:
        score = read_score(scores[0], kind, refuse)
    elif score is None and kind and kind not in UNLINKED:
        faults.append(Fault(line, column, f"the {kind} link must have a score from 0 to {TOP_SCORE} as a label"))
    if len(faults) > before:
        return None
    return ChunkLink(source, target, kind, flags, None if score is None else float(score), None, line)


def _chunks(
    regions: Sequence[Region], joins: Iterable[Relation], faults: list[Fault]
) -> tuple[list[Chunk], list[tuple[Chunk, tuple[str, ...]]]]:
    """Join the parts of chunks. Return the chunk of each region, and the labels of each chunk except `chunk`."""
    group = list(range(len(regions)))
    for join in joins:
        if regions[join.start].side != regions[join.end].side:
            faults.append(Fault(join.line, "relation", f"the label “{SAME}” connects words of two sentences"))
            continue
        old, new = group[join.end], group[join.start]
        group = [new if each == old else each for each in group]
    tokens: dict[int, set[int]] = {}
    types: dict[int, list[str]] = {}
    for number, region in zip(group, regions, strict=True):
        tokens.setdefault(number, set()).update(region.tokens)
        types.setdefault(number, []).extend(label for label in region.labels if label != CHUNK)
    chunks = {number: (regions[number].side, tuple(sorted(tokens[number]))) for number in tokens}
    return [chunks[number] for number in group], [(chunks[number], tuple(types[number])) for number in tokens]


def _line(chunk: Chunk, regions: Iterable[Region]) -> int | None:
    return next((each.line for each in regions if each.side == chunk[0] and each.tokens[0] in chunk[1]), None)


def _runs(tokens: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield each run of adjacent tokens."""
    run: list[int] = []
    for token in sorted(tokens):
        if run and token != run[-1] + 1:
            yield tuple(run)
            run = []
        run.append(token)
    yield tuple(run)
