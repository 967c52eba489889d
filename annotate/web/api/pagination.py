"""Pagination for the lists that the API returns."""

import re
from typing import Any

from django.db.models import QuerySet
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination, PageNumberPagination
from rest_framework.request import Request

_NUMBER = re.compile("[0-9]{1,19}")


class Pages(PageNumberPagination):
    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 1000


class Cursors(CursorPagination):
    """Pages of a list that can grow while a script reads it. A cursor identifies the last row of a page. Therefore, new
    rows never cause other rows to be repeated or skipped, and every page takes the same time to read.
    """

    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 1000
    cursor_query_description = "The cursor in the URL of the next or previous page."

    def get_ordering(self, request: Any, queryset: QuerySet[Any], view: Any) -> tuple[str, ...]:
        """Return the queryset's sort order, which must be unique, such as the primary-key order."""
        return tuple(str(name) for name in queryset.query.order_by)

    def decode_cursor(self, request: Request) -> Any:
        """Return the cursor from the request. Raise an error with status 404 for a cursor that does not contain a
        primary key.
        """
        cursor = super().decode_cursor(request)
        position = None if cursor is None or cursor.position is None else str(cursor.position)
        if position is not None and not (_NUMBER.fullmatch(position) and int(position) < 2**63):
            raise NotFound(self.invalid_cursor_message)
        return cursor
