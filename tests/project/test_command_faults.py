"""Tests that commands report a fault of the database, the disk or a folder on one line, without a traceback."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings

from tests import faults, servers
from tests.installations import ACCORD, ROOT, Installation, on_sqlite
from tests.template_database import migrated_on_sqlite

PASSWORD = "hidden-Pa55"


@pytest.fixture(scope="module", autouse=True)
def _other_databases(django_db_blocker: Any) -> Iterator[None]:
    """These tests use databases of their own."""
    with django_db_blocker.unblock():
        yield


@pytest.fixture(scope="module")
def postgresql() -> Iterator[str]:
    """Return the URL of an empty database."""
    own = settings.DATABASES["default"]
    with servers.empty_database(f"postgresql://{own['USER']}@{own['HOST']}:{own['PORT']}/accord") as url:
        yield url


def wrong_user(url: str) -> str:
    return url.replace("//accord@", f"//stranger:{PASSWORD}@")


def refused(url: str) -> str:
    return f"postgresql://accord:{PASSWORD}@127.0.0.1:{servers.free_port()}/accord"


def unknown_database(url: str) -> str:
    return url.rpartition("/")[0] + "/unknown"


def unknown_host(url: str) -> str:
    return f"postgresql://accord:{PASSWORD}@host.invalid/accord"


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("change", "command"),
    [
        (wrong_user, ("accord", "study", "list")),
        (refused, ("accord", "serve")),
        (refused, ("accord", "backup")),
        (unknown_database, ("manage.py", "migrate")),
        (unknown_host, ("manage.py", "migrate")),
    ],
)
def test_a_database_that_cannot_be_used(
    change: Callable[[str], str], command: tuple[str, ...], postgresql: str, tmp_path: Path
) -> None:
    one_line(Installation(change(postgresql), tmp_path), *command)


@pytest.mark.nightly
def test_a_user_without_rights(postgresql: str, tmp_path: Path) -> None:
    with closing(psycopg.connect(postgresql, autocommit=True)) as connection:
        connection.execute("DROP ROLE IF EXISTS guest")
        connection.execute("CREATE ROLE guest LOGIN")
        try:
            url = postgresql.replace("//accord@", "//guest@")
            one_line(Installation(url, tmp_path), "manage.py", "migrate")
        finally:
            connection.execute("DROP OWNED BY guest")
            connection.execute("DROP ROLE guest")


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("no/folder/accord.sqlite3", ("manage.py", "migrate")),
        ("text.sqlite3", ("accord", "serve")),
    ],
)
def test_a_file_that_is_no_database(name: str, command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "text.sqlite3").write_text("This is a text and not a database. " * 50)
    assert name in one_line(Installation(f"sqlite:///{tmp_path / name}", tmp_path), *command)


@pytest.mark.nightly
def test_a_database_of_a_newer_version_is_not_used(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "newer.sqlite3")) as database:
        database.execute("CREATE TABLE django_migrations (id integer PRIMARY KEY, app text, name text, applied text)")
        database.execute("INSERT INTO django_migrations VALUES (1, 'annotate', '9999_later', '2030-01-01')")
        database.execute("CREATE TABLE annotate_study (id integer)")
        database.commit()
    line = one_line(Installation(f"sqlite:///{tmp_path / 'newer.sqlite3'}", tmp_path), "accord", "serve")
    assert "newer version of Accord (it has annotate.9999_later)" in line


@pytest.mark.nightly
def test_a_folder_of_static_files_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    installation = on_sqlite(tmp_path / "installation")
    folder = str(tmp_path / "file" / "static")
    assert folder in one_line(installation, "manage.py", "collectstatic", "--no-input", ACCORD_STATIC=folder)


@pytest.mark.parametrize("output", ["missing", "file"])
def test_the_folder_of_backups_is_named_if_it_is_missing(output: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    installation = migrated_on_sqlite(tmp_path / "installation")
    line = installation.refusal("backup", "--output", tmp_path / output, "--keep", "14")
    assert line.startswith(f"accord: {tmp_path / output}")


def test_a_full_disk_during_a_backup(tmp_path: Path) -> None:
    installation = migrated_on_sqlite(tmp_path / "installation")
    assert "disk is full" in installation.refusal("backup", "--output", "/dev/full")


@pytest.mark.nightly
def test_a_disk_that_fills_up_during_a_backup_keeps_the_earlier_backup(tmp_path: Path) -> None:
    installation = migrated_on_sqlite(tmp_path / "installation")
    disk = tmp_path / "disk"
    disk.mkdir()
    with faults.small_disk(disk, 1):
        installation.accord("backup", "--output", disk, "--keep", "1")
        (earlier,) = disk.iterdir()
        (disk / "other").write_bytes(b"\0" * (2**20 - 3 * earlier.stat().st_size // 2))  # room for half a backup
        assert "disk is full" in installation.refusal("backup", "--output", disk, "--keep", "1")
        assert set(disk.iterdir()) == {earlier, disk / "other"}
        installation.accord("restore", "--check", earlier)
        (disk / "other").unlink()
        installation.accord("backup", "--output", disk, "--keep", "1")
        assert len(list(disk.iterdir())) == 1


def one_line(installation: Installation, program: str, *arguments: str, **settings: str) -> str:
    """Run the command, which must fail with one line on standard error, and return the line."""
    command = [str(ACCORD)] if program == "accord" else [sys.executable, str(ROOT / program)]
    done = subprocess.run(
        [*command, *arguments],
        cwd=installation.folder,
        env={**installation.environment, "PYTHONWARNINGS": "ignore", "PATH": os.environ["PATH"], **settings},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith("accord: "), done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert PASSWORD not in done.stderr
    assert "Accord is running" not in done.stdout
    return done.stderr
