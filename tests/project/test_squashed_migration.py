"""Tests that the squashed migration creates the same tables, indexes, constraints and triggers as the migrations that
it replaces.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tests.installations import Installation, on, without_squashed_migrations

SCHEMA = {
    "sqlite": {
        "columns": """
            SELECT m.name, c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden
            FROM sqlite_master m, pragma_table_xinfo(m.name) c WHERE m.type = 'table'""",
        "keys": """
            SELECT m.name, k."table", k."from", k."to", k.on_delete
            FROM sqlite_master m, pragma_foreign_key_list(m.name) k WHERE m.type = 'table'""",
        "indexes": "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL",
        "triggers": "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'",
    },
    "postgresql": {
        "columns": """
            SELECT table_name, column_name, data_type, character_maximum_length, numeric_precision, numeric_scale,
                is_nullable, column_default, is_identity, generation_expression
            FROM information_schema.columns WHERE table_schema = 'public'""",
        # Unnamed constraints and their indexes get other names when a column is added later.
        "constraints": """
            SELECT conrelid::regclass::text, pg_get_constraintdef(oid)
            FROM pg_constraint WHERE connamespace = 'public'::regnamespace""",
        "indexes": """
            SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
            AND indexname NOT IN (SELECT conname FROM pg_constraint)""",
        "triggers": "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
        "functions": "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
    },
}


@pytest.mark.nightly
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_new_and_upgraded_installations_have_the_same_schema(
    database: str, tmp_path: Path, django_db_blocker: Any
) -> None:
    with django_db_blocker.unblock():
        with on(database, tmp_path / "new") as installation:
            installation.migrate()
            squashed = schema(installation)
        with on(database, tmp_path / "step by step") as installation:
            with without_squashed_migrations():
                installation.migrate()
            stepwise = schema(installation)
    for part, rows in stepwise.items():
        assert rows, f"the database has no {part}"
        assert squashed[part] == rows, f"{part} differ"


def schema(installation: Installation) -> dict[str, set[tuple[str, ...]]]:
    """Return the rows that describe each part of the schema."""
    with installation.connected(), connection.cursor() as cursor:
        parts = {}
        for part, query in SCHEMA[connection.vendor].items():
            cursor.execute(query)
            parts[part] = {tuple(" ".join(str(value).split()) for value in row) for row in cursor.fetchall()}
        return parts
