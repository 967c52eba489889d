"""Responses that ask clients to try again later (status 503), sent while the database is unavailable.

A restart of PostgreSQL, a full disk or a lock that is held too long is a temporary problem and not an error in the
program. The transaction was rolled back, but if the connection failed during the commit, the outcome is unknown. The
client can send the same request again. Errors in the program, such as a missing table or an incorrect statement, still
result in status 500. SQLite also reports errors in the program as `OperationalError`, but with different codes.
"""

from __future__ import annotations

import sqlite3
import sys
from typing import Any

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error

from . import outages
from .languages import for_annotators, show_in_stored

RETRY_AFTER = 5  # seconds
BODY: dict[str, Any] = {
    "code": "unavailable",
    "message": "The database is currently unavailable. The request may not have been stored. Try again.",
    "fields": {},
}
# The response does not describe the error, because operators can read the details in the log.
INTERNAL: dict[str, Any] = {
    "code": "internal",
    "message": "An internal error occurred. The server log contains the details. Try again later.",
    "fields": {},
}
# These codes are primary result codes of SQLite (https://sqlite.org/rescode.html). Extended result codes add details
# only in the higher bits.
_PASSING_ON_SQLITE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
}


def is_unavailable(error: BaseException | None) -> bool:
    """Return True if the error or one of its causes means that the database is temporarily unavailable."""
    while error is not None:
        if isinstance(error, OperationalError | InterfaceError):
            code = getattr(error.__cause__, "sqlite_errorcode", None)
            return code is None or code & 0xFF in _PASSING_ON_SQLITE
        error = error.__cause__ or error.__context__
    return False


def handle_error(request: HttpRequest) -> HttpResponse:
    """Handle an uncaught error in a view or in middleware. Django calls this function."""
    error = sys.exc_info()[1]
    if error is None or not is_unavailable(error):
        return JsonResponse(INTERNAL, status=500) if _of_api(request) else server_error(request)
    outages.database.failed(error)
    if _of_api(request):
        response: HttpResponse = JsonResponse(BODY, status=503)
    else:
        if for_annotators(request):
            show_in_stored(request)
        # The error page is rendered without the request, because rendering the user and messages would require the
        # database.
        response = HttpResponse(render_to_string("503.html"), status=503)
    response["Retry-After"] = str(RETRY_AFTER)
    response["Cache-Control"] = "no-store"
    return response


def _of_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")
