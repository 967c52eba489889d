"""Tests of the migration of a database in which annotators do not belong to one study: the annotators are separated,
and no data is lost.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

# Runs in a process of its own on a new database: fills it as an older version left it, migrates, prints the outcome.
SCRIPT = """
import json
from datetime import timedelta

import django

django.setup()
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from tests.installations import without_squashed_migrations
from django.utils import timezone

BEFORE = [("annotate", "0004_slot_without_index_on_study")]
with without_squashed_migrations():
    executor = MigrationExecutor(connection)
executor.migrate(BEFORE)
old = executor.loader.project_state(BEFORE).apps
Study, Annotator, Participation = (old.get_model("annotate", n) for n in ("Study", "Annotator", "Participation"))
first, second, third = (
    Study.objects.create(
        title=f"Study {number}", task_type="bws", public_id=f"study-{number}", join_token=f"join-{number}"
    )
    for number in (1, 2, 3)
)
people = {
    "shared": Annotator.objects.create(platform="prolific", external_id="5f1a", contact="ann@example.org"),
    "worker": Annotator.objects.create(platform="mturk", external_id="A1"),
    "web": Annotator.objects.create(platform="web", external_id="made-up"),
    "erased": Annotator.objects.create(platform="mturk", external_id="erased-xyz"),
    "without": Annotator.objects.create(platform="web", external_id="nobody"),
}
long_ago = timezone.now() - timedelta(days=400)
Annotator.objects.update(created_at=long_ago)
for number, (study, who) in enumerate(
    [(first, "shared"), (second, "shared"), (second, "worker"), (third, "worker"), (third, "web"), (first, "erased")]
):
    Participation.objects.create(
        study=study, annotator=people[who], pseudonym=f"{who}-{number}", seed=number,
        resume_hash="f" * 64 if number == 0 else None,
    )
executor = MigrationExecutor(connection)
executor.migrate(executor.loader.graph.leaf_nodes())

from annotate.models import Annotator, Participation, Study

rows = [
    {
        "pseudonym": one.pseudonym, "study": one.study.public_id, "of": one.annotator.study.public_id,
        "annotator": one.annotator_id, "platform": one.annotator.platform, "external_id": one.annotator.external_id,
        "verified": one.annotator.verified, "contact": one.annotator.contact, "public_id": one.public_id,
        "expires": one.resume_until is not None,
        "old": abs((one.annotator.created_at - long_ago).total_seconds()) < 1,
    }
    for one in Participation.objects.select_related("study", "annotator__study").order_by("seed")
]
recruitment = dict(Study.objects.values_list("public_id", "recruitment"))
print(json.dumps({"rows": rows, "recruitment": recruitment, "annotators": Annotator.objects.count()}))
"""


@pytest.fixture
def new_database(tmp_path: Path, db: None) -> str:
    """Return the address of an empty database of the kind that the tests use."""
    if connection.vendor == "sqlite":
        return f"sqlite:///{tmp_path / 'old.sqlite3'}"
    import psycopg

    name = f"{connection.settings_dict['NAME']}_old"
    parts = {**connection.get_connection_params(), "dbname": "postgres"}
    known = {key: value for key, value in parts.items() if key in ("host", "port", "user", "password", "dbname")}
    with psycopg.connect(**known, autocommit=True) as admin:
        admin.execute(f'DROP DATABASE IF EXISTS "{name}"')
        admin.execute(f'CREATE DATABASE "{name}"')
    user, password = known.get("user", ""), known.get("password", "")
    secret = f":{password}" if password else ""
    return f"postgresql://{user}{secret}@{known.get('host', '')}:{known.get('port', 5432)}/{name}"


@pytest.mark.rules
def test_a_filled_database_is_divided_up_by_study(new_database: str, tmp_path: Path) -> None:
    outcome = migrated(new_database, tmp_path)
    rows = {row["pseudonym"]: row for row in outcome["rows"]}
    assert list(rows) == ["shared-0", "shared-1", "worker-2", "worker-3", "web-4", "erased-5"]
    assert all(row["study"] == row["of"] for row in rows.values())
    assert len({row["annotator"] for row in rows.values()}) == len(rows) == outcome["annotators"]
    assert len({row["public_id"] for row in rows.values()}) == len(rows)
    assert all(len(row["public_id"]) == 22 for row in rows.values())
    for name in ("shared-0", "shared-1"):
        assert (rows[name]["platform"], rows[name]["external_id"]) == ("prolific", "5f1a")
        assert (rows[name]["contact"], rows[name]["verified"]) == ("ann@example.org", False)
    for name in ("worker-2", "worker-3"):
        assert (rows[name]["external_id"], rows[name]["verified"]) == ("A1", True)
    assert (rows["web-4"]["external_id"], rows["erased-5"]["external_id"]) == ("", "")
    assert not rows["erased-5"]["verified"]
    assert all(row["old"] for row in rows.values())
    assert rows["shared-0"]["expires"]
    assert outcome["recruitment"] == {"study-1": "prolific", "study-2": "prolific", "study-3": "links"}


def migrated(database: str, folder: Path) -> dict[str, Any]:
    environment = {
        **os.environ,
        "DATABASE_URL": database,
        "ACCORD_DATA": str(folder),
        "DJANGO_SETTINGS_MODULE": "annotate.settings",
    }
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    outcome: dict[str, Any] = json.loads(done.stdout)
    return outcome
