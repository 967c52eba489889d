"""Items for best–worst studies: texts or sentence pairs from a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord_core.bws.formats import items as item_format
from accord_core.exchange.faults import Fault, TableError, in_order
from accord_core.exchange.packed_rows import PackedRows
from accord_core.exchange.tables import Limits, iter_table
from annotate.tasktypes import FileColumn, ItemDraft, ItemsRead

COLUMNS = (
    FileColumn("id", aliases=("item id", "pair id", "item", "pair", "number", "nr", "no"), example="pair-1"),
    FileColumn(
        "sentence1",
        aliases=("sentence a", "text1", "text a", "s1", "source"),
        example="A dog sleeps.",
        instead_of=("text",),
        together_with="sentence2",
        label="first text of the pair",
    ),
    FileColumn(
        "sentence2",
        aliases=("sentence b", "text2", "text b", "s2", "target"),
        example="A puppy is asleep.",
        instead_of=("text",),
        together_with="sentence1",
        label="second text of the pair",
    ),
    FileColumn(
        "text", aliases=("sentence", "word", "term", "phrase"), instead_of=("sentence1", "sentence2"), label="item"
    ),
    FileColumn("gold_only", aliases=("held out",)),
)
ARRANGEMENTS = (("text",), ("sentence1", "sentence2"))


def read_items(data: bytes, name: str, options: Mapping[str, Any], limits: Mapping[str, int]) -> ItemsRead:
    """Read an item file, and report every error with its line number."""
    try:
        # The table reader does not apply the cell limit, because the item reader reports each sentence that exceeds the
        # limit.
        table = iter_table(data, name=name, limits=Limits(rows=limits["rows"], bytes=limits["bytes"]))
    except TableError as error:
        return ItemsRead([], error.faults, [], [])
    faults: list[Fault] = []
    warnings: list[Fault] = []
    rows = item_format.iter_items(table, faults=faults, warnings=warnings, longest=limits["cell"])
    items = PackedRows(
        ItemDraft(row.key, row.content, row.metadata, row.held_out, numbered=row.numbered, line=row.line)
        for row in rows
    )
    faults = in_order(faults)
    # A file with few items is not an error, because the study can contain items from other files.
    usable = sum(not item.held_out for item in items)
    if not faults and usable < options["size"]:
        text = (
            f"The file has only {usable} of the {options['size']} items that a tuple needs, so the study also needs "
            f"items from other files."
        )
        warnings = [*warnings, Fault(None, None, text)]
    return ItemsRead(items, faults, warnings, table.columns)


def sentences(content: Mapping[str, str]) -> list[str]:
    """Return an item's one or two sentences."""
    return [content["text"]] if "text" in content else [content["sentence1"], content["sentence2"]]
