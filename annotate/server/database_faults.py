"""One-line descriptions of faults of the database for people at a command line."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import click
from django.db import DatabaseError, Error, connection
from django.db.utils import InterfaceError, OperationalError, ProgrammingError

UNMIGRATED = ("42P01", "42703")  # PostgreSQL's codes for an unknown table and an unknown column
_POSTGRES = (
    (r"password authentication failed|no password supplied", "Check the user and the password in DATABASE_URL."),
    (r"role .* does not exist", "Check the user in DATABASE_URL, or create this user in PostgreSQL."),
    (r"database .* does not exist", "Check the name of the database in DATABASE_URL, or create it with: createdb"),
    (r"pg_hba", "Allow this user and address in PostgreSQL's pg_hba.conf."),
    (r"permission denied", "Give the user in DATABASE_URL the rights to the database and its tables."),
    (r"no space left|could not extend", "Free some disk space on the database server, then try again."),
    (r"too many (clients|connections)|slots are reserved", "Close other connections, or raise max_connections."),
    (r"lock timeout", "Stop the other processes of Accord, then try again."),
    (
        r"refused|(resolve|translate) host|time(d )?out|unreachable|no route|shutting|starting|closed|no such file",
        "Check that PostgreSQL is running, and check the host and the port in DATABASE_URL.",
    ),
)
_SQLITE = {
    sqlite3.SQLITE_FULL: "Free some disk space, then try again.",
    sqlite3.SQLITE_IOERR: "Check the disk and its free space.",
    sqlite3.SQLITE_CANTOPEN: "Check that its folder exists and that you can write to it.",
    sqlite3.SQLITE_READONLY: "Run the command as the owner of the file and its folder.",
    sqlite3.SQLITE_PERM: "Run the command as the owner of the file.",
    sqlite3.SQLITE_BUSY: "Another process is writing to the database. Stop it, or try again later.",
    sqlite3.SQLITE_LOCKED: "Another process is writing to the database. Stop it, or try again later.",
    sqlite3.SQLITE_NOTADB: "Check DATABASE_URL, or restore a backup.",
    sqlite3.SQLITE_CORRUPT: "The file is damaged. Restore a backup.",
}


@contextmanager
def reported() -> Iterator[None]:
    """Report a fault of the database in the block on one line. Errors in the program keep their traceback."""
    try:
        yield
    except (DatabaseError, InterfaceError) as error:
        line = fault_line(error)
        if line is None:
            raise
        raise click.ClickException(line) from error


def fault_line(error: Error) -> str | None:
    """Return what happened, in which database, and what to do, or None for an error in the program."""
    sqlite_code = getattr(error.__cause__, "sqlite_errorcode", None)
    if sqlite_code is not None:
        advice = _SQLITE.get(sqlite_code & 0xFF)
        return advice and f"{place()}: {error}. {advice}"
    if getattr(error.__cause__, "sqlstate", None) in UNMIGRATED:
        return f"{place()}: the tables belong to another version of Accord. Update them with: {migrate_command()}"
    text = _first_line(error)
    advice = next((advice for pattern, advice in _POSTGRES if re.search(pattern, text, re.IGNORECASE)), "")
    if not advice and (isinstance(error, ProgrammingError) or not isinstance(error, OperationalError | InterfaceError)):
        return None
    return f"{place()}: {text.rstrip('.')}. {advice}".strip()


def place() -> str:
    """Return the database in use, without its password."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return str(settings["NAME"])
    host, port = settings["HOST"] or "the local socket", settings["PORT"] or 5432
    user = f" as {settings['USER']}" if settings["USER"] else ""
    return f"PostgreSQL at {host}:{port}, database {settings['NAME']}{user}"


def migrate_command() -> str:
    """Return the command that creates and updates the tables. A wheel does not contain manage.py."""
    from django.conf import settings

    in_wheel = getattr(settings, "IN_WHEEL", False)
    return "python -m annotate migrate" if in_wheel else "python manage.py migrate"


def _first_line(error: BaseException) -> str:
    """Return the server's message without the addresses that psycopg puts before it."""
    first = str(error).partition("\n")[0].strip()
    return re.sub(r"^(connection failed: )?(connection to server .* failed: )?(.*FATAL:\s+)?", "", first)
