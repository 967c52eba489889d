"""Replies with status 503 while the database is not available, so that clients try again.

A restart of PostgreSQL, a full disk or a lock that is held too long is temporary and not an error of the program. The
transaction was rolled back, so the client can send the same request again. Errors of the program, such as a missing
table or a wrong statement, still get status 500. On SQLite, these are `OperationalError` as well, but with a different
code.
"""

from __future__ import annotations

import sqlite3
import sys
from typing import Any

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error

RETRY_AFTER = 5  # seconds
BODY: dict[str, Any] = {
    "code": "unavailable",
    "message": "The database is not available at the moment. Nothing was stored. Send the request again.",
    "fields": {},
}
# The reply does not describe the error. Operators find it in the log.
INTERNAL: dict[str, Any] = {
    "code": "internal",
    "message": "The server had an internal error. Its log has the details. Try again later.",
    "fields": {},
}
# Codes 1 to 255 of https://sqlite.org/rescode.html. Higher bits only add details to the error.
_PASSING_ON_SQLITE = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL,
}  # fmt: skip


def is_unavailable(error: BaseException | None) -> bool:
    """Whether the error, or an error that caused it, means that the database cannot be used at the moment."""
    while error is not None:
        if isinstance(error, OperationalError | InterfaceError):
            code = getattr(error.__cause__, "sqlite_errorcode", None)
            return code is None or code & 0xFF in _PASSING_ON_SQLITE
        error = error.__cause__ or error.__context__
    return False


def handle_error(request: HttpRequest) -> HttpResponse:
    """Django's handler of uncaught errors in views and middleware."""
    if not is_unavailable(sys.exc_info()[1]):
        return JsonResponse(INTERNAL, status=500) if _of_api(request) else server_error(request)
    if _of_api(request):
        response: HttpResponse = JsonResponse(BODY, status=503)
    else:
        # Rendered without the request, whose user and messages would be read from the database.
        response = HttpResponse(render_to_string("503.html"), status=503)
    response["Retry-After"] = str(RETRY_AFTER)
    response["Cache-Control"] = "no-store"
    return response


def _of_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")
