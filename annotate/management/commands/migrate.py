"""Django's `migrate`, one process at a time.

Several containers or services can start at the same time. Without the lock, two processes plan the same migrations, and
one of them fails because the tables exist already.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from annotate.backups import schema
from annotate.backups.archive import BackupError

LOCK = 4_137_206_551  # any number that no other program uses as an advisory lock in this database


class Command(migrate.Command):
    """Run migrations after any other process has finished its migrations, unless the database belongs to a newer
    version of Accord, with whose tables this version could damage data.
    """

    def handle(self, *args: Any, **options: Any) -> None:
        with _alone(connections[options.get("database") or DEFAULT_DB_ALIAS]):
            if not settings.MIGRATION_MODULES:  # Django's tests turn migrations off
                _refuse_newer_database()
            super().handle(*args, **options)


def _refuse_newer_database() -> None:
    advice = "upgrade this server, or restore a backup of this version into an empty database"
    try:
        schema.refuse_newer(schema.applied(), "the database", advice)
    except BackupError as error:
        raise CommandError(str(error)) from error


@contextmanager
def _alone(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Wait for other processes that migrate the same database, and let them wait during the block."""
    if connection.vendor == "postgresql":
        with _locked_server(connection):
            yield
    elif (path := Path(str(connection.settings_dict["NAME"]))).parent.is_dir():
        with _locked_folder(path.parent):
            yield
    else:
        yield  # a database in memory


@contextmanager
def _locked_server(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Hold the lock in a transaction on a second connection, because a pooler can move the statements of a session to
    another connection between two transactions.
    """
    second = connection.copy()
    try:
        second.set_autocommit(False)
        with second.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        yield
    finally:
        second.close()


@contextmanager
def _locked_folder(folder: Path) -> Iterator[None]:
    """Lock the folder of a SQLite database."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
