"""Installations in separate databases, which tests of operators' commands use.

`connected` lets this process use an installation like a command. A separate process for each command would take most of
the time of these tests. Tests that need a separate process use `python` or `start`.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dj_database_url
import pytest
from click.testing import CliRunner, Result
from django.core.management import call_command
from django.db import connections
from django.db.utils import load_backend
from django.test import override_settings

from annotate.commands.main import main
from tests import servers

ROOT = Path(__file__).resolve().parent.parent
# The backup of tests/full_installation.py.
FULL = ROOT / "tests" / "fixtures" / "0.1.0.backup"
# The key of the installation that the backup comes from: hashes and signatures in the database depend on it.
SECRET_KEY = "upgrade-fixture-only-0123456789-abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Installation:
    """An embedded installation on one database."""

    database: str
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        """Return the settings of the installation."""
        others = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY")
        inherited = {name: value for name, value in os.environ.items() if name not in others}
        inherited = {name: value for name, value in inherited.items() if not name.startswith("ACCORD_")}
        own = {"DATABASE_URL": self.database, "SECRET_KEY": SECRET_KEY, "ACCORD_DATA": str(self.folder)}
        return {**inherited, **own, "DJANGO_SETTINGS_MODULE": "annotate.settings"}

    @contextmanager
    def connected(self) -> Iterator[None]:
        """Use the database, the key and the folder of the installation in this process during the block."""
        from django.contrib.contenttypes.models import ContentType

        database: Any = dj_database_url.parse(self.database)
        if self.database.startswith("sqlite"):
            command = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
            database["OPTIONS"] = {"timeout": 30, "transaction_mode": "IMMEDIATE", "init_command": command}
        else:
            database["ENGINE"] = "annotate.server.postgres"
        complete = connections.configure_settings({"default": database})["default"]
        own, outer = load_backend(complete["ENGINE"]).DatabaseWrapper(complete, "default"), connections["default"]
        cache = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": self.database}
        with override_settings(SECRET_KEY=SECRET_KEY, DATA_DIR=self.folder, CACHES={"default": cache}):
            connections["default"] = own
            ContentType.objects.clear_cache()
            try:
                yield
            finally:
                own.close()
                connections["default"] = outer
                ContentType.objects.clear_cache()

    def copy(self, folder: Path) -> Installation:
        """Copy this installation, which must use SQLite."""
        own = on_sqlite(folder)
        shutil.copyfile(self.database.removeprefix("sqlite:///"), own.database.removeprefix("sqlite:///"))
        return own

    def accord(self, *arguments: object, stdin: bytes | None = None) -> str:
        """Return the standard output of a command, and fail the test if the command fails."""
        done = self.invoke(*arguments, stdin=stdin)
        assert done.exit_code == 0, done.stderr
        return done.stdout

    def refusal(self, *arguments: object, stdin: bytes | None = None) -> str:
        """Return the single line on standard error of a command that must fail."""
        done = self.invoke(*arguments, stdin=stdin)
        assert done.exit_code == 1, done.stderr
        assert done.stderr.startswith("accord: ")
        assert done.stderr.count("\n") == 1, done.stderr
        return done.stderr

    def invoke(self, *arguments: object, stdin: bytes | None = None) -> Result:
        """Run a command in this process."""
        with self.connected():
            return CliRunner().invoke(main, [str(part) for part in arguments], input=stdin, catch_exceptions=False)

    def migrate(self) -> None:
        """Run the migrations of the database."""
        with self.connected():
            call_command("migrate", interactive=False, verbosity=0)

    def studies(self) -> dict[str, str]:
        """Return the titles of the studies by their public IDs."""
        from annotate.models import Study

        with self.connected():
            return dict(Study.objects.order_by("pk").values_list("public_id", "title"))

    def fingerprints(self) -> dict[str, Any]:
        """Rows and SHA-256 of each table."""
        manifest = json.loads(self.accord("backup", "--json", "-o", self.folder / "fingerprints.backup"))
        return dict(manifest["tables"])

    def python(self, *arguments: object) -> str:
        """Run Python with these arguments in a separate process and return its standard output. The test fails if the
        process fails.
        """
        done = self.start(sys.executable, *arguments)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    def start(self, *command: object, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
        """Run a command in a separate process."""
        return subprocess.run(
            [str(part) for part in command],
            cwd=ROOT,
            env=self.environment,
            input=stdin,
            capture_output=True,
            timeout=300,
            check=False,
        )


class ThisDatabase(Installation):
    """The database of the running test."""

    @contextmanager
    def connected(self) -> Iterator[None]:
        """Do nothing, because the test is already connected."""
        yield


ACCORD = Path(sys.executable).with_name("accord")


def on_sqlite(folder: Path) -> Installation:
    """An installation without tables, in a SQLite file of this folder."""
    folder.mkdir(parents=True, exist_ok=True)
    return Installation(f"sqlite:///{folder / 'accord.sqlite3'}", folder)


@contextmanager
def on_postgresql(folder: Path, *, language: str = "") -> Iterator[Installation]:
    """An installation without tables, on the PostgreSQL of this test run. With `language`, its database sorts texts by
    the rules of this language.
    """
    server = os.environ.get("DATABASE_URL", "")
    if not server.startswith("postgresql"):
        pytest.fail("this test needs a PostgreSQL, which script/test brings")
    folder.mkdir(parents=True, exist_ok=True)
    with servers.empty_database(server, language=language) as url:
        yield Installation(url, folder)


@contextmanager
def on(database: str, folder: Path) -> Iterator[Installation]:
    """An installation without tables, on this kind of database."""
    if database == "postgresql":
        with on_postgresql(folder) as installation:
            yield installation
    else:
        yield on_sqlite(folder)


def full_on_sqlite(folder: Path, temporary: pytest.TempPathFactory) -> Installation:
    """Restore the full installation once per test run, and return a copy in a SQLite file in this folder."""
    several = "PYTEST_XDIST_TESTRUNUID" in os.environ  # processes, whose folders are beside each other
    shared = (temporary.getbasetemp().parent if several else temporary.getbasetemp()) / "full"
    shared.mkdir(exist_ok=True)
    with (shared / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "complete").exists():
            on_sqlite(shared).accord("restore", FULL)
            (shared / "complete").touch()
    return on_sqlite(shared).copy(folder)
