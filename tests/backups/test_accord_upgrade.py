"""Tests of `accord upgrade`: a migration that works, fails, deletes answers or is killed, on both databases."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from annotate.backups.archive import check
from tests.installations import ACCORD, FULL, ROOT, Installation, on

APP = """
from django.apps import AppConfig
class NextConfig(AppConfig):
    name = "next_version"
"""
FIRST = """
from django.db import migrations
class Migration(migrations.Migration):
    operations = [migrations.RunSQL("CREATE TABLE next_version_first (id integer)")]
"""
# The next version changes a table of Accord, as every kind of migration below does first.
SECOND = """
import pathlib, time
from django.db import migrations
def step(apps, schema_editor):
    {step}
class Migration(migrations.Migration):
    dependencies = [("next_version", "0001_first"), ("annotate", "0001_initial")]
    operations = [
        migrations.RunSQL("ALTER TABLE annotate_study ADD COLUMN next_version integer"), migrations.RunPython(step),
    ]
"""
WORKS = "pass"
FAILS = "raise ValueError('row 7 has two owners')"
DELETES = "apps.get_model('annotate', 'Answer').objects.filter(pk__lte=3).delete()"
RENAMES = "schema_editor.execute('ALTER TABLE annotate_study RENAME COLUMN title TO heading')"
SLEEPS = "pathlib.Path({reached!r}).touch(); time.sleep(600)"


@dataclass
class Upgraded:
    """An installation with all tables of the tests' backup, and with an application that has a next version."""

    installation: Installation
    code: Path

    @property
    def environment(self) -> dict[str, str]:
        added = {"ACCORD_TASK_TYPES": "next_version.apps.NextConfig", "PYTHONPATH": str(self.code)}
        return {**self.installation.environment, **added, "PYTHONDONTWRITEBYTECODE": "1"}

    def install(self, step: str) -> None:
        """Install the next version, whose migration runs this code."""
        (self.code / "next_version" / "migrations" / "0002_second.py").write_text(SECOND.format(step=step))

    def uninstall(self) -> None:
        """Return to the version before."""
        (self.code / "next_version" / "migrations" / "0002_second.py").unlink(missing_ok=True)

    def accord(self, *arguments: object, status: int = 0) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [ACCORD, *map(str, arguments)],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done

    def fingerprints(self) -> Any:
        """Return the migrations, the headers of all tables, and the fingerprint of each table's rows."""
        self.accord("backup", "-o", self.code / "fingerprints.backup")
        with (self.code / "fingerprints.backup").open("rb") as stream:
            header, manifest = check(stream)
        return header["migrations"], header["tables"], manifest.tables

    def backups(self) -> list[Path]:
        return sorted((self.installation.folder / "backups").glob("accord-*.backup"))


@pytest.fixture(params=["sqlite", "postgresql"], scope="module")
def upgraded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any
) -> Iterator[Upgraded]:
    """Restore the backup once for all tests, which leave the installation as it was."""
    folder = tmp_path_factory.mktemp("upgraded")
    migrations = folder / "code" / "next_version" / "migrations"
    migrations.mkdir(parents=True)
    for file, text in (("apps.py", APP), ("__init__.py", ""), ("migrations/__init__.py", "")):
        (migrations.parent / file).write_text(text)
    (migrations / "0001_first.py").write_text(FIRST)
    with django_db_blocker.unblock(), on(request.param, folder / "data") as installation:
        installation.accord("restore", FULL)
        own = Upgraded(installation, folder / "code")
        own.accord("upgrade")
        yield own


@pytest.fixture
def before(upgraded: Upgraded) -> Iterator[Any]:
    """Provide what the installation contains, and remove the next version and all backups after the test."""
    for backup in upgraded.backups():
        backup.unlink()
    yield upgraded.fingerprints()
    upgraded.uninstall()


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("step", "reason"),
    [
        pytest.param(FAILS, "row 7 has two owners", id="fails"),
        pytest.param(DELETES, "the migrations deleted 3 answers", id="deletes"),
        pytest.param(RENAMES, "title", id="renames"),
    ],
)
def test_if_a_migration_or_the_check_fails_the_database_is_as_it_was(
    upgraded: Upgraded, before: Any, step: str, reason: str
) -> None:
    upgraded.install(step)
    done = upgraded.accord("upgrade", status=1)
    assert done.stderr.startswith("accord: the upgrade failed, and the database is as it was: ")
    assert done.stderr.count("\n") == 1
    assert reason in done.stderr
    [backup] = upgraded.backups()
    assert str(backup) in done.stderr
    upgraded.uninstall()
    assert upgraded.fingerprints() == before, "the previous version finds its database"


@pytest.mark.nightly
def test_after_a_kill_in_the_middle_it_backs_up_migrates_and_keeps_every_row(upgraded: Upgraded, before: Any) -> None:
    reached = upgraded.code / "reached"
    upgraded.install(SLEEPS.format(reached=str(reached)))
    process = subprocess.Popen([ACCORD, "upgrade"], cwd=ROOT, env=upgraded.environment, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 240
    while not reached.exists():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    upgraded.uninstall()
    assert upgraded.fingerprints() == before, "the previous version finds its database"
    [left] = upgraded.backups()
    left.unlink()

    upgraded.install(WORKS)
    done = upgraded.accord("upgrade")
    [backup] = upgraded.backups()
    assert done.stdout.splitlines()[0] == f"Backup: {backup}"
    with backup.open("rb") as stream:
        header, manifest = check(stream)
    assert header["migrations"] == before[0]
    # The columns of an older database can be in another order, on which the fingerprints depend.
    assert {name: table.rows for name, table in manifest.tables.items()} == {
        name: table.rows for name, table in before[2].items()
    }
    migrations, _, tables = upgraded.fingerprints()
    assert migrations["next_version"] == ["0001_first", "0002_second"]
    assert {name for name in tables if tables[name] != before[2][name]} == set()
    assert upgraded.accord("upgrade").stdout.startswith("The database belongs to Accord 0.1.0")
    assert upgraded.backups() == [backup], "without migrations there is nothing to back up"


@pytest.mark.nightly
def test_it_creates_the_tables_of_an_empty_database(tmp_path: Path, django_db_blocker: Any) -> None:
    with django_db_blocker.unblock(), on("sqlite", tmp_path / "data") as installation:
        done = installation.start(ACCORD, "upgrade")
        assert done.returncode == 0, done.stderr
        assert done.stdout.decode().startswith("The database belongs to Accord")
        assert not (tmp_path / "data" / "backups").exists()
