"""Items for paraphrase studies, read from a file. Each item contains a sentence, a phrase in it, and candidate
paraphrases.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord_core.exchange.encoding import as_utf8
from accord_core.exchange.faults import TableError
from accord_core.exchange.json_lists import is_task_list
from accord_core.exchange.tables import Limits, iter_table
from accord_core.paraphrase.formats import items as item_format
from accord_core.paraphrase.formats.candidate_columns import PARAPHRASE
from accord_core.paraphrase.formats.label_studio import item_table
from annotate.tasktypes import FileColumn, Holds, ItemDraft, ItemsRead

COLUMNS = (
    FileColumn("id", aliases=("item id", "sentence id", "target id", "number", "nr", "no"), example="s-1"),
    FileColumn("sentence", required=True, aliases=("context", "text"), example="They had to purchase two tickets."),
    FileColumn(
        "phrase",
        required=True,
        aliases=("target phrase", "target", "expression", "word"),
        example="purchase",
        holds=Holds.PART,
    ),
    FileColumn("start", aliases=("offset", "position")),
    FileColumn(
        "paraphrases",
        required=True,
        aliases=("candidates", "substitutes"),
        example="buy|acquire|sell",
        holds=Holds.LIST,
        in_parts=PARAPHRASE,
    ),
    FileColumn("domain", aliases=("genre", "register", "text type", "source", "corpus"), example="travel"),
    FileColumn("gold_only", aliases=("held out",)),
)


ARRANGEMENTS = (("sentence", "phrase", "paraphrases"),)


def read_items(data: bytes, name: str, options: Mapping[str, Any], limits: Mapping[str, int]) -> ItemsRead:
    """Read an item file or Label Studio tasks, and report every error with its line number."""
    data = as_utf8(data, name=name)
    try:
        # The table reader does not apply the cell limit, because the item reader reports each sentence that exceeds the
        # limit.
        within = Limits(rows=limits["rows"], bytes=limits["bytes"])
        in_tasks = is_task_list(data)
        table = item_table(data, name=name, limits=within) if in_tasks else iter_table(data, name=name, limits=within)
    except TableError as error:
        return ItemsRead([], error.faults, [], [])
    rows, faults, warnings = item_format.read_items(table, longest=limits["cell"])
    items = [
        ItemDraft(row.key, row.content, row.metadata, row.held_out, numbered=row.numbered, line=row.line)
        for row in rows
    ]
    return ItemsRead(items, faults, warnings, table.columns)


def item_payload(item: ItemDraft) -> dict[str, Any]:
    """Return the question about an item that annotators answer. The question contains the candidates, because votes are
    in candidate order.
    """
    return {"item": item.key, "paraphrases": item.content["paraphrases"]}
