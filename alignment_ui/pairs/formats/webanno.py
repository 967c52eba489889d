"""The format WebAnno TSV 3.3, which INCEpTION also reads and writes, for word alignments.

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

Offsets count UTF-16 code units from the beginning of the document, as in Java.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from alignment_ui.pairs.formats.corpus import Corpus, Ids, Links, SentencePair
from alignment_ui.pairs.formats.tabs import iter_lines
from alignment_ui.pairs.formats.tokens import token_fault
from annotate.exchange.cells import shorten
from annotate.exchange.faults import Fault, TableError, in_order

NAME = "webanno"
FORMAT = "#FORMAT=WebAnno TSV 3"
SIDES = ("source", "target")
KINDS = {"sure": False, "possible": True, "*": False, "_": False}
WORDS, LINKS = "webanno.custom.AlignedWord", "webanno.custom.WordLink"
HEADER = f"{FORMAT}.3\n#T_SP={WORDS}|side\n#T_RL={LINKS}|kind|BT_{WORDS}\n"
EMPTY = "_"

_PLACE = re.compile(r"(\d+)-(\d+)", re.ASCII)
_ID = re.compile(r"\[(\d+)\]", re.ASCII)
_END = re.compile(r"(\d+)-(\d+)(?:\[(\d+)(?:_(\d+))?\])?", re.ASCII)
_ESCAPED = re.compile(r"\\(.)")
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}


@dataclass
class _Sentence:
    """A sentence of the document. `rows` contains the line number and the annotation cells of each token."""

    line: int
    id: str = ""
    text: list[str] = field(default_factory=list)
    start: int = 0
    tokens: list[str] = field(default_factory=list)
    rows: list[tuple[int, list[str]]] = field(default_factory=list)


@dataclass
class _Columns:
    """The positions of the columns after the token. `kind` is None if relations have no feature `kind`."""

    spans: list[int]
    kind: int | None
    other_end: int


def read_webanno(data: bytes, *, name: str) -> Corpus:
    """Return the pairs in a document. The direction of a relation does not matter. A relation between annotations of
    several words links each word of one annotation with each word of the other. Relations without a kind are sure
    links.

    Raises TableError with every error, such as an odd number of sentences or a relation between sentences that are not
    a pair.
    """
    faults: list[Fault] = []
    lines = list(enumerate(iter_lines(data, name=name), start=1))
    columns = _columns([line for _, line in lines if line.startswith("#T_")], name)
    sentences = _sentences(lines, faults)
    if not faults and (not sentences or len(sentences) % 2):
        message = f"the document has {len(sentences):,} sentences, but each pair needs a source and a target sentence"
        faults.append(Fault(None, None, message))
    if faults:
        raise TableError(name, in_order(faults))
    covered = _annotations(sentences, columns)
    ids = Ids(faults)
    pairs = []
    for first in range(0, len(sentences), 2):
        source, target = sentences[first : first + 2]
        key = source.id.removesuffix("/source") or None
        if key is not None:
            ids.add(key, source.line, "Sentence.id")
        links = Links(faults, sizes=(len(source.tokens), len(target.tokens)))
        for number in (first, first + 1):
            _read_links(number, sentences, columns, covered, links, faults)
        pairs.append(SentencePair(key, tuple(source.tokens), tuple(target.tokens), links.alignment(), source.line))
    if faults:
        raise TableError(name, in_order(faults))
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
            yield f"\n#Sentence.id={_escape(pair.id or str(number))}/{side}\n#Text={_escape(' '.join(tokens))}\n"
            for token, word in enumerate(tokens):
                end = start + _units(word)
                linked = any(link[SIDES.index(side)] == token for link in kinds)
                drawn = sorted(i for i, j in kinds if side == "target" and j == token)
                cells = [
                    *(f"{sentence}-{token + 1}", f"{start}-{end}", word, side if linked else EMPTY),
                    "|".join(kinds[i, token] for i in drawn) or EMPTY,
                    "|".join(f"{sentence - 1}-{i + 1}" for i in drawn) or EMPTY,
                ]
                yield "\t".join(cells) + "\t\n"
                start = end + 1


def _columns(header: Sequence[str], name: str) -> _Columns:
    """Find the columns of the links: those of the layer `WordLink`, or of the only relation layer."""
    place = 0
    spans: list[int] = []
    relations: dict[str, _Columns] = {}
    for line in header:
        kind, _, rest = line.partition("=")
        layer, *features = rest.strip().split("|")
        features = [feature for feature in features if feature]
        if kind == "#T_RL":
            values = features[:-1]
            found = place + values.index("kind") if "kind" in values else None
            place += max(1, len(values)) + 1
            relations[layer] = _Columns(spans, found, place - 1)
        else:
            if kind == "#T_SP":
                spans.append(place)
            place += max(1, len(features))
    if LINKS in relations:
        return relations[LINKS]
    if len(relations) != 1:
        message = f"the document must have the relation layer {LINKS}, or only one relation layer"
        raise TableError(name, [Fault(1, None, message)])
    return next(iter(relations.values()))


def _sentences(lines: Iterable[tuple[int, str]], faults: list[Fault]) -> list[_Sentence]:
    """Return the sentences with their tokens, which offsets into the text of the sentence define."""
    sentences: list[_Sentence] = []
    current: _Sentence | None = None
    for line, text in lines:
        if not text.strip():
            current = None
        elif text.startswith("#") and not text.startswith(("#Text=", "#Sentence.id=")):
            continue
        else:
            if current is None:
                current = _Sentence(line)
                sentences.append(current)
            if text.startswith("#Text="):
                current.text.append(_unescape(text.removeprefix("#Text=")))
            elif text.startswith("#Sentence.id="):
                current.id = _unescape(text.removeprefix("#Sentence.id=")).strip()
            else:
                _add_token(current, line, text.split("\t"), len(sentences), faults)
    return sentences


def _add_token(sentence: _Sentence, line: int, cells: list[str], number: int, faults: list[Fault]) -> None:
    """Add the token of a row. A row with an error also counts as a token, so that the next rows have no errors."""
    if "." in cells[0]:
        return  # Such rows contain a part of a token.
    token, fault = _token(sentence, cells, f"{number}-{len(sentence.tokens) + 1}")
    if fault:
        faults.append(Fault(line, None, fault))
    sentence.tokens.append(token)
    sentence.rows.append((line, cells[3:]))


def _token(sentence: _Sentence, cells: list[str], place: str) -> tuple[str, str]:
    """Return the token of a row and an error message, one of which is empty."""
    span = _PLACE.fullmatch(cells[1]) if len(cells) > 1 and cells[0] == place else None
    if span is None:
        return "", f"the row must begin with {place} and two offsets such as 0-4"
    if not sentence.tokens:
        sentence.start = int(span[1])
    first, last = (int(offset) - sentence.start for offset in span.groups())
    units = "\n".join(sentence.text).encode("utf-16-le", "surrogatepass")
    if not 0 <= 2 * first < 2 * last <= len(units):
        return "", f"the offsets {cells[1]} are outside the text of the sentence"
    token = units[2 * first : 2 * last].decode("utf-16-le", "replace")
    if token_fault((token,)):
        return "", f"the token {shorten(token)!r} at the offsets {cells[1]} contains whitespace"
    return token, ""


def _annotations(sentences: Sequence[_Sentence], columns: _Columns) -> dict[str, list[tuple[int, int]]]:
    """Return the sentence and token numbers of each annotation of several words, by its disambiguation ID."""
    covered: dict[str, list[tuple[int, int]]] = {}
    for number, sentence in enumerate(sentences):
        for token, (_, cells) in enumerate(sentence.rows):
            for column in columns.spans:
                for key in _ID.findall(cells[column]) if column < len(cells) else ():
                    covered.setdefault(key, []).append((number, token))
    return covered


def _read_links(
    number: int,
    sentences: Sequence[_Sentence],
    columns: _Columns,
    covered: dict[str, list[tuple[int, int]]],
    links: Links,
    faults: list[Fault],
) -> None:
    """Add the links in the rows of one sentence. `number` is the place of the sentence in the document, from 0."""
    for token, (line, cells) in enumerate(sentences[number].rows):
        ends = cells[columns.other_end] if columns.other_end < len(cells) else EMPTY
        if ends == EMPTY:
            continue
        kinds = [] if columns.kind is None else cells[columns.kind].split("|")
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


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


def _unescape(text: str) -> str:
    return _ESCAPED.sub(lambda found: _CONTROLS.get(found[1], found[1]), text)


def _units(text: str) -> int:
    """Return the length of a text in UTF-16 code units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
