"""Reader for the sentence pairs of chunk alignment studies. The sentence pairs can contain chunks and links as an
initial annotation.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from accord_core.chunks.formats.chunk_files import parse_chunks
from accord_core.chunks.formats.import_rules import by_severity
from accord_core.chunks.formats.registry import check_chunk_alignments, detect
from accord_core.chunks.numerics.chunks import IstsPair
from accord_core.exchange.cells import LONGEST_ID
from accord_core.exchange.faults import Fault, TableError, in_order
from accord_core.exchange.spellings import LookAlikes
from accord_core.exchange.tables import Limits, find_column
from accord_core.pairs.formats.pair_tables import refuse_bytes, too_many
from accord_core.pairs.formats.pairs import SAME_SENTENCES, PairRow, read_pairs
from accord_core.pairs.formats.tokens import LONGEST_SENTENCE, token_fault, tokenise
from alignment_ui.chunks.answer import from_pair, in_words
from alignment_ui.chunks.initial_links import InitialLinks
from alignment_ui.pairs.running_text import running_text
from annotate.tasktypes import ItemDraft, ItemsRead

SIDES = ("source", "target")
LINKS = "links"
UNUSED_LINKS = (
    "the column becomes metadata, because annotators in this study do not start with links. To use the links, change "
    "“Initial annotation” in the study's settings and choose the file again"
)
WITHOUT_CHUNKS = (
    "number of pairs without chunks: %s. Annotators start with the words of these pairs. To start with chunks, import "
    "the pairs on the “Import and chunk” page"
)


def read_items(data: bytes, name: str, options: Mapping[str, Any], limits: Mapping[str, int]) -> ItemsRead:
    """Return the pairs in a file with chunk alignments (`.wa`, Label Studio or WebAnno TSV) or in a table.

    The chunks and links of the alignments become the initial annotation if the study's options use them. In a table, a
    sentence with brackets, such as `[ A cat ] [ sleeps ]`, contains chunks, and any other sentence contains tokens. The
    punctuation of an untokenised file is separated from its words, unless links in the file number the words. The
    column `links` contains initial links in the same notation as in gold tables.
    """
    within = Limits(rows=limits["rows"], bytes=limits["bytes"])
    if detect(data):
        return _of_alignments(data, name, options, within)
    read = read_pairs(data, name, limits=within, tokenise=False, longest=None)
    faults, warnings = list(read.faults), list(read.warnings)
    items = []
    column = find_column(read.columns, LINKS)
    links = InitialLinks(options) if column and options["begin"] == "links" else None
    if column and not links:
        warnings.append(Fault(None, column, UNUSED_LINKS))
    for row in read.rows:
        source, target = (row.source, row.target) if column else _words(row)
        content, wrong = content_of(source, target)
        if links and column and not wrong:
            content |= links.read(row.key, row.line, content, row.metadata.pop(column, ""), column)
        faults += [Fault(row.line, column, message) for column, message in wrong]
        warnings += [
            Fault(row.line, side, "the sentence does not start with a bracket, so its brackets count as words")
            for side, tokens in zip(SIDES, (source, target), strict=True)
            if tuple(tokens[:1]) != ("[",) and "[" in tokens and "]" in tokens
        ]
        items.append(ItemDraft(row.key, content, row.metadata, row.held_out, numbered=row.numbered, line=row.line))
    if links:
        more_faults, more_warnings = links.faults_and_warnings()
        faults, warnings = [*faults, *more_faults], [*warnings, *more_warnings]
    bare = sum("chunks" not in item.content for item in items)
    if bare and options["begin"] != "words":
        warnings.append(Fault(None, None, WITHOUT_CHUNKS % f"{bare:,}"))
    return ItemsRead(items, in_order(faults), warnings, read.columns)


def _words(row: PairRow) -> tuple[Sequence[str], Sequence[str]]:
    """Return the words of two sentences. A full stop is a chunk by itself, so it cannot stay attached to a word."""
    if row.texts is None:
        return row.source, row.target
    source, target = (
        tokens if tokens[:1] == ("[",) else tokenise(text)
        for tokens, text in zip((row.source, row.target), row.texts, strict=True)
    )
    return source, target


def _of_alignments(data: bytes, name: str, options: Mapping[str, Any], limits: Limits) -> ItemsRead:
    # Only initial links must follow the 2015 or 2016 guidelines of the study.
    many = options["many"] if options["begin"] == "links" else None
    try:
        refuse_bytes(data, name, limits)
        checked = check_chunk_alignments(data, name=name, many_to_many=many, annotated_only=True)
    except TableError as error:
        return ItemsRead([], list(error.faults), [], [])
    pairs = checked.pairs
    if limits.rows is not None and len(pairs) > limits.rows:
        return ItemsRead([], [too_many(limits.rows, pairs[limits.rows].line)], [], [])
    dataset = name.partition(".")[0]  # images in images.gold.wa, because the file has no column for it
    refuse = options.get("guidelines", "refuse") == "refuse"
    faults, warnings = by_severity(checked.against_guidelines, begin=options["begin"], refuse=refuse)
    faults += [*checked.malformed, *(fault for pair in pairs for fault in _unusable(pair))]
    warnings += [Fault(None, None, note) for note in checked.notes]
    warnings += [
        Fault(pair.line, None, f"sentence pair {pair.id}: {reason}, so the pair starts without chunks and links")
        for pair in pairs
        if (reason := _not_begun(pair, options))
    ]
    look_alikes = LookAlikes()
    warnings += [
        Fault(pair.line, None, SAME_SENTENCES.format(earlier))
        for pair in pairs
        if (earlier := look_alikes.earlier(map(" ".join, (pair.source, pair.target)), pair.line))
    ]
    items = [_item(pair, options, dataset) for pair in pairs]
    columns = ["id", "source", "target", options["dataset"], "status"]
    return ItemsRead(items, in_order(faults), in_order(warnings), columns)


def _unusable(pair: IstsPair) -> Iterator[Fault]:
    """Yield each error that makes a pair unusable for annotation."""
    if not 0 < len(pair.id) <= LONGEST_ID:
        yield Fault(pair.line, "id", f"an ID must have 1 to {LONGEST_ID} characters, not {len(pair.id)}")
    for side, tokens in zip(SIDES, (pair.source, pair.target), strict=True):
        if fault := token_fault(tokens, longest=LONGEST_SENTENCE):
            yield Fault(pair.line, side, f"sentence pair {pair.id}: {fault}")


def _item(pair: IstsPair, options: Mapping[str, Any], dataset: str) -> ItemDraft:
    """Return an item with the initial chunks and links from the file, if the study uses them."""
    content: dict[str, Any] = {"source": list(pair.source), "target": list(pair.target)}
    if pair.text is not None:
        content["_wa"] = pair.text  # not shown; exports write it unchanged if the annotation is unchanged
    if options["begin"] != "words" and pair.links:
        with suppress(ValueError):  # `_not_begun` reports this error
            start = from_pair(pair)
            content["chunks"] = start["chunks"]
            if options["begin"] == "links":
                content |= {"links": start["links"], "left": start["left"]}
    metadata = {options["dataset"]: dataset} | ({"status": pair.status} if pair.status else {})
    return ItemDraft(pair.id, content, metadata, line=pair.line)


def _not_begun(pair: IstsPair, options: Mapping[str, Any]) -> str:
    """Return why a pair starts without the chunks and links that the study's options ask for, or an empty string."""
    if options["begin"] == "words":
        return ""
    if not pair.links:
        return "the pair has no links"
    if options.get("guidelines", "refuse") == "refuse":
        return ""  # other reasons are errors
    try:
        from_pair(pair)
    except ValueError as error:
        return str(error)
    return ""


def content_of(source: Sequence[str], target: Sequence[str]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Return an item's content, and its errors as (column, message) pairs."""
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
            wrong.append(
                (
                    side,
                    f"the sentence has {len(content[side])} tokens, but the editor can show at most {LONGEST_SENTENCE}",
                )
            )
    if len(chunks) == 1:
        bare = next(side for side in SIDES if side not in chunks)
        wrong.append((bare, "the sentence must have chunks in brackets, because the other sentence has them"))
    return ({**content, "chunks": chunks} if len(chunks) == len(SIDES) else content), wrong


def item_parts(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item's sentences with chunks in brackets, as in “[The cat] [sat]”, and its links in words."""
    parts = {side: _bracketed(content, side) for side in SIDES}
    if "links" in content:
        parts["links"] = in_words(content, content)
    return parts


def _bracketed(content: Mapping[str, Any], side: str) -> str:
    """Return a sentence as text, with brackets around its chunks."""
    tokens: list[str] = content[side]
    if "chunks" not in content:
        return running_text(tokens)
    chunks: list[list[int]] = content["chunks"][side]
    places = {chunk[0]: f"[{' '.join(tokens[token] for token in chunk)}]" for chunk in map(sorted, chunks) if chunk}
    inside = {token for chunk in chunks for token in chunk}
    places |= {place: token for place, token in enumerate(tokens) if place not in inside}
    return " ".join(places[place] for place in sorted(places))


def in_json_lines(items: Sequence[ItemDraft]) -> str:
    """Return items in JSON Lines format, which `read_items` can read."""
    return "".join(
        json.dumps({"id": item.key, **item.content, **item.metadata}, ensure_ascii=False) + "\n" for item in items
    )
