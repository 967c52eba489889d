"""Imported items, as listed in the console."""

from __future__ import annotations

import json
from collections.abc import Iterable

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from annotate.models import Item, Study


def items_of(study: Study, query: str = "") -> QuerySet[Item]:
    """Return imported items in the order of their files and rows. If `query` is specified, return only items whose ID
    or text contains `query`.
    """
    revealed = list(study.uploads.imported().order_by().values_list("pk", flat=True))
    items = study.items.filter(upload__in=revealed).order_by("pk")
    if not query:
        return items
    # SQLite stores JSON with escaped non-ASCII characters, and PostgreSQL stores them unescaped.
    escaped = json.dumps(query)[1:-1]
    matches = Q(key__icontains=query) | Q(text__icontains=query) | Q(text__icontains=escaped)
    return items.annotate(text=Cast("content", TextField())).filter(matches)


def parts_of(items: Iterable[Item]) -> tuple[list[str], list[str]]:
    """Return the names of the parts in these items' contents and metadata, in order of first appearance.

    Names that begin with _ are internal to the task type and omitted.
    """
    contents: dict[str, None] = {}
    metadata: dict[str, None] = {}
    for item in items:
        contents |= dict.fromkeys(item.content if isinstance(item.content, dict) else ["content"])
        metadata |= dict.fromkeys(item.metadata)
    return [name for name in contents if not name.startswith("_")], list(metadata)
