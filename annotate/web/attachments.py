"""Responses that browsers save as files."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.http import StreamingHttpResponse

CSV_TYPE = "text/csv; charset=utf-8"


def attachment(chunks: Iterable[bytes | str], filename: str, content_type: str = "") -> StreamingHttpResponse:
    """Return a response that sends the chunks one after the other, so that large files need little memory. Without a
    `content_type`, the file is a CSV file or, unless its name ends in .csv, plain text. Unusual characters in the file
    name are replaced with hyphens.
    """
    kind = content_type or (CSV_TYPE if filename.endswith(".csv") else "text/plain; charset=utf-8")
    headers = {"Content-Disposition": f'attachment; filename="{re.sub(r"[^A-Za-z0-9_.-]", "-", filename)}"'}
    return StreamingHttpResponse(chunks, content_type=kind, headers=headers)
