"""Django's `migrate`, one process at a time and in one transaction.

Several containers or services can start at the same time. Without the lock, two processes plan the same migrations, and
one of them fails because the tables exist already.

If a migration fails, the database remains as it was, with the triggers that `migrate` drops first (see
`annotate/models/installed_triggers.py`). Migrations therefore cannot contain statements that PostgreSQL refuses in
a transaction, such as CREATE INDEX CONCURRENTLY.
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
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from annotate.backups import schema
from annotate.backups.archive import BackupError

LOCK = 4_137_206_551  # any number that no other program uses as an advisory lock in this database


class Command(migrate.Command):
    """Run migrations once no other process is migrating the database. Databases of newer versions of Accord are
    refused, because this version could damage their data.
    """

    def handle(self, *args: Any, **options: Any) -> None:
        self.connection = connections[options.get("database") or DEFAULT_DB_ALIAS]
        with _alone(self.connection):
            if not settings.MIGRATION_MODULES:  # Django's tests turn migrations off
                _refuse_newer_database()
            # SQLite cannot recreate tables while it checks foreign keys. Django checks them after each migration.
            with self.connection.constraint_checks_disabled(), transaction.atomic(self.connection.alias):
                super().handle(*args, **options)
                self.check_result()

    def check_result(self) -> None:
        """Raise an exception to undo all migrations. `accord upgrade` checks the migrated database here."""

    def get_check_kwargs(self, options: dict[str, Any]) -> Any:
        """Leave the checks of the database out, because an error about missing triggers would stop the command that
        creates them.
        """
        return {**super().get_check_kwargs(options), "databases": None}

    def migration_progress_callback(self, action: str, *args: Any, **options: Any) -> None:
        """Report the progress. PostgreSQL cannot change a table that has outstanding checks of foreign keys."""
        super().migration_progress_callback(action, *args, **options)
        if action in ("apply_success", "unapply_success") and self.connection.vendor == "postgresql":
            self.connection.check_constraints()


def _refuse_newer_database() -> None:
    advice = "upgrade this server, or restore a backup of this version into an empty database"
    try:
        schema.refuse_newer(schema.applied(), "the database", advice)
    except BackupError as error:
        raise CommandError(str(error)) from error


@contextmanager
def _alone(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Wait until no other process is migrating the database, and make other processes wait during the block."""
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
    """Hold the lock in a transaction on a second connection, because a pooler can move a session to another
    connection between transactions.
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
