"""Tests that a database of the latest release loses nothing when it is migrated to the current version.

The backup of the release is restored: `accord restore` creates the tables with the release's migrations, fills them and
then runs all later migrations on the rows. The tables are those of the release as long as its migrations stay the same.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps

from annotate.backups.archive import Reader
from annotate.backups.tables import columns, read_rows
from annotate.models import Study
from tests.installations import FULL, ROOT, on
from tests.recounts import recounted, stored_counts
from tests.rooms import entries

MIGRATIONS = {
    "alignment_ui/words/migrations/0001_initial.py": "5db39273ae7d7ddae7128d8c050b7853b8d07760c1fc30a00ef3b28b44768ef6",
    "annotate/migrations/0001_initial.py": "64ca72c9be38161bde223a1ea393bb8646fb4cee3e26027b737ca8a8f39adb44",
    "evaluation/migrations/0001_initial.py": "78d6074c24e2e4b2ec3753f973e33a010449c44e69ba7e7df89bd4fef3d0da0c",
    **entries("MIGRATIONS"),
}
# Django adds rows to these tables for each new model.
OF_MODELS = ("auth.permission", "contenttypes.contenttype")


@pytest.mark.nightly
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_every_row_of_the_release_is_still_there(database: str, tmp_path: Path, django_db_blocker: Any) -> None:
    with django_db_blocker.unblock(), on(database, tmp_path) as installation, FULL.open("rb") as stream:
        installation.accord("restore", FULL)
        with installation.connected():
            for table in Reader(stream).tables():
                model, names = apps.get_model(table.name), table.about["columns"]
                kept = [name for name in names if name in columns(model)]
                released = [dict(zip(names, row, strict=True)) for row in table.rows]
                stored = list(read_rows(model._base_manager.all(), kept))
                if table.name in OF_MODELS:
                    stored = stored[: len(released)]
                assert stored == [[row[name] for name in kept] for row in released], table.name
            for study in Study.objects.all():
                assert stored_counts(study) == recounted(study)


@pytest.mark.parametrize("file", MIGRATIONS)
def test_migrations_of_the_release_never_change(file: str) -> None:
    digest = hashlib.sha256((ROOT / file).read_bytes()).hexdigest()
    assert digest == MIGRATIONS[file], "Write a new migration: databases have this migration already."
