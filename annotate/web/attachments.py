"""Responses that browsers save as files."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import StreamingHttpResponse

CSV_TYPE = "text/csv; charset=utf-8"


def attachment(chunks: Iterable[bytes | str], filename: str, content_type: str = CSV_TYPE) -> StreamingHttpResponse:
    """Return a response that sends the chunks one after the other, so that large files need little memory."""
    return StreamingHttpResponse(
        chunks, content_type=content_type, headers={"Content-Disposition": f'attachment; filename="{filename}"'}
    )
