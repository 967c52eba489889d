"""The file `annotations.jsonl` of a word alignment study, which has one line per pair and annotator."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

from accord_core.exchange.cells import shorten
from accord_core.exchange.faults import Fault, TableError, raise_faults
from accord_core.exchange.json_numbers import finite_number, refuse_constant
from accord_core.pairs.formats.corpus import NO_LINKS, Corpus, Links, SentencePair
from accord_core.pairs.formats.tabs import iter_lines
from accord_core.pairs.numerics.links import Alignment


class Doubles(NamedTuple):
    """The pairs with two annotations, as three lists of the same length: the first annotator's links, the second
    annotator's links, and the initial links. `more` is the number of additional annotations that are excluded.
    """

    first: list[SentencePair]
    second: list[SentencePair]
    initial: list[SentencePair]
    more: int


class Annotations(NamedTuple):
    """The alignments of one sentence pair, sorted by annotator name, and the initial links, if any."""

    pair: SentencePair
    by_annotator: dict[str, Alignment]
    initial: Alignment | None


class _Annotation(NamedTuple):
    annotator: str
    drawn: Alignment
    initial: Alignment | None


def read_doubles(data: bytes, sentences: Corpus, *, name: str, prealigned: bool = False) -> Doubles:
    """Return the two annotations of each pair that has at least two, in the order of `sentences`.

    The annotators of a pair are sorted by name, so the first two annotators count. With `prealigned`, pairs that began
    without links are excluded. Raises TableError for lines that are not annotations, unknown pairs, repeated
    annotations and links outside the sentences.
    """
    pairs = {pair.id: pair for pair in sentences.pairs if pair.id}
    by_pair = _read(data, pairs, name)
    found = Doubles([], [], [], sum(max(0, len(each) - 2) for each in by_pair.values()))
    for key, pair in pairs.items():
        annotations = sorted(by_pair.get(key, ()), key=lambda each: each.annotator)[:2] if key else []
        initial = annotations[0].initial if annotations else None
        if len(annotations) == 2 and not (prealigned and initial is None):
            found.first.append(pair._replace(alignment=annotations[0].drawn))
            found.second.append(pair._replace(alignment=annotations[1].drawn))
            found.initial.append(pair._replace(alignment=initial or NO_LINKS))
    if not found.first:
        raise TableError.of_file(name, "the file has no pair with two annotations")
    return found


def read_annotations(data: bytes, sentences: Corpus, *, name: str) -> list[Annotations]:
    """Return the annotations of each pair, in the order of `sentences`, including pairs without annotations.

    Raises TableError for the same lines as `read_doubles`.
    """
    by_pair = _read(data, {pair.id: pair for pair in sentences.pairs if pair.id}, name)
    listed = []
    for pair in sentences.pairs:
        annotations = sorted(by_pair.get(pair.id or "", ()), key=lambda each: each.annotator)
        drawn = {each.annotator: each.drawn for each in annotations}
        listed.append(Annotations(pair, drawn, annotations[0].initial if annotations else None))
    return listed


def _read(data: bytes, pairs: Mapping[str, SentencePair], name: str) -> dict[str, list[_Annotation]]:
    faults: list[Fault] = []
    by_pair: dict[str, list[_Annotation]] = defaultdict(list)
    for number, line in enumerate(iter_lines(data, name=name), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line, parse_constant=refuse_constant, parse_float=finite_number)
            key, annotator = str(row["pair"]), str(row["annotator"])
            pair = pairs.get(key)
            if pair is None:
                faults.append(Fault(number, "pair", f"the file of sentences has no pair {shorten(key)}"))
                continue
            if any(each.annotator == annotator for each in by_pair[key]):
                faults.append(Fault(number, "annotator", f"{shorten(annotator)} has already annotated pair {key}"))
            initial = row["prealignment"]
            started = None if initial is None else _alignment(initial, pair, number, faults)
            by_pair[key].append(_Annotation(annotator, _alignment(row, pair, number, faults), started))
        except (ArithmeticError, ValueError, KeyError, TypeError, RecursionError):
            faults.append(Fault(number, None, "the line must be an annotation as in annotations.jsonl of a study"))
    raise_faults(name, faults)
    return by_pair


def _alignment(value: Mapping[str, Any], pair: SentencePair, line: int, faults: list[Fault]) -> Alignment:
    links = Links(faults, sizes=pair.sizes)
    for kind, possible in (("sure", False), ("possible", True)):
        for source, target in value[kind]:
            links.add(int(source), int(target), possible=possible, line=line, column=kind)
    return links.alignment()
