"""Sentence pairs for chunk alignment, read from a file: plain, with chunks, or with links as a starting point."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from alignment_ui.chunk_answer import from_pair
from alignment_ui.formats.chunk_files import parse_chunks
from alignment_ui.formats.ists import read_wa
from alignment_ui.formats.pairs import read_pairs
from alignment_ui.formats.tokens import LONGEST_SENTENCE
from alignment_ui.numerics.chunks import IstsPair
from annotate.exchange.faults import Fault, TableError
from annotate.exchange.tables import Limits
from annotate.tasktypes import ItemDraft, ItemsRead

SIDES = ("source", "target")


def read_items(data: bytes, name: str, options: Mapping[str, Any], limits: Mapping[str, int]) -> ItemsRead:
    """Pairs of a `.wa` file, whose chunks and links annotators begin from as the study says, or of a table.

    In a table a sentence with brackets, such as `[ A cat ] [ sleeps ]`, brings its chunks; without, it is tokens.
    """
    if is_wa(data):
        return _of_wa(data, name, options)
    within = Limits(rows=limits["rows"], bytes=limits["bytes"])
    read = read_pairs(data, name, limits=within, tokenise=False, longest=None)
    faults, warnings = list(read.faults), list(read.warnings)
    items = []
    for row in read.rows:
        content, wrong = content_of(row.source, row.target)
        faults += [Fault(row.line, column, message) for column, message in wrong]
        items.append(ItemDraft(row.key, content, row.metadata, row.held_out))
    return ItemsRead(items, faults, warnings, read.columns)


def is_wa(data: bytes) -> bool:
    """Told from its tags: no table begins like this."""
    return b"<sentence id=" in data[:4096]


def _of_wa(data: bytes, name: str, options: Mapping[str, Any]) -> ItemsRead:
    try:
        pairs = read_wa(data, name=name)
    except TableError as error:
        return ItemsRead([], list(error.faults), [], [])
    dataset = name.partition(".")[0]  # images.gold.wa: no column of the file can say it
    items, warnings = [], []
    for pair in pairs:
        item, problem = _item(pair, options, dataset)
        items.append(item)
        if problem:
            warnings.append(
                Fault(pair.line, None, f"sentence pair {pair.id}: {problem}; it begins without chunks and links")
            )
    return ItemsRead(items, twice(pairs), warnings, ["id", "source", "target", options["dataset"], "status"])


def _item(pair: IstsPair, options: Mapping[str, Any], dataset: str) -> tuple[ItemDraft, str]:
    """An item with as much of a starting point as the study wants, and why it has none although it should."""
    content: dict[str, Any] = {"source": list(pair.source), "target": list(pair.target)}
    if pair.text is not None:
        content["_wa"] = pair.text  # not shown; to be written back as it came where nothing was changed
    metadata = {options["dataset"]: dataset} | ({"status": pair.status} if pair.status else {})
    problem = ""
    if options["begin"] != "words" and pair.links:
        try:
            start = from_pair(pair)
            content["chunks"] = start["chunks"]
            if options["begin"] == "links":
                content |= {"links": start["links"], "left": start["left"]}
        except ValueError as error:
            problem = str(error)
    return ItemDraft(pair.id, content, metadata), problem


def content_of(source: Sequence[str], target: Sequence[str]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """What an item holds, and what is wrong with it: (column, message)."""
    content: dict[str, Any] = {}
    wrong: list[tuple[str, str]] = []
    chunks: dict[str, list[list[int]]] = {}
    for side, tokens in zip(SIDES, (source, target), strict=True):
        content[side] = list(tokens)
        if tokens and tokens[0] == "[":
            try:
                found, parts = parse_chunks(" ".join(tokens))
                content[side], chunks[side] = list(found), [list(part) for part in parts]
            except ValueError as error:
                wrong.append((side, str(error)))
        if len(content[side]) > LONGEST_SENTENCE:
            wrong.append((side, f"{len(content[side])} tokens; at most {LONGEST_SENTENCE} can be shown"))
    if len(chunks) == 1:
        bare = next(side for side in SIDES if side not in chunks)
        wrong.append((bare, "has no chunks in brackets, but the other side has"))
    return ({**content, "chunks": chunks} if len(chunks) == len(SIDES) else content), wrong


def twice(pairs: Sequence[IstsPair]) -> list[Fault]:
    """A fault for each pair whose id another has already."""
    seen: dict[str, int | None] = {}
    faults = []
    for pair in pairs:
        if pair.id in seen:
            faults.append(
                Fault(pair.line, "id", f"there is a sentence pair {pair.id} already, in line {seen[pair.id]}")
            )
        seen.setdefault(pair.id, pair.line)
    return faults


def in_json_lines(items: Sequence[ItemDraft]) -> str:
    """Items as JSON Lines that `read_items` takes."""
    return "".join(
        json.dumps({"id": item.key, **item.content, **item.metadata}, ensure_ascii=False) + "\n" for item in items
    )
