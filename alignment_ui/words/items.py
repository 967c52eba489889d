"""Items of word alignment studies: sentence pairs from a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord_core.exchange.tables import Limits
from accord_core.pairs.formats.pairs import PairRow, read_pairs
from accord_core.pairs.formats.tokens import split_tokens, token_fault, tokenise
from accord_core.pairs.numerics.links import Alignment
from alignment_ui.words.answer import as_alignment, as_value
from annotate.tasktypes import ItemDraft, ItemsRead

TEXTS = "_texts"  # the untokenised sentences of an item, from which its words can be split again


def read_items(data: bytes, name: str, options: Mapping[str, Any], limits: Mapping[str, int]) -> ItemsRead:
    """Read a file of sentence pairs, and report every error with its line number.

    Pairs with sentences that are too long are also imported. The design excludes these pairs and reports their number.
    """
    within = Limits(rows=limits["rows"], bytes=limits["bytes"])
    read = read_pairs(data, name, limits=within, tokenise=options["tokenise"], longest=None)
    return ItemsRead([item_of(row) for row in read.rows], read.faults, read.warnings, read.columns)


def item_of(row: PairRow) -> ItemDraft:
    """Return an item in stored form, with its pre-alignment if the file contains one."""
    content: dict[str, Any] = {"source": list(row.source), "target": list(row.target)}
    if row.texts is not None:
        content[TEXTS] = list(row.texts)
    if row.prealignment is not None:
        content["prealignment"] = as_value(row.prealignment)
    return ItemDraft(row.key, content, row.metadata, row.held_out, numbered=row.numbered, line=row.line)


def split_again(content: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item's content with its untokenised sentences split according to these options. Raises ValueError if a
    word would contain whitespace.
    """
    sides = zip(("source", "target"), content.get(TEXTS, ()), strict=False)
    words = {side: tokenise(text) if options["tokenise"] else split_tokens(text) for side, text in sides}
    for tokens in words.values():
        if fault := token_fault(tokens):
            raise ValueError(fault)
    return {**content, **words}


def imported_prealignment(item: ItemDraft) -> Alignment | None:
    """Return the pre-alignment that was imported with the item, or None."""
    links = item.content.get("prealignment")
    return None if links is None else as_alignment(links)
