"""Functions that create the items of a chunk alignment study from sentence pairs and their tagged sentences."""

from __future__ import annotations

from collections.abc import Sequence

from accord_core.chunks.formats.chunk_files import write_chunks
from accord_core.chunks.formats.tagged import read_tagged, refuse_untagged
from accord_core.chunks.numerics.chunker import chunks_of
from accord_core.exchange.conllu import TaggedSentence, TaggedToken
from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.parses import parse_with_spacy, parses_of
from accord_core.pairs.formats.pairs import PairRow, read_pairs
from alignment_ui.chunks.items import in_json_lines
from annotate.tasktypes import ItemDraft


def chunked_items(pairs: bytes, tagged: bytes, *, names: tuple[str, str]) -> str:
    """Return the pairs and their chunks as items in JSON Lines format. The rules in `chunks_of` determine the chunks.

    `names` contains the names of the two files for error messages. Raises TableError if either file contains errors,
    or if a sentence of a pair has no tags.
    """
    rows = _rows(pairs, names[0])
    return _items(rows, read_tagged(tagged, name=names[1]), names[1])


def chunked_by_model(pairs: bytes, pairs_name: str, model: str) -> str:
    """Return the items of `chunked_items`, with tokens and tags from an installed spaCy model.

    Raises TableError if the file contains errors or the model is not installed, and MissingExtraError without spaCy.
    """
    rows = _rows(pairs, pairs_name)
    sentences = list(parse_with_spacy(_texts(rows), model))
    refuse_untagged(sentences, model=model, name=pairs_name)
    return _items(rows, sentences, pairs_name)


def _rows(pairs: bytes, name: str) -> list[PairRow]:
    read = read_pairs(pairs, name, longest=None)
    raise_faults(name, read.faults)
    return read.rows


def _texts(rows: Sequence[PairRow]) -> dict[str, tuple[str, str]]:
    return {row.key: (" ".join(row.source), " ".join(row.target)) for row in rows}


def _items(rows: Sequence[PairRow], sentences: Sequence[TaggedSentence], name: str) -> str:
    sides = parses_of(sentences, _texts(rows), name=name)
    items, faults = [], []
    for row, source, target in zip(rows, *sides, strict=True):
        try:
            items.append(_item(row, source, target))
        except ValueError as error:
            faults.append(Fault(None, None, f"{row.key}: {error}"))
    raise_faults(name, faults)
    return in_json_lines(items)


def _item(row: PairRow, source: Sequence[TaggedToken], target: Sequence[TaggedToken]) -> ItemDraft:
    content = {"source": _chunked(source), "target": _chunked(target)}
    return ItemDraft(row.key, content, row.metadata | ({"gold_only": "yes"} if row.held_out else {}))


def _chunked(tokens: Sequence[TaggedToken]) -> str:
    return write_chunks([token.form for token in tokens], chunks_of(tokens))
