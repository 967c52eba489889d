"""Tests that migrations can change tables with triggers, and that the triggers are always there afterwards."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.checks import Tags, run_checks
from django.core.management import call_command
from django.db import DatabaseError, connection, models, transaction
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.writer import MigrationWriter
from django.test import override_settings

from annotate.models import Answer, Event, Study, count_triggers, installed_triggers, triggers
from tests.factories import do_hit, make_annotator, make_study
from tests.installations import FULL, Installation, on
from tests.recounts import recounted, stored_counts

pytestmark = pytest.mark.nightly

TABLES = {table for part in (triggers, count_triggers) for table, _ in part.statements("sqlite").values()}
# A migration that changes rows, before the migration that changes tables.
ADD_EVENTS = """
from django.db import migrations

def add_events(apps, schema_editor):
    for study in apps.get_model("annotate", "Study").objects.all():
        apps.get_model("annotate", "Event").objects.create(study=study, verb="migrated")
    apps.get_model("annotate", "Event").objects.update(reason="The log was migrated.")

class Migration(migrations.Migration):
    dependencies = [("annotate", "{last}")]
    operations = [migrations.RunPython(add_events, migrations.RunPython.noop)]
"""
FAIL = """
from django.db import migrations

def fail(apps, schema_editor):
    raise RuntimeError("This migration fails.")

class Migration(migrations.Migration):
    dependencies = [("annotate", "9002_generated")]
    operations = [migrations.RunPython(fail, migrations.RunPython.noop)]
"""

on_both = pytest.mark.parametrize("installation", ["sqlite", "postgresql"], indirect=True, scope="module")


@pytest.fixture(scope="module")
def installation(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any
) -> Iterator[Installation]:
    """The full installation, to which this process is connected."""
    folder = tmp_path_factory.mktemp("triggers")
    with django_db_blocker.unblock(), on(request.param, folder) as full:
        full.accord("restore", FULL)
        with full.connected():
            yield full


@on_both
def test_a_migration_can_change_every_table_with_triggers(installation: Installation) -> None:
    before = rows()
    with later_version(installation.folder):
        migrate()
        assert columns() == dict.fromkeys(TABLES, True)
        assert rows() == before | {"annotate_event": before["annotate_event"] + Study.objects.count()}
        assert_guarded()
        migrate("annotate", MigrationLoader(None).get_migration_by_prefix("annotate", "0001").name)
    migrate()
    assert columns() == dict.fromkeys(TABLES, False)
    assert_guarded()


@on_both
def test_a_migration_that_fails_changes_nothing(installation: Installation) -> None:
    before = rows()
    with later_version(installation.folder, FAIL), pytest.raises(RuntimeError, match="This migration fails"):
        migrate()
    assert columns() == dict.fromkeys(TABLES, False)
    assert rows() == before
    assert_guarded()


@pytest.mark.rules
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("change", "reason"), [("missing", "Too fast."), ("changed", "")])
def test_a_missing_or_changed_trigger_is_reported_and_created_by_the_next_migrate(change: str, reason: str) -> None:
    name, study = "annotate_count_answer_update", make_study(items=8)
    do_hit(make_annotator(study))
    Answer.objects.filter(assignment__study=study).update(excluded="" if reason else "Too slow.")
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {name}{' ON annotate_answer' if connection.vendor == 'postgresql' else ''}")
        if change == "changed":
            statements = count_triggers.statements(connection.vendor)[name][1]
            cursor.execute(statements[-1].replace("OLD.excluded", "NEW.excluded"))
    Answer.objects.filter(assignment__study=study).update(excluded=reason)
    assert stored_counts(study) != recounted(study)
    (error,) = run_checks(tags=[Tags.database], databases=["default"])
    assert name in error.msg
    migrate()
    assert not run_checks(tags=[Tags.database], databases=["default"])
    assert_guarded()


@contextmanager
def later_version(folder: Path, *further: str) -> Iterator[None]:
    """Add migrations to the current ones during the block: a migration that changes rows, the migration that
    `makemigrations` would write for changes to every table with triggers, and further ones.
    """
    loader = MigrationLoader(None)
    ((_, last),) = loader.graph.leaf_nodes("annotate")
    package = folder / f"later_{connection.vendor}_{len(further)}"
    package.mkdir()
    for file in Path(import_module("annotate.migrations").__path__[0]).glob("*.py"):
        (package / file.name).write_bytes(file.read_bytes())
    (package / "9001_add_events.py").write_text(ADD_EVENTS.replace("{last}", last))
    (package / "9002_generated.py").write_text(generated(loader))
    for number, text in enumerate(further, start=9003):
        (package / f"{number}_further.py").write_text(text)
    sys.path.insert(0, str(folder))
    try:
        with override_settings(MIGRATION_MODULES={"annotate": package.name}):
            yield
    finally:
        sys.path.remove(str(folder))


def generated(loader: MigrationLoader) -> str:
    """Return the migration for a new column in every table with triggers, and for a longer column that triggers read.

    SQLite recreates a table to add a column that is not null.
    """
    before = loader.project_state()
    after = before.clone()
    for model in apps.get_models():
        if model._meta.db_table in TABLES:
            column = models.CharField(max_length=40, default="")
            after.add_field("annotate", model._meta.model_name, "note", column, preserve_default=True)
    longer = models.CharField(max_length=600, blank=True)
    after.alter_field("annotate", "answer", "excluded", longer, preserve_default=True)
    (migration,) = MigrationAutodetector(before, after)._detect_changes()["annotate"]
    migration.dependencies = [("annotate", "9001_add_events")]
    return MigrationWriter(migration).as_string()


def migrate(*target: str) -> None:
    call_command("migrate", *target, verbosity=0, interactive=False)


def columns() -> dict[str, bool]:
    """Return whether each table with triggers has the new column.

    Django's introspection cannot read a table in SQLite whose last constraint contains a list.
    """

    def names(table: str) -> set[str]:
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT * FROM {table} LIMIT 0")  # noqa: S608
            return {column[0] for column in cursor.description}

    return {table: "note" in names(table) for table in TABLES}


def rows() -> dict[str, int]:
    """Return the number of rows in each table with triggers."""
    with connection.cursor() as cursor:
        return {table: cursor.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in TABLES}  # noqa: S608


def assert_guarded() -> None:
    """Assert that every trigger is there, that final rows cannot be changed, and that all counts are correct."""
    assert installed_triggers.differences(connection) == []
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Event.objects.latest("pk").delete()
    for study in Study.objects.all():
        assert stored_counts(study) == recounted(study)
