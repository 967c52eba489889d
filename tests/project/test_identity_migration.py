"""Tests of the migration of a database in which annotators do not belong to one study: the annotators are separated,
and no data is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from tests.installations import on, without_squashed_migrations

BEFORE = [("annotate", "0004_slot_without_index_on_study")]
AFTER = [("annotate", "0009_annotator_once_per_study")]
LONG_AGO = timezone.now() - timedelta(days=400)


@pytest.fixture
def _old_database(tmp_path: Path, django_db_blocker: Any) -> Iterator[None]:
    """Connect this process to a new database with the tables of the old version."""
    with django_db_blocker.unblock(), on(connection.vendor, tmp_path) as installation, installation.connected():
        executor().migrate(BEFORE)
        yield


def executor() -> MigrationExecutor:
    """Return an executor of single migrations, because the squashed migration has no intermediate state."""
    with without_squashed_migrations():
        return MigrationExecutor(connection)


def rows(version: list[tuple[str, str]]) -> list[Any]:
    """Return the managers of studies, annotators and participations after this migration."""
    apps = executor().loader.project_state(version).apps
    return [apps.get_model("annotate", name).objects for name in ("Study", "Annotator", "Participation")]


def fill() -> None:
    """Fill the database as the old version did."""
    studies, annotators, participations = rows(BEFORE)
    first, second, third = (
        studies.create(
            title=f"Study {number}", task_type="bws", public_id=f"study-{number}", join_token=f"join-{number}"
        )
        for number in (1, 2, 3)
    )
    people = {
        "shared": annotators.create(platform="prolific", external_id="5f1a", contact="ann@example.org"),
        "worker": annotators.create(platform="mturk", external_id="A1"),
        "web": annotators.create(platform="web", external_id="made-up"),
        "erased": annotators.create(platform="mturk", external_id="erased-xyz"),
        "without": annotators.create(platform="web", external_id="nobody"),
    }
    annotators.update(created_at=LONG_AGO)
    for number, (study, who) in enumerate(
        [
            (first, "shared"),
            (second, "shared"),
            (second, "worker"),
            (third, "worker"),
            (third, "web"),
            (first, "erased"),
        ]
    ):
        participations.create(
            study=study,
            annotator=people[who],
            pseudonym=f"{who}-{number}",
            seed=number,
            resume_hash="f" * 64 if number == 0 else None,
        )


def contents() -> dict[str, Any]:
    """Return the annotators of the migrated database."""
    studies, annotators, participations = rows(AFTER)
    people = [
        {
            "pseudonym": one.pseudonym,
            "study": one.study.public_id,
            "of": one.annotator.study.public_id,
            "annotator": one.annotator_id,
            "platform": one.annotator.platform,
            "external_id": one.annotator.external_id,
            "verified": one.annotator.verified,
            "contact": one.annotator.contact,
            "public_id": one.public_id,
            "expires": one.resume_until is not None,
            "old": abs((one.annotator.created_at - LONG_AGO).total_seconds()) < 1,
        }
        for one in participations.select_related("study", "annotator__study").order_by("seed")
    ]
    recruitment = dict(studies.values_list("public_id", "recruitment"))
    return {"rows": people, "recruitment": recruitment, "annotators": annotators.count()}


@pytest.mark.rules
@pytest.mark.usefixtures("_old_database")
def test_a_filled_database_is_divided_up_by_study() -> None:
    fill()
    executor().migrate(AFTER)
    outcome = contents()
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
