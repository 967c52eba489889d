"""The registry of word-alignment formats, with their content, detection, readers and writers."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from accord_core.exchange.encoding import as_utf8, kind_of_binary
from accord_core.exchange.faults import TableError
from accord_core.exchange.json_lists import is_json_list, is_task_list, one_object
from accord_core.numerics.printed import with_noun
from accord_core.pairs.formats import blinker, giza, goldalign, jacana, label_studio, pharaoh, talp, webanno, wpt
from accord_core.pairs.formats.corpus import Corpus, IdKind, SentencePair
from accord_core.pairs.formats.matching import match
from accord_core.pairs.formats.places import numbers_of
from accord_core.pairs.formats.tabs import iter_cells, lines_or_blanks
from accord_core.pairs.formats.webanno_document import FORMAT


class Format(NamedTuple):
    """The types of content that a format can store. `blank` is true if the format can represent a pair without
    links.
    """

    title: str
    ids: IdKind
    sentences: bool
    possible: bool
    blank: bool = True
    writable: bool = True


FORMATS = {
    pharaoh.NAME: Format("Pharaoh", ids="none", sentences=False, possible=False),
    wpt.NAME: Format("WPT .wa", ids="numbers", sentences=False, possible=True, blank=False),
    jacana.NAME: Format("jacana JSON", ids="own", sentences=True, possible=True),
    talp.NAME: Format("TALP", ids="none", sentences=False, possible=True),
    blinker.NAME: Format("BLINKER", ids="none", sentences=False, possible=False),
    giza.NAME: Format("GIZA++ A3", ids="numbers", sentences=True, possible=False, writable=False),
    goldalign.NAME: Format("GoldAlign", ids="own", sentences=True, possible=True),
    label_studio.NAME: Format("Label Studio", ids="own", sentences=True, possible=True),
    webanno.NAME: Format("WebAnno TSV", ids="own", sentences=True, possible=True),
}

_WITH_SENTENCES: dict[str, Callable[..., Corpus]] = {
    jacana.NAME: jacana.read_jacana,
    giza.NAME: giza.read_giza,
    goldalign.NAME: goldalign.read_goldalign,
    label_studio.NAME: label_studio.read_label_studio,
    webanno.NAME: webanno.read_webanno,
}
_LINKS_ALONE: dict[str, Callable[..., Corpus]] = {
    pharaoh.NAME: pharaoh.read_pharaoh,
    wpt.NAME: wpt.read_wpt,
    talp.NAME: talp.read_talp,
    blinker.NAME: blinker.read_blinker,
}
_ZIP = b"PK\x03\x04"
_SURE = re.compile(r"\s*(?:N/A\s*|(?:\d+-\d+(?:\s+|$))*)", re.ASCII)
_TELLING = re.compile(r"\d+([-?s])\d+", re.ASCII | re.IGNORECASE)
_LINK = re.compile(r"\d+p\d+", re.ASCII | re.IGNORECASE)
_ANY_LINK = re.compile(r"\d+[-?sp]\d+", re.ASCII | re.IGNORECASE)


def read_alignments(
    data: bytes, *, name: str, format_name: str | None = None, sentences: Corpus | None = None
) -> Corpus:
    """Return the pairs in a file whose format is either specified or detected. If `sentences` is set, return the pairs
    in the order of `sentences`.

    Raises TableError with every error: an unknown format, a link outside its sentence, or pairs without sentences.
    """
    data = as_utf8(data, name=name)
    found = format_name or detect(data, name=name)
    if found in _LINKS_ALONE:
        return _LINKS_ALONE[found](data, name=name, sentences=sentences)
    corpus = _WITH_SENTENCES[found](data, name=name)
    if sentences is None:
        return corpus
    matched = match(sentences, corpus)
    pairs = [words._replace(alignment=pair.alignment, line=pair.line) for words, pair in matched.pairs]
    return Corpus(name, found, sentences.ids, pairs, corpus.notes)


def write_alignments(
    pairs: Sequence[SentencePair], format_name: str, *, possible: str | None = None
) -> Iterator[str | bytes]:
    """Yield a file's contents in parts. Files in the BLINKER format are zip archives. `possible` is the separator for
    possible links in Pharaoh files, or None.

    Content that the format cannot store is omitted (see `losses`). Raises ValueError if the format needs sentences and
    the pairs have none.
    """
    match format_name:
        case pharaoh.NAME:
            yield from pharaoh.write_pharaoh(pairs, possible=possible)
        case wpt.NAME:
            yield from wpt.write_wpt(pairs)
        case jacana.NAME:
            yield from jacana.write_jacana(pairs)
        case talp.NAME:
            yield from talp.write_talp(pairs)
        case goldalign.NAME:
            yield from goldalign.write_goldalign(pairs)
        case label_studio.NAME:
            yield from label_studio.write_label_studio(pairs)
        case webanno.NAME:
            yield from webanno.write_webanno(pairs)
        case blinker.NAME:
            yield blinker.archive(blinker.write_blinker(pairs))
        case _:
            raise ValueError(f"Accord cannot write the format {format_name}")


def detect(data: bytes, *, name: str) -> str:
    """Return the name of the file's format, as listed in `FORMATS`. Raises TableError if the file does not match
    exactly one of the formats.
    """
    if data.startswith(_ZIP):
        if not blinker.is_blinker(data):
            kind = kind_of_binary(data).partition(". ")[0]
            raise TableError.of_file(name, f"{kind}. Choose a file in one of the formats {', '.join(FORMATS)}")
        return blinker.NAME
    lines = lines_or_blanks(data, name=name)
    first = next((line for line in lines if line.strip()), "")
    if not first:
        return talp.NAME if name.endswith(".talp") else pharaoh.NAME
    if found := holds_sentences(data, name=name):
        return found
    if wpt.LINE.fullmatch(first):
        return wpt.NAME
    for line in lines:
        for piece in line.split():
            if found_link := _TELLING.fullmatch(piece):
                return talp.NAME if found_link[1] in "sS" else pharaoh.NAME
    if found_object := one_object("\n".join(lines)):
        raise TableError.of_file(name, found_object)
    raise TableError.of_file(name, f"{_why_not(first)}. Specify one of the formats {', '.join(FORMATS)}")


def holds_sentences(data: bytes, *, name: str) -> str | None:
    """Return the format of an alignment file that also contains sentences, or None for other text files."""
    if tool := of_annotation_tool(data):
        return tool
    if is_json_list(data):
        return jacana.NAME if jacana.has_links(data) else None
    if data.startswith(_ZIP):
        return None
    first = next(iter_cells(data, name=name), (0, [""]))[1]
    if giza.HEAD.fullmatch("\t".join(first)):
        return giza.NAME
    if len(first) > goldalign.SURE and _SURE.fullmatch(first[goldalign.SURE]):
        return goldalign.NAME
    return None


def links_alone(data: bytes, *, name: str) -> str | None:
    """Return the format of a text file whose first line contains only links, or of a BLINKER archive, or None for any
    other file.
    """
    if data.startswith(_ZIP):
        return blinker.NAME if blinker.is_blinker(data) else None
    first = next((line for line in lines_or_blanks(data, name=name) if line.strip()), "")
    if wpt.LINE.fullmatch(first):
        return wpt.NAME
    pieces = first.split()
    if pieces and all(_ANY_LINK.fullmatch(piece) for piece in pieces):
        return talp.NAME if any("s" in piece.casefold() for piece in pieces) else pharaoh.NAME
    return None


def of_annotation_tool(data: bytes) -> str | None:
    """Return the format of a Label Studio or INCEpTION export, or None for any other file."""
    if is_task_list(data):
        return label_studio.NAME
    if data.removeprefix(codecs.BOM_UTF8).startswith(FORMAT.encode()):
        return webanno.NAME
    return None


def losses(
    pairs: Sequence[SentencePair], format_name: str, *, possible: str | None = None, sentences_apart: bool = False
) -> list[str]:
    """Return a note for each type of content that a format cannot store, with the number of occurrences.

    `possible` has the same meaning as in `write_alignments`. With `sentences_apart`, the sentences are in separate
    files.
    """
    holds = FORMATS[format_name]
    lost = []
    if not (holds.possible or possible) and (links := sum(len(pair.alignment.possible) for pair in pairs)):
        lost.append(with_noun(links, "possible link"))
    if holds.ids != "own" and (ids := _lost_ids(pairs, holds.ids)):
        lost.append(with_noun(ids, "ID"))
    if not (holds.sentences or sentences_apart) and (sentences := sum(pair.source is not None for pair in pairs)):
        lost.append(f"the sentences of {with_noun(sentences, 'pair')}")
    if not holds.blank and (blank := sum(not pair.alignment.links for pair in pairs)):
        lost.append(f"a line for {with_noun(blank, 'pair')} without links")
    return lost


def _lost_ids(pairs: Sequence[SentencePair], kind: IdKind) -> int:
    """Return the number of IDs that the format replaces with a position or number."""
    if kind == "numbers" and numbers_of(pairs):
        return 0
    return sum(pair.id not in (None, str(place)) for place, pair in enumerate(pairs, start=1))


def _why_not(first: str) -> str:
    if first.lstrip().startswith("<sentence "):
        return "the file contains chunk alignments of interpretable STS, which `accord ists` reads"
    if wpt.SENTENCE.fullmatch(first):
        return "the file contains sentences, not links"
    if first.lstrip().startswith("["):
        return (
            "the JSON list contains neither the keys “sureAlign” and “possibleAlign” of jacana nor tasks of Label "
            "Studio (export the tasks as JSON, because JSON-MIN contains no relations)"
        )
    if all(_LINK.fullmatch(piece) for piece in first.split()):
        return "links such as 1p2 occur in the formats pharaoh (starting at 0) and talp (starting at 1)"
    return "the format of the file is unknown"
