"""The parts of the database schema that backups need: migrations, triggers and sequences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import AutoField, Max

from .archive import BackupError, Json, Reader, Row, Table
from .scope import never_in_study, stored_models
from .tables import Model, columns

Migration = tuple[str, str]


def applied() -> dict[str, list[str]]:
    """Return the names of the applied migrations, by application."""
    names: dict[str, list[str]] = {}
    for app, name in sorted(MigrationRecorder(connection).applied_migrations()):
        names.setdefault(app, []).append(name)
    return names


def is_current() -> bool:
    """Return whether the database has all migrations of this version. Raises `BackupError` if unknown migrations have
    been applied.
    """
    refuse_newer(applied(), "the database")
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def registry() -> Any:
    """Return the models that match the database: current models, or historical models if the database is older."""
    if is_current():
        return apps
    loader = MigrationExecutor(connection).loader
    return loader.project_state([node for node in loader.applied_migrations if node in loader.graph.nodes]).apps


def refuse_newer(migrations: dict[str, Json], what: str, advice: str = "upgrade this server first") -> None:
    """Raise `BackupError` with some advice if a migration is unknown to this version."""
    own_migrations = MigrationExecutor(connection).loader.disk_migrations
    for app, names in migrations.items():
        for name in names:
            if (app, name) not in own_migrations:
                raise BackupError(f"{what} comes from a newer version of Accord (it has {app}.{name}); {advice}")


def require_same_version(migrations: dict[str, Json]) -> None:
    """Raise `BackupError` if the database is out of date, or if a study's backup was created with different
    migrations.
    """
    if not is_current():
        raise BackupError("the database is older than this version of Accord; run: python manage.py migrate")
    refuse_newer(migrations, "the backup")
    if migrations != applied():
        raise BackupError(
            "the backup comes from an older version of Accord: restore it into a new database first, which upgrades it "
            "(DATABASE_URL=sqlite:///new.sqlite3), back the study up there, and restore that file here"
        )


def models_of(tables: list[dict[str, Json]], registry: Any) -> dict[str, Model]:
    """Return a mapping from the table names in a backup to models. Raises `BackupError` if a table or column is
    unknown.
    """
    models = {model._meta.label_lower: model for model in stored_models(registry)}
    for table in tables:
        model = models.get(table["table"])
        if model is None or set(columns(model)) != set(table["columns"]):
            raise BackupError(f"this version of Accord has other columns in {table['table']} than the backup")
    return {table["table"]: models[table["table"]] for table in tables}


def tables_of(reader: Reader) -> Iterator[Table]:
    """Yield the tables of a backup. Raises `BackupError` if a table is not in the header, if a study's backup contains
    another kind of table, or if a row's columns differ from its table's.
    """
    refused = set() if reader.header["scope"] == "installation" else never_in_study()
    for table in reader.tables():
        if table.about not in reader.header["tables"]:
            raise BackupError(f"the backup is damaged: {table.name} is not in its list of tables")
        if table.name in refused:
            raise BackupError(f"the backup contains one study, so it cannot contain the table {table.name}")
        yield replace(table, rows=_complete_rows(table))


def _complete_rows(table: Table) -> Iterator[Row]:
    columns = len(table.about["columns"])
    for row in table.rows:
        if len(row) != columns:
            raise BackupError(f"the backup is damaged: a row of {table.name} has {len(row)} of {columns} columns")
        yield row


def last_value(model: Model) -> int:
    """Return the last primary key that the database assigned in this table, or 0."""
    table = model._meta.db_table
    if not isinstance(model._meta.pk, AutoField):
        return 0
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        else:
            cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [table, model._meta.pk.column])
            (name,) = cursor.fetchone()
            cursor.execute(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {name}")  # noqa: S608 (the name of a sequence)
        row = cursor.fetchone()
    return int(row[0]) if row else 0


def set_last_value(model: Model, value: int) -> None:
    """Make the database assign primary keys above both `value` and all existing keys in the table."""
    table, key = model._meta.db_table, model._meta.pk.column
    if value < 1:
        return
    value = max(value, model._base_manager.aggregate(last=Max("pk"))["last"] or 0)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, value])
        else:
            cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [table, key, value])


@contextmanager
def without_triggers(models: Sequence[Model]) -> Iterator[None]:
    """Disable all triggers on these tables, so that rows are inserted unchanged. The caller must open a transaction
    first.

    On PostgreSQL this locks the tables against other writers until the transaction ends.
    """
    tables = [model._meta.db_table for model in models]
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = cursor.fetchall()
            for name, _ in triggers:
                cursor.execute(f"DROP TRIGGER {quote(name)}")
            yield
            for _, statement in triggers:
                cursor.execute(statement)
        else:
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")  # a migration of the same transaction may have changed it
            for table in tables:
                cursor.execute(f"ALTER TABLE {quote(table)} DISABLE TRIGGER USER")
            yield
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # PostgreSQL cannot alter a table with outstanding checks
            for table in tables:
                cursor.execute(f"ALTER TABLE {quote(table)} ENABLE TRIGGER USER")
