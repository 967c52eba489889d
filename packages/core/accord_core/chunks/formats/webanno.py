"""The WebAnno TSV 3.3 format, which INCEpTION also reads and writes, for chunk alignments.

A pair is two sentences of the document: the source sentence and the target sentence. Chunks are annotations of the
layer `Chunk`. Each link is a relation of the layer `ChunkLink`, which is written in the row of the first word of the
target chunk, with the first word of the source chunk and the numbers of both chunks:

    #Sentence.id=p1/source
    #Text=A cat sleeps
    1-1	0-1	A	chunk[1]	_	_	_
    1-2	2-5	cat	chunk[1]	_	_	_
    1-3	6-12	sleeps	NOALI	_	_	_

    #Sentence.id=p1/target
    #Text=It slept
    2-1	13-15	It	chunk	4	SPE1	1-1[1_0]
    2-2	16-21	slept	NOALI	_	_	_

An annotation of one word has no number, unless several annotations contain the word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from accord_core.chunks.formats.regions import CHUNK, SAME, SIDES, Region, Relation, links_of, regions_of
from accord_core.chunks.numerics.chunks import IstsPair
from accord_core.exchange.cells import shorten
from accord_core.exchange.faults import Fault, TableError, raise_faults
from accord_core.pairs.formats.corpus import Ids
from accord_core.pairs.formats.webanno_document import (
    EMPTY,
    FORMAT,
    Layer,
    Sentence,
    read_document,
    relation_layer,
    sentence_head,
    unescape,
    units,
)

NAME = "webanno"
CHUNKS, LINKS = "webanno.custom.Chunk", "webanno.custom.ChunkLink"
HEADER = f"{FORMAT}.3\n#T_SP={CHUNKS}|label\n#T_RL={LINKS}|score|type|BT_{CHUNKS}\n"
UNSET = "*"  # an annotation without a value

_PARTS = re.compile(r"(?<!\\)\|")
_NUMBERED = re.compile(r"(.*?)(?:(?<!\\)\[(\d+)\])?", re.ASCII)
_END = re.compile(r"(\d+)-(\d+)(?:\[(\d+)(?:_(\d+))?\])?", re.ASCII)

Place = tuple[int, int]
"""The address of a token: the zero-based index of its sentence, and its number in this sentence."""


def read_webanno(data: bytes, *, name: str) -> list[IstsPair]:
    """Return the pairs in a document. The direction of a relation does not matter. A pair without an ID is numbered by
    its position, starting at 1.

    The relation layer must have the feature `type`, and can have the feature `score`. Chunks are the annotations of the
    layer `Chunk` or, if the document has no such layer, of its only span layer. Raises TableError with every error.
    """
    layers, sentences = read_document(data, name=name)
    links = relation_layer(layers, LINKS, name=name)
    if "type" not in links.columns:
        raise TableError(name, [Fault(1, None, f"the relation layer {links.name} must have the feature “type”")])
    spans = [layer for layer in layers if layer.kind == "T_SP"]
    chosen = [layer for layer in spans if layer.name == CHUNKS] or spans
    if len(chosen) != 1:
        message = f"the document must have the span layer {CHUNKS}, or only one span layer"
        raise TableError(name, [Fault(1, None, message)])
    faults: list[Fault] = []
    ids = Ids(faults)
    pairs = []
    for first in range(0, len(sentences), 2):
        source, target = sentences[first : first + 2]
        key = source.key or str(first // 2 + 1)
        ids.add(key, source.line, "Sentence.id")
        regions, places = _regions((source, target), chosen[0])
        relations = list(_relations((source, target), first, links, places, faults))
        drawn = links_of(regions, relations, faults, column="type")
        pairs.append(IstsPair(key, tuple(source.tokens), tuple(target.tokens), drawn, line=source.line))
    raise_faults(name, faults)
    return pairs


def write_webanno(pairs: Iterable[IstsPair]) -> Iterator[str]:
    """Yield a document with two sentences per pair. Comments and the status of pairs are not written."""
    yield f"{HEADER}\n"
    start, used = 0, 0
    for number, pair in enumerate(pairs):
        regions, relations = regions_of(pair)
        numbers = _numbers(regions, used)
        used = max([used, *numbers])
        for place, side in enumerate(SIDES):
            tokens: Sequence[str] = getattr(pair, side)
            yield sentence_head(pair.id, side, tokens)
            for token, word in enumerate(tokens):
                end = start + units(word)
                chunks = [
                    "\\_".join(each.labels) + _bracket(known)
                    for each, known in zip(regions, numbers, strict=True)
                    if each.side == side and token in each.tokens
                ]
                here = [each for each in relations if _begins(regions[each.end], side, token)]
                cells = [
                    *(f"{2 * number + place + 1}-{token + 1}", f"{start}-{end}", word),
                    "|".join(chunks) or EMPTY,
                    *_relation_cells(here, regions, numbers, 2 * number + 1),
                ]
                yield "\t".join(cells) + "\t\n"
                start = end + 1


def _numbers(regions: Sequence[Region], used: int) -> list[int]:
    """Return each region's number in the document. A region with the number 0 consists of a single word, which
    identifies it.
    """
    annotations = Counter((region.side, token) for region in regions for token in region.tokens)
    numbers = []
    for region in regions:
        alone = len(region.tokens) == 1 and annotations[region.side, region.tokens[0]] == 1
        used += not alone
        numbers.append(0 if alone else used)
    return numbers


def _relation_cells(
    relations: Sequence[Relation], regions: Sequence[Region], numbers: Sequence[int], sentence: int
) -> list[str]:
    """Return the cells for the scores, types and other ends of the relations that end at the same word."""
    if not relations:
        return [EMPTY, EMPTY, EMPTY]
    scores, types, ends = [], [], []
    for start, end, labels, _ in relations:
        score = [label for label in labels if label[:1].isdigit()]
        scores.append(score[0] if score else UNSET)
        types.append("\\_".join(label for label in labels if label not in score))
        region = regions[start]
        address = f"{sentence + SIDES.index(region.side)}-{region.tokens[0] + 1}"
        ends.append(address + (f"[{numbers[start]}_{numbers[end]}]" if numbers[start] or numbers[end] else ""))
    return ["|".join(scores), "|".join(types), "|".join(ends)]


def _bracket(number: int) -> str:
    return f"[{number}]" if number else ""


def _begins(region: Region, side: str, token: int) -> bool:
    return region.side == side and region.tokens[0] == token


def _regions(sentences: tuple[Sentence, Sentence], layer: Layer) -> tuple[list[Region], dict[str | Place, int]]:
    """Return a pair's regions, and their positions in this list by region number or by the position of their only
    word.
    """
    tokens: dict[str | Place, list[Place]] = {}
    labels: dict[str | Place, str] = {}
    column = layer.columns.get("label", layer.first)
    for number, sentence in enumerate(sentences):
        for token in range(len(sentence.tokens)):
            cell = sentence.cell(token, column)
            for part in _PARTS.split(cell) if cell != EMPTY else ():
                value, known = _NUMBERED.fullmatch(part).groups()  # type: ignore[union-attr] # matches every text
                key: str | Place = known or (number, token)
                tokens.setdefault(key, []).append((number, token))
                labels[key] = CHUNK if value == UNSET or "label" not in layer.columns else unescape(value)
    regions = [
        Region(
            SIDES[places[0][0]],
            tuple(token for number, token in places if number == places[0][0]),
            tuple(_label_parts(labels[key])),
            sentences[places[0][0]].rows[places[0][1]][0],
        )
        for key, places in tokens.items()
    ]
    return regions, {key: position for position, key in enumerate(tokens)}


def _relations(
    sentences: tuple[Sentence, Sentence],
    first: int,
    layer: Layer,
    places: Mapping[str | Place, int],
    faults: list[Fault],
) -> Iterator[Relation]:
    """Yield the relations in a pair's rows. `first` is the zero-based index of the pair's source sentence."""
    for number, sentence in enumerate(sentences):
        for token, (line, _) in enumerate(sentence.rows):
            ends = sentence.cell(token, layer.ends)
            if ends == EMPTY:
                continue
            types = _PARTS.split(sentence.cell(token, layer.columns["type"]))
            scores = _PARTS.split(sentence.cell(token, layer.columns["score"])) if "score" in layer.columns else []
            for position, end in enumerate(ends.split("|")):
                found = _END.fullmatch(end)
                there = (int(found[1]) - 1 - first, int(found[2]) - 1) if found else (-1, -1)
                start = places.get((found[3] if found and found[3] not in (None, "0") else None) or there)
                here = places.get((found[4] if found and found[4] not in (None, "0") else None) or (number, token))
                if found is None or start is None or here is None:
                    message = f"{shorten(end)} is not a chunk of the same pair"
                    faults.append(Fault(line, "relation", message))
                    continue
                cells = [cells[position] if position < len(cells) else UNSET for cells in (types, scores)]
                kind, score = (unescape(_NUMBERED.fullmatch(cell)[1]) for cell in cells)  # type: ignore[index]
                named = [] if kind == UNSET else _label_parts(kind)
                yield Relation(start, here, (*named, *([] if score in (UNSET, EMPTY) else [score])), line)


def _label_parts(value: str) -> list[str]:
    """Split a value such as SPE2_FACT into its type and its flags. Other values are returned unchanged."""
    return [value] if value in (CHUNK, SAME) else value.split("_")
