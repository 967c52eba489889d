"""The annotations of several annotators, stored in one `.wa` file per annotator or in a study's file
`annotations.wa`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from accord_core.chunks.formats.ists import read_wa
from accord_core.chunks.numerics.chunks import IstsPair
from accord_core.exchange.cells import shorten
from accord_core.exchange.faults import Fault, raise_faults


class Annotations(NamedTuple):
    """The annotations of one sentence pair, by annotator name."""

    id: str
    by_annotator: dict[str, IstsPair]


def read_annotations(files: Mapping[str, bytes], names: Sequence[str]) -> list[Annotations]:
    """Return the annotations of each sentence pair, in order of first occurrence.

    `files` contains the files by their names for error messages, and `names` contains the annotator of each file. If
    there is only one file, it contains the annotations of several annotators, and the status of each pair names its
    annotator, as in `annotations.wa`. Raises TableError for different sentences with the same ID, repeated annotations,
    pairs without an annotator, and tokens that are in two chunks.
    """
    by_pair: dict[str, dict[str, IstsPair]] = defaultdict(dict)
    first: dict[str, IstsPair] = {}
    for (file, data), annotator in zip(files.items(), names, strict=True):
        faults: list[Fault] = []
        for pair in read_wa(data, name=file):
            name = pair.status if len(files) == 1 else annotator
            message = _fault(pair, name, first.setdefault(pair.id, pair), by_pair[pair.id])
            if message:
                faults.append(Fault(pair.line, None, f"sentence pair {shorten(pair.id)}: {message}"))
            by_pair[pair.id][name] = replace(pair, status="", text=None)
        raise_faults(file, faults)
    return [Annotations(key, by_annotator) for key, by_annotator in by_pair.items()]


def read_initial(data: bytes, annotations: Iterable[Annotations], *, name: str) -> dict[str, IstsPair]:
    """Return each pair's initial annotation by ID. Raises TableError if the sentences of a pair differ."""
    tokens = {each.id: next(iter(each.by_annotator.values())) for each in annotations}
    initial = {pair.id: pair for pair in read_wa(data, name=name) if pair.id in tokens}
    faults = [
        Fault(pair.line, None, f"sentence pair {shorten(key)}: the sentences differ from those in the annotations")
        for key, pair in initial.items()
        if (pair.source, pair.target) != (tokens[key].source, tokens[key].target)
    ]
    raise_faults(name, faults)
    return initial


def _fault(pair: IstsPair, annotator: str, first: IstsPair, others: Mapping[str, IstsPair]) -> str:
    if not annotator:
        return "the status does not contain the name of an annotator. Specify one file per annotator instead"
    if annotator in others:
        return f"the annotator {shorten(annotator)} has already annotated this pair"
    if (pair.source, pair.target) != (first.source, first.target):
        return "the sentences differ from those of another annotator"
    for chunks, sentence in ((pair.source_chunks, pair.source), (pair.target_chunks, pair.target)):
        tokens = [token for chunk in chunks for token in chunk]
        if len(set(tokens)) < len(tokens):
            token = next(token for token in tokens if tokens.count(token) > 1)
            return f"token {token + 1} is in two chunks of the same sentence"
        if tokens and max(tokens) >= len(sentence):
            return f"the sentence has no token {max(tokens) + 1}"
    return ""
