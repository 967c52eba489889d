"""Tests of `accord backup` and `accord restore` for an installation: no data is lost, and a restore is complete or has
no effect.

tests/backups/test_backup_study.py tests single studies, and tests/backups/test_backup_nightly.py contains the slow
tests.
"""

from __future__ import annotations

import gzip
import io
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from annotate.backups.archive import BackupError, Writer, check
from annotate.models import Event, HourCount, Participation, Study
from tests.backups.test_backup_format import HEADER
from tests.factories import do_hit, make_study
from tests.installations import (
    ACCORD,
    Installation,
    full_on_sqlite,
    on_postgresql,
    on_sqlite,
)
from tests.recounts import recounted, stored_counts

pytestmark = pytest.mark.nightly

on_both = pytest.mark.parametrize(
    "restored", ["postgresql", pytest.param("sqlite", marks=pytest.mark.nightly)], indirect=True, scope="module"
)


@pytest.fixture(scope="module", autouse=True)
def _other_databases(django_db_blocker: Any) -> Iterator[None]:
    """These tests use databases of their own."""
    with django_db_blocker.unblock():
        yield


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """An installation with studies of every task type, on SQLite."""
    return full_on_sqlite(tmp_path_factory.mktemp("full"), tmp_path_factory)


@pytest.fixture(scope="module")
def file(full: Installation) -> Path:
    """Return a backup of the installation."""
    path = full.folder / "full.backup"
    full.accord("backup", "-o", path)
    return path


@pytest.fixture(scope="module")
def postgresql(file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """Restore the backup on PostgreSQL."""
    with on_postgresql(tmp_path_factory.mktemp("middle")) as middle:
        middle.accord("restore", file)
        yield middle


@pytest.fixture(scope="module")
def sqlite(postgresql: Installation, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Restore the installation on PostgreSQL on SQLite again."""
    last = on_sqlite(tmp_path_factory.mktemp("last"))
    postgresql.accord("backup", "-o", last.folder / "middle.backup")
    last.accord("restore", last.folder / "middle.backup")
    return last


@pytest.fixture(scope="module")
def restored(request: pytest.FixtureRequest) -> Installation:
    """The installation that was restored on this database."""
    found: Installation = request.getfixturevalue(request.param)
    return found


# ── there and back ────────────────────────────────────────────────────────────────────────────────────────────
@on_both
def test_a_restored_installation_has_the_same_fingerprints(full: Installation, restored: Installation) -> None:
    assert full.fingerprints() == restored.fingerprints()


@on_both
def test_a_restored_installation_keeps_its_guards(restored: Installation) -> None:
    with restored.connected(), rolled_back():
        event = Event.objects.latest("pk")
        with pytest.raises(DatabaseError, match="the log is append-only"), transaction.atomic():
            event.delete()


@on_both
def test_a_restored_installation_goes_on(restored: Installation) -> None:
    listed = restored.accord("study", "list").count("\n")
    with restored.connected(), rolled_back():
        assert listed == Study.objects.count() > 0
        last = Event.objects.latest("pk")
        study = make_study(items=8)
        assert Event.objects.filter(study=study).earliest("pk").pk > last.pk
        for person in Participation.objects.filter(study__state="open", standing="active", study__task_type="bws")[:2]:
            do_hit(person)
            assert stored_counts(person.study) == recounted(person.study)


@on_both
def test_a_restored_installation_counts_its_answers_anew(
    full: Installation, file: Path, restored: Installation
) -> None:
    with file.open("rb") as stream:
        assert "annotate.hourcount" not in check(stream)[1].tables
    with full.connected():
        before = {study.public_id: stored_counts(study) for study in Study.objects.all()}
    with restored.connected():
        assert {study.public_id: stored_counts(study) for study in Study.objects.all()} == before
        assert {study.public_id: recounted(study) for study in Study.objects.all()} == before
        assert HourCount.objects.exists()


@contextmanager
def rolled_back() -> Iterator[None]:
    """Run the block in a transaction that is rolled back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


# ── all or nothing ────────────────────────────────────────────────────────────────────────────────────────────
@cache
def damaged(file: Path) -> dict[str, bytes]:
    """Return the contents of a backup with each kind of damage."""
    content = file.read_bytes()
    lines = gzip.decompress(content).splitlines(keepends=True)
    return {
        "truncated": content[: len(content) * 2 // 3],
        "without its end": gzip.compress(b"".join(lines[:-1])),
        "a changed byte": content[:100_000] + bytes([content[100_000] ^ 1]) + content[100_001:],
        "a changed row": gzip.compress(b"".join(lines).replace(b"nightly export", b"Nightly export")),
        "a missing row": gzip.compress(b"".join(lines[:10] + lines[11:])),
    }


@pytest.mark.parametrize("damage", ["truncated", "without its end", "a changed byte", "a changed row", "a missing row"])
def test_damage_is_noticed(damage: str, file: Path) -> None:
    with pytest.raises(BackupError, match=r"damaged|truncated"):
        check(io.BytesIO(damaged(file)[damage]))


@on_both
def test_a_damaged_backup_changes_nothing(file: Path, restored: Installation) -> None:
    path = restored.folder / "damaged.backup"
    before, files = restored.fingerprints(), {*restored.folder.iterdir(), path}
    for damage in ("without its end", "a changed row"):
        path.write_bytes(damaged(file)[damage])
        message = restored.refusal("restore", path, "--replace", "--yes")
        assert "damaged" in message or "truncated" in message
    assert restored.fingerprints() == before
    assert set(restored.folder.iterdir()) == files


@on_both
def test_an_installation_is_restored_over_another_one_only_on_request(file: Path, restored: Installation) -> None:
    with restored.connected():
        studies = Study.objects.count()
    message = restored.refusal("restore", file)
    assert f"the database has {studies} studies and 3 accounts; --replace deletes them" in message


def test_a_database_in_use_is_not_replaced(file: Path, full: Installation) -> None:
    other = sqlite3.connect(full.folder / "accord.sqlite3")
    other.execute("SELECT count(*) FROM annotate_study").fetchall()
    assert "stop Accord before the restore" in full.refusal("restore", file, "--replace", "--yes")
    other.close()


def test_a_backup_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "newer.backup").open("wb") as stream:
        Writer(stream, HEADER | {"migrations": {"annotate": ["9999_later"]}}).close()
    message = on_sqlite(tmp_path).refusal("restore", tmp_path / "newer.backup")
    assert "comes from a newer version of Accord (it has annotate.9999_later)" in message


def test_a_file_of_another_kind_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text("id,text\n")
    installation = on_sqlite(tmp_path)
    assert "not an Accord backup" in installation.refusal("restore", tmp_path / "items.csv")
    assert "no such file" in installation.refusal("restore", tmp_path / "missing.backup")


# ── the file ──────────────────────────────────────────────────────────────────────────────────────────────────
def test_only_its_owner_can_read_the_file_and_it_appears_when_it_is_complete(
    full: Installation, tmp_path: Path
) -> None:
    before = os.umask(0)
    try:
        name = full.accord("backup", "-o", tmp_path).strip()
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat(name).st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [Path(name).name]


def test_standard_output_and_input_carry_a_backup(full: Installation) -> None:
    backup = full.start(ACCORD, "backup", "-o", "-")
    assert backup.stderr == b""
    checked = full.start(ACCORD, "restore", "--check", "-", stdin=backup.stdout)
    assert b"is intact" in checked.stdout


def test_only_the_newest_files_are_kept_and_others_are_left_alone(full: Installation, tmp_path: Path) -> None:
    for name in ("accord-20250101-000000Z.backup", "accord-20250102-000000Z.backup", "notes.txt", "mine.backup"):
        (tmp_path / name).write_text("")
    newest = Path(full.accord("backup", "-o", tmp_path, "--keep", "2").strip()).name
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {newest, "accord-20250102-000000Z.backup", "notes.txt", "mine.backup"}
