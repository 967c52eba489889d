"""Backups that are read from one consistent database snapshot without blocking other writers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from typing import BinaryIO

from django.apps import apps
from django.db import connection, transaction
from django.db.models import Min

from annotate.models import Study

from . import schema
from .archive import BackupError, Json, Manifest, Row, Writer
from .scope import Part, of_installation, of_study
from .tables import columns, read_rows

Progress = Callable[[str, int], None]


def write_backup(stream: BinaryIO, study: Study | None, progress: Progress) -> Manifest:
    """Write a backup of the installation, or of one study, to a binary stream. Memory use does not depend on the size
    of the database.

    A database with unapplied migrations can only be backed up as a whole. Raises `BackupError` if the database is newer
    than this version, or if it is older and `study` is not None.
    """
    registry = schema.registry()
    if study is not None and registry is not apps:
        raise BackupError("the database is older than this version of Accord; run: python manage.py migrate")
    with one_moment():
        parts = list(of_study(study) if study else of_installation(registry))
        about = [_about(part) for part in parts]
        writer = Writer(stream, {**_header(study), "tables": about})
        for part, description in zip(parts, about, strict=True):
            progress(description["table"], 0)
            written = writer.table(description, _rows(part, description["columns"]))
            progress(description["table"], written.rows)
        return writer.close()


@contextmanager
def one_moment() -> Iterator[None]:
    """Run the block in a single database snapshot. Readers and writers do not block each other during the snapshot."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")  # Django's own transactions are IMMEDIATE and would block writers
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


def _header(study: Study | None) -> dict[str, Json]:
    return {
        "scope": {"study": study.public_id, "title": study.title} if study else "installation",
        "version": version("accord-annotation"),
        "created_at": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "database": connection.vendor,
        "migrations": schema.applied(),
    }


def _about(part: Part) -> dict[str, Json]:
    """Return a table's header, with its name, its columns, its first key in the backup, and its last assigned key."""
    return {
        "table": part.model._meta.label_lower,
        "columns": columns(part.model),
        "first": part.rows.aggregate(first=Min("pk"))["first"],
        "sequence": schema.last_value(part.model),
    }


def _rows(part: Part, names: list[str]) -> Iterator[Row]:
    replaced = {names.index(name): value for name, value in part.replaced.items() if name in names}
    for row in read_rows(part.rows, names):
        for place, value in replaced.items():
            row[place] = value
        yield row
