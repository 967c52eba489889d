"""The WebAnno TSV 3.3 format, which INCEpTION also reads and writes, for word alignments.

A pair is two sentences of the document: the source sentence and the target sentence. The linked words are annotations
of the layer `AlignedWord`. Each link is a relation of the layer `WordLink`, which is written in the row of the target
word with the number of the source word:

    #Sentence.id=p1/source
    #Text=A cat
    1-1	0-1	A	_	_	_
    1-2	2-5	cat	source	_	_

    #Sentence.id=p1/target
    #Text=Eine Katze
    2-1	6-10	Eine	_	_	_
    2-2	11-16	Katze	target	sure	1-2
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from accord_core.exchange.cells import shorten
from accord_core.exchange.faults import Fault, raise_faults
from accord_core.pairs.formats.corpus import Corpus, Ids, Links, SentencePair
from accord_core.pairs.formats.webanno_document import (
    EMPTY,
    FORMAT,
    SIDES,
    Layer,
    Sentence,
    read_document,
    relation_layer,
    sentence_head,
    units,
)

NAME = "webanno"
KINDS = {"sure": False, "possible": True, "*": False, "_": False}
WORDS, LINKS = "webanno.custom.AlignedWord", "webanno.custom.WordLink"
HEADER = f"{FORMAT}.3\n#T_SP={WORDS}|side\n#T_RL={LINKS}|kind|BT_{WORDS}\n"

_ID = re.compile(r"\[(\d+)\]", re.ASCII)
_END = re.compile(r"(\d+)-(\d+)(?:\[(\d+)(?:_(\d+))?\])?", re.ASCII)


def read_webanno(data: bytes, *, name: str) -> Corpus:
    """Return the pairs in a document. The direction of a relation does not matter. A relation between two multi-word
    annotations links each word of one annotation with each word of the other. Relations without a kind are sure links.

    Raises TableError with every error, such as an odd number of sentences or a relation between sentences that are not
    a pair.
    """
    layers, sentences = read_document(data, name=name)
    drawn = relation_layer(layers, LINKS, name=name)
    covered = _annotations(sentences, [layer.first for layer in layers if layer.kind == "T_SP"])
    faults: list[Fault] = []
    ids = Ids(faults)
    pairs = []
    for first in range(0, len(sentences), 2):
        source, target = sentences[first : first + 2]
        if source.key is not None:
            ids.add(source.key, source.line, "Sentence.id")
        links = Links(faults, sizes=(len(source.tokens), len(target.tokens)))
        for number in (first, first + 1):
            _read_links(number, sentences[number], drawn, covered, links, faults)
        pairs.append(
            SentencePair(source.key, tuple(source.tokens), tuple(target.tokens), links.alignment(), source.line)
        )
    raise_faults(name, faults)
    return Corpus(name, NAME, "own" if all(pair.id for pair in pairs) else "none", pairs)


def write_webanno(pairs: Iterable[SentencePair]) -> Iterator[str]:
    """Yield a document with two sentences per pair. Every pair must include its sentences. A pair without an ID is
    numbered by its position, starting at 1.
    """
    yield f"{HEADER}\n"
    start = 0
    for number, pair in enumerate(pairs, start=1):
        if pair.source is None or pair.target is None:
            raise ValueError(f"pair {number} has no sentences, which the WebAnno format requires")
        kinds = {link: "possible" if link in pair.alignment.possible else "sure" for link in pair.alignment.links}
        for side, tokens in zip(SIDES, (pair.source, pair.target), strict=True):
            sentence = 2 * number - (side == "source")
            yield sentence_head(pair.id or str(number), side, tokens)
            for token, word in enumerate(tokens):
                end = start + units(word)
                linked = any(link[SIDES.index(side)] == token for link in kinds)
                drawn = sorted(i for i, j in kinds if side == "target" and j == token)
                cells = [
                    *(f"{sentence}-{token + 1}", f"{start}-{end}", word, side if linked else EMPTY),
                    "|".join(kinds[i, token] for i in drawn) or EMPTY,
                    "|".join(f"{sentence - 1}-{i + 1}" for i in drawn) or EMPTY,
                ]
                yield "\t".join(cells) + "\t\n"
                start = end + 1


def _annotations(sentences: Sequence[Sentence], columns: Sequence[int]) -> dict[str, list[tuple[int, int]]]:
    """Return the sentence and token numbers of each multi-word annotation, by its disambiguation ID."""
    covered: dict[str, list[tuple[int, int]]] = {}
    for number, sentence in enumerate(sentences):
        for token in range(len(sentence.tokens)):
            for column in columns:
                for key in _ID.findall(sentence.cell(token, column)):
                    covered.setdefault(key, []).append((number, token))
    return covered


def _read_links(
    number: int,
    sentence: Sentence,
    drawn: Layer,
    covered: dict[str, list[tuple[int, int]]],
    links: Links,
    faults: list[Fault],
) -> None:
    """Add the links in the rows of a sentence. `number` is the zero-based position of the sentence in the document."""
    for token, (line, _) in enumerate(sentence.rows):
        ends = sentence.cell(token, drawn.ends)
        if ends == EMPTY:
            continue
        kinds = sentence.cell(token, drawn.columns["kind"]).split("|") if "kind" in drawn.columns else []
        for place, end in enumerate(ends.split("|")):
            kind = _ID.sub("", kinds[place]) if place < len(kinds) else "*"
            if kind not in KINDS:
                faults.append(Fault(line, "kind", f"a link must be “sure” or “possible”, not {shorten(kind)}"))
                continue
            found = _END.fullmatch(end)
            other = (int(found[1]) - 1, int(found[2]) - 1) if found else (-1, -1)
            if not found or other[0] != number + (1 if number % 2 == 0 else -1):
                message = f"{shorten(end)} is not a word of the other sentence of the pair"
                faults.append(Fault(line, "relation", message))
                continue
            here, there = covered.get(found[4] or "", [(number, token)]), covered.get(found[3] or "", [other])
            for (_, one), (_, two) in product(here, there):
                source, target = (one, two) if number % 2 == 0 else (two, one)
                links.add(source, target, possible=KINDS[kind], line=line, column="relation")
