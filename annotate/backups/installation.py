"""Functions that restore a whole installation into an empty database, or replace the current contents.

The tables are created with the migrations of the backup, filled, compared with the manifest, and then migrated, which
also creates the triggers. The changes become visible only at the end. PostgreSQL uses one transaction, and SQLite uses
a new file that replaces the old file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor

from annotate.models import User

from . import schema
from .archive import BackupError, Manifest, Reader, Rows
from .scope import stored_models, without_access
from .snapshot import Progress
from .tables import Model, insert_rows, read_rows

LOCK_WAIT = "10s"


def restore_installation(reader: Reader, *, replace: bool, progress: Progress) -> Manifest:
    """Restore the backup completely or not at all, compare the restored rows with the backup's manifest, and return the
    manifest.

    A backup of an older version is migrated. Raises `BackupError` if the backup is damaged or newer, if the database is
    not empty and `replace` is false, or if another process uses the database.
    """
    schema.refuse_newer(reader.header["migrations"], "the backup")
    studies, accounts = content()
    if (studies or accounts) and not replace:
        raise BackupError(f"the database has {studies:,} studies and {accounts:,} accounts; --replace deletes them")
    with _new_tables():
        target = [(app, name) for app, names in reader.header["migrations"].items() for name in names]
        registry = _migrate_to(target)
        with transaction.atomic():
            manifest = _fill(reader, registry, progress)
        call_command("migrate", verbosity=0, interactive=False)
    return manifest


def content() -> tuple[int, int]:
    """Return the number of studies and the number of accounts in the database. Both numbers are 0 if the database has
    no tables.
    """
    tables = connection.introspection.table_names()
    counts = []
    with connection.cursor() as cursor:
        for table in ("annotate_study", "annotate_user"):
            cursor.execute(f"SELECT count(*) FROM {table}" if table in tables else "SELECT 0")  # noqa: S608
            counts.append(int(cursor.fetchone()[0]))
    return counts[0], counts[1]


def _fill(reader: Reader, registry: Any, progress: Progress) -> Manifest:
    models = schema.models_of(reader.header["tables"], registry)
    with schema.without_triggers(stored_models(registry)):
        for model in models.values():
            model._base_manager.all()._raw_delete(connection.alias)  # rows that migrations have created
        for table in schema.tables_of(reader):
            progress(table.name, 0)
            names = table.about["columns"]
            hides = reader.header["scope"] != "installation" and table.name == User._meta.label_lower
            rows = (without_access(names, row) for row in table.rows) if hides else table.rows
            insert_rows(models[table.name], names, rows)
        manifest = reader.complete()
        for about in reader.header["tables"]:
            model = models[about["table"]]
            _compare(model, about["columns"], manifest)
            schema.set_last_value(model, about["sequence"])
            progress(about["table"], manifest.tables[about["table"]].rows)
    return manifest


def _compare(model: Model, names: list[str], manifest: Manifest) -> None:
    """Read a restored table, and compare its fingerprint with the fingerprint in the backup."""
    stored = Rows()
    for row in read_rows(model._base_manager.all(), names):
        stored.add(row)
    if stored.fingerprint() != manifest.tables[model._meta.label_lower]:
        raise BackupError(f"{model._meta.db_table} differs from the backup after loading, so nothing was restored")


def _migrate_to(target: list[schema.Migration]) -> Any:
    """Create the tables for these migrations, and return the registry of their historical models."""
    executor = MigrationExecutor(connection)
    executor.loader.check_consistent_history(connection)
    last = [node for node in target if not any(child.key in target for child in _next(executor, node))]
    executor.migrate(last)
    return executor.loader.project_state(target).apps


def _next(executor: MigrationExecutor, node: schema.Migration) -> list[Any]:
    """Return the migrations that directly follow this migration in the same application."""
    return [child for child in executor.loader.graph.node_map[node].children if child.key[0] == node[0]]


@contextmanager
def _new_tables() -> Iterator[None]:
    """Provide an empty database, which replaces the current database if the block succeeds."""
    with _new_file() if connection.vendor == "sqlite" else _dropped_tables():
        yield


@contextmanager
def _dropped_tables() -> Iterator[None]:
    executor = MigrationExecutor(connection)
    advice = "create an empty database for the backup, because this version does not know all tables of this one"
    schema.refuse_newer(schema.applied(), "the database", advice)
    present = set(executor.loader.applied_migrations)
    state = executor.loader.project_state([node for node in present if node in executor.loader.graph.nodes])
    own_tables = {model._meta.db_table for model in state.apps.get_models(include_auto_created=True)}
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_WAIT}'")
            tables = connection.introspection.table_names(cursor)
            for table in [name for name in tables if name in own_tables | {"django_migrations"}]:
                cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)} CASCADE")
        yield


@contextmanager
def _new_file() -> Iterator[None]:
    """Connect to an empty file in the same folder as the database. At the end of the block, the file replaces the
    database.
    """
    database = Path(str(connection.settings_dict["NAME"])).resolve()
    refuse_in_use(database)
    draft = database.with_name(f".{database.name}.{os.urandom(6).hex()}")
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    connection.settings_dict["NAME"] = str(draft)
    try:
        yield
        connection.close()  # the last connection moves the write-ahead log into the file
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        refuse_in_use(database)
        draft.replace(database)
    finally:
        connection.close()
        connection.settings_dict["NAME"] = str(database)
        for left in (draft, Path(f"{draft}-wal"), Path(f"{draft}-shm")):
            left.unlink(missing_ok=True)


def refuse_in_use(database: Path, action: str = "the restore") -> None:
    """Raise `BackupError` if another process has a SQLite database open, because the write-ahead log would then
    remain.
    """
    connection.close()
    if not database.exists():
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM sqlite_master")
    connection.close()
    if Path(f"{database}-wal").exists():
        raise BackupError(f"another process has the database open; stop Accord before {action}")
