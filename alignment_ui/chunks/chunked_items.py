"""Items for a chunk-alignment study from sentence pairs and their tagged sentences."""

from __future__ import annotations

from collections.abc import Sequence

from alignment_ui.chunks.formats.chunk_files import write_chunks
from alignment_ui.chunks.formats.tagged import read_tagged
from alignment_ui.chunks.items import in_json_lines
from alignment_ui.chunks.numerics.chunker import chunks_of
from alignment_ui.pairs.formats.pairs import PairRow, read_pairs
from annotate.exchange.conllu import TaggedToken
from annotate.exchange.faults import Fault, TableError
from annotate.exchange.parses import parses_of
from annotate.tasktypes import ItemDraft


def chunked_items(pairs: bytes, tagged: bytes, *, names: tuple[str, str]) -> str:
    """Return the pairs with chunks as items in JSON Lines format. The chunks come from the rules of `chunks_of`.

    `names` contains the names of the two files for error messages. Raises TableError if either file contains errors,
    or if a sentence of a pair has no tags.
    """
    read = read_pairs(pairs, names[0], longest=None)
    if read.faults:
        raise TableError(names[0], read.faults)
    texts = {row.key: (" ".join(row.source), " ".join(row.target)) for row in read.rows}
    sides = parses_of(read_tagged(tagged, name=names[1]), texts, name=names[1])
    items, faults = [], []
    for row, source, target in zip(read.rows, *sides, strict=True):
        try:
            items.append(_item(row, source, target))
        except ValueError as error:
            faults.append(Fault(None, None, f"{row.key}: {error}"))
    if faults:
        raise TableError(names[1], faults)
    return in_json_lines(items)


def _item(row: PairRow, source: Sequence[TaggedToken], target: Sequence[TaggedToken]) -> ItemDraft:
    content = {"source": _chunked(source), "target": _chunked(target)}
    return ItemDraft(row.key, content, row.metadata | ({"gold_only": "yes"} if row.held_out else {}))


def _chunked(tokens: Sequence[TaggedToken]) -> str:
    return write_chunks([token.form for token in tokens], chunks_of(tokens))
