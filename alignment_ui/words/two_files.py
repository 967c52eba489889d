"""Functions that convert two files with one sentence per line, and optionally a third file with initial links, into
items of a word alignment study.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from accord_core.exchange.faults import Fault, TableError
from accord_core.exchange.tables import Limits
from accord_core.pairs.formats.corpus import Corpus, SentencePair
from accord_core.pairs.formats.pairs import PairRow, PairsRead, read_two_files
from accord_core.pairs.formats.registry import read_alignments
from alignment_ui.words.answer import as_value


@dataclass(frozen=True)
class TwoFiles:
    """The contents of the uploaded files. `links` contains the name and contents of the file with links, or None."""

    source: bytes
    target: bytes
    links: tuple[str, bytes] | None

    @property
    def size(self) -> int:
        return len(self.source) + len(self.target) + (len(self.links[1]) if self.links else 0)


def items_of(
    files: TwoFiles, *, limits: Limits, tokenise: bool, subcorpus: str, column: str
) -> tuple[list[Fault], bytes]:
    """Return all errors, and the pairs as an item file in JSON Lines format, with the subcorpus name in `column`."""
    read = _read(files, limits, tokenise)
    return read.faults, "".join(_lines(read.rows, subcorpus, column)).encode()


def _read(files: TwoFiles, limits: Limits, tokenise: bool) -> PairsRead:
    """Return the pairs from the two files, with the links from the third file if there is one."""
    # Links number the words of tokenised sentences.
    read = read_two_files(files.source, files.target, limits=limits, tokenise=tokenise and files.links is None)
    if files.links is None or read.faults:
        return read
    sentences = Corpus(
        "the two files",
        "lines",
        "none",
        [SentencePair(None, row.source, row.target, line=row.line) for row in read.rows],
    )
    name, data = files.links
    try:
        linked = read_alignments(data, name=name, sentences=sentences)
    except TableError as error:
        faults = [Fault(fault.line, error.name, fault.message) for fault in error.faults]
        return read._replace(rows=[], faults=faults)
    rows = [row._replace(prealignment=pair.alignment) for row, pair in zip(read.rows, linked.pairs, strict=True)]
    return read._replace(rows=rows)


def _lines(rows: Sequence[PairRow], subcorpus: str, column: str) -> Iterator[str]:
    for row in rows:
        source, target = row.texts if row.texts and row.prealignment is None else (list(row.source), list(row.target))
        key = f"{subcorpus}:{row.key}" if subcorpus else row.key
        item: dict[str, Any] = {"id": key, "source": source, "target": target}
        if row.prealignment is not None:
            item["prealignment"] = as_value(row.prealignment)
        if subcorpus:
            item[column] = subcorpus
        yield json.dumps(item, ensure_ascii=False) + "\n"
