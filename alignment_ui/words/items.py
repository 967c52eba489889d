"""Items of word alignment studies: sentence pairs from a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from alignment_ui.pairs.formats.pairs import PairRow, read_pairs
from alignment_ui.pairs.numerics.links import Alignment
from alignment_ui.words.answer import as_alignment, as_value
from annotate.exchange.tables import Limits
from annotate.tasktypes import ItemDraft, ItemsRead


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
    if row.prealignment is not None:
        content["prealignment"] = as_value(row.prealignment)
    return ItemDraft(row.key, content, row.metadata, row.held_out, numbered=row.numbered, line=row.line)


def imported_prealignment(item: ItemDraft) -> Alignment | None:
    """Return the pre-alignment that was imported with the item, or None."""
    links = item.content.get("prealignment")
    return None if links is None else as_alignment(links)
