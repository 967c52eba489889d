"""The triggers in the database, which `migrate` drops before the migrations and creates again after them.

SQLite recreates a table to change it, PostgreSQL refuses to change a column that a trigger reads, and migrations may
change final rows. `migrate` runs in one transaction, so no other connection ever finds a trigger missing, even if a
migration fails.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

from . import count_triggers, triggers

_PRESENT = {
    "sqlite": """
        SELECT name, tbl_name, sql FROM sqlite_master
        WHERE type = 'trigger' AND name LIKE 'annotate!_%' ESCAPE '!'""",
    "postgresql": """
        SELECT t.tgname, c.relname, CASE WHEN t.tgenabled <> 'D' THEN obj_description(t.oid, 'pg_trigger') END
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE t.tgname LIKE 'annotate!_%' ESCAPE '!' AND pg_table_is_visible(c.oid)""",
}


def before_migrations(using: str, plan: Sequence[Any] = (), **_: Any) -> None:
    """Drop all triggers if there are migrations to run."""
    if plan:
        drop(connections[using])


def after_migrations(using: str, **_: Any) -> None:
    """Create all triggers if any is missing or has changed, and recalculate the counts, which were not updated in the
    meantime. A database without the newest tables gets no triggers, because they read these tables.
    """
    connection = connections[using]
    if not _has_newest_tables(connection) or not differences(connection):
        return
    drop(connection)
    create(connection)
    if connection.vendor == "postgresql":  # another process could be summing counts
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE annotate_hourcount, annotate_goldcount IN SHARE ROW EXCLUSIVE MODE")
    count_triggers.count_anew(connection)


def check(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Return an error for each of these databases in which triggers are missing or wrong."""
    return [
        Error(
            f"The database {alias} lacks triggers that protect its data, or has old ones: {', '.join(names)}.",
            hint="Run: python manage.py migrate",
            id="annotate.E001",
        )
        for alias in databases or ()
        if _has_newest_tables(connections[alias]) and (names := differences(connections[alias]))
    ]


def differences(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the names of all triggers that are missing, disabled, out of date or unknown."""
    present = {name: mark for name, _, mark in _present(connection)}
    wanted = {name: _mark(connection, statements) for name, (_, statements) in _wanted(connection).items()}
    return sorted(name for name in {*present, *wanted} if present.get(name, "") != wanted.get(name, ""))


def create(connection: BaseDatabaseWrapper) -> None:
    """Create all triggers. None of them may exist."""
    with connection.cursor() as cursor:
        for name, (table, statements) in _wanted(connection).items():
            for statement in statements:
                cursor.execute(statement)
            if connection.vendor == "postgresql":
                cursor.execute(f"COMMENT ON TRIGGER {name} ON {table} IS '{_mark(connection, statements)}'")


def drop(connection: BaseDatabaseWrapper) -> None:
    """Drop all triggers that exist."""
    present = _present(connection)
    with connection.cursor() as cursor:
        for name, table, _ in present:
            cursor.execute(f"DROP TRIGGER {name}{f' ON {table}' if connection.vendor == 'postgresql' else ''}")


def _present(connection: BaseDatabaseWrapper) -> list[tuple[str, str, str]]:
    """Return the name, the table and the mark of each trigger."""
    with connection.cursor() as cursor:
        cursor.execute(_PRESENT[connection.vendor])
        return list(cursor.fetchall())


def _wanted(connection: BaseDatabaseWrapper) -> dict[str, tuple[str, list[str]]]:
    """Return the table and the statements of each trigger."""
    return triggers.statements(connection.vendor) | count_triggers.statements(connection.vendor)


def _mark(connection: BaseDatabaseWrapper, statements: list[str]) -> str:
    """Return a text that changes with the trigger. SQLite keeps the statement itself, and PostgreSQL a comment."""
    text = ";".join(statements)
    return text if connection.vendor == "sqlite" else hashlib.sha256(text.encode()).hexdigest()


def _has_newest_tables(connection: BaseDatabaseWrapper) -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan([node for node in executor.loader.graph.leaf_nodes() if node[0] == "annotate"])
