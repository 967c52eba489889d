"""Pagination for a list of known length, which needs no query to count the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet


def paginate(rows: QuerySet[Any, Any] | Sequence[Any], per_page: int, size: int) -> Paginator[Any]:
    """Return a Django paginator for `size` ordered rows."""
    paginator: Paginator[Any] = Paginator(rows, per_page)
    paginator.count = size
    return paginator
