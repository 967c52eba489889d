"""Imported items, as listed in the console."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from annotate import tasktypes
from annotate.models import Item, Study


def items_of(study: Study, query: str = "") -> QuerySet[Item]:
    """Return imported items, in the order of their files and rows. If `query` is given, return only items whose ID or
    text contains it.
    """
    revealed = list(study.uploads.imported().order_by().values_list("pk", flat=True))
    items = study.items.filter(upload__in=revealed).order_by("pk")
    if not query:
        return items
    # SQLite escapes non-ASCII characters in stored JSON, but PostgreSQL does not.
    escaped = json.dumps(query)[1:-1]
    matches = Q(key__icontains=query) | Q(text__icontains=query) | Q(text__icontains=escaped)
    return items.annotate(text=Cast("content", TextField())).filter(matches)


@dataclass(frozen=True)
class ItemRow:
    """An item, with the parts of its content that the item table shows."""

    item: Item
    parts: Mapping[str, Any]


def item_rows(study: Study, items: Iterable[Item]) -> list[ItemRow]:
    """Return the items as rows of the item table, without any queries."""
    task = tasktypes.get(study.task_type)
    return [ItemRow(item, task.item_parts(item.content)) for item in items]


def columns_of(rows: Iterable[ItemRow]) -> tuple[list[str], list[str]]:
    """Return the names of content parts and of metadata, in order of first appearance."""
    contents: dict[str, None] = {}
    metadata: dict[str, None] = {}
    for row in rows:
        contents |= dict.fromkeys(row.parts)
        metadata |= dict.fromkeys(row.item.metadata)
    return list(contents), list(metadata)
