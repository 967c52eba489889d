"""The causes of database errors, for the log and for `/readyz`.

The state is one of a few short words that can be shown to anyone. The cause is the first line of the database's
message, without details, because details quote values such as answers.
"""

from __future__ import annotations

import errno
import sqlite3
import tempfile
from pathlib import Path

from django.conf import settings

UNREACHABLE, SILENT, DISK_FULL, READ_ONLY = "unreachable", "not responding", "disk full", "not writable"
STARTING, TOO_MANY, BUSY = "starting or stopping", "too many connections", "busy"

# The codes are in appendix A of PostgreSQL's documentation.
_STATES = {
    "53100": DISK_FULL,
    "53300": TOO_MANY,
    "57P03": STARTING,
    "57P01": STARTING,
    "57P02": STARTING,
    "25006": READ_ONLY,
    "55P03": BUSY,
    "57014": BUSY,
    "40P01": BUSY,
    "40001": BUSY,
}
# psycopg reports errors during the connection without a code.
_MESSAGES = {
    "too many clients": TOO_MANY,
    "remaining connection slots": TOO_MANY,
    "the database system is": STARTING,
    "No space left on device": DISK_FULL,
    "has not responded": SILENT,
    "does not respond": SILENT,
    "timeout expired": SILENT,
}
_BUSY_ON_SQLITE = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_PROBE_BYTES = 64 * 1024


def state_of(error: BaseException) -> str:
    """Return a short word for the state of the database that caused the error."""
    driver = _driver_error(error)
    if isinstance(driver, sqlite3.Error):
        if getattr(driver, "sqlite_errorcode", 0) & 0xFF in _BUSY_ON_SQLITE:
            return BUSY
        return state_of_folder() or UNREACHABLE
    code = getattr(driver, "sqlstate", None)
    if code:
        return _STATES.get(code, UNREACHABLE)
    return next((state for text, state in _MESSAGES.items() if text in str(driver)), UNREACHABLE)


def state_of_folder() -> str | None:
    """Return the state of a SQLite database whose folder cannot store data, or None if the folder can."""
    refusal = refused_write()
    if refusal is None:
        return None
    return DISK_FULL if refusal.errno in _NO_SPACE else READ_ONLY


def cause_of(error: BaseException) -> str:
    """Return one line that names the cause of the error."""
    driver = _driver_error(error)
    message = str(driver).partition("\n")[0] or type(driver).__name__
    refusal = refused_write() if isinstance(driver, sqlite3.Error) else None
    return f"{message} ({refusal.strerror})" if refusal else message


def refused_write() -> OSError | None:
    """Write a temporary file next to the SQLite database. Return the error if the system refuses to write."""
    try:
        with tempfile.TemporaryFile(dir=Path(settings.DATABASES["default"]["NAME"]).parent) as file:
            file.write(b"\0" * _PROBE_BYTES)
            file.flush()
    except OSError as error:
        return error
    return None


def _driver_error(error: BaseException) -> BaseException:
    """Return the error of psycopg or SQLite behind Django's error."""
    cause: BaseException | None = error
    while cause is not None:
        if type(cause).__module__.startswith(("psycopg", "sqlite3", "annotate.server.postgres")):
            return cause
        cause = cause.__cause__ or cause.__context__
    return error
