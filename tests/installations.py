"""Installations in databases of their own, driven from outside by the commands that administrators use."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests import servers

ROOT = Path(__file__).resolve().parent.parent
UPGRADE = ROOT / "tests" / "fixtures" / "upgrade"
# The key of the installation that the fixture comes from: hashes and signatures in the database depend on it.
SECRET_KEY = "upgrade-fixture-only-0123456789-abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Installation:
    """An embedded installation on one database."""

    database: str
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        """Its settings."""
        others = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY")
        kept = {name: value for name, value in os.environ.items() if name not in others}
        kept = {name: value for name, value in kept.items() if not name.startswith("ACCORD_")}
        own = {"DATABASE_URL": self.database, "SECRET_KEY": SECRET_KEY, "ACCORD_DATA": str(self.folder)}
        return {**kept, **own, "DJANGO_SETTINGS_MODULE": "annotate.settings"}

    def python(self, *arguments: object) -> str:
        """The standard output of Python with these arguments; fails the test if it fails."""
        return self._run(sys.executable, *arguments)

    def accord(self, *arguments: object) -> str:
        """The standard output of a command; fails the test if it fails."""
        return self._run(Path(sys.executable).with_name("accord"), *arguments)

    def refusal(self, *arguments: object, stdin: bytes | None = None) -> str:
        """The one line on standard error of a command that must fail."""
        done = self._start(Path(sys.executable).with_name("accord"), *arguments, stdin=stdin)
        message = done.stderr.decode()
        assert done.returncode == 1, message
        assert message.startswith("accord: ")
        assert message.count("\n") == 1, message
        return message

    def migrate(self) -> None:
        """Bring the database up to date."""
        self.python("manage.py", "migrate", "--no-input", "--verbosity", "0")

    def contents(self) -> dict[str, Any]:
        """What it holds, as tests/upgraded.py describes it."""
        return dict(json.loads(self.python("-m", "tests.upgraded")))

    def fingerprints(self) -> dict[str, Any]:
        """Rows and SHA-256 of each table."""
        manifest = json.loads(self.accord("backup", "--json", "-o", self.folder / "fingerprints.backup"))
        return dict(manifest["tables"])

    def _run(self, *command: object) -> str:
        done = self._start(*command)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    def _start(self, *command: object, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [str(part) for part in command],
            cwd=ROOT,
            env=self.environment,
            input=stdin,
            capture_output=True,
            timeout=300,
            check=False,
        )


def on_sqlite(folder: Path) -> Installation:
    """An installation without tables, in a SQLite file of this folder."""
    folder.mkdir(parents=True, exist_ok=True)
    return Installation(f"sqlite:///{folder / 'accord.sqlite3'}", folder)


@contextmanager
def on_postgresql(folder: Path) -> Iterator[Installation]:
    """An installation without tables, on the PostgreSQL of this test run."""
    server = os.environ.get("DATABASE_URL", "")
    if not server.startswith("postgresql"):
        pytest.fail("this test needs a PostgreSQL, which script/test brings")
    folder.mkdir(parents=True, exist_ok=True)
    with servers.empty_database(server) as url:
        yield Installation(url, folder)


@contextmanager
def on_either(folder: Path) -> Iterator[Installation]:
    """An installation without tables, on the kind of database that this test run uses."""
    if os.environ.get("DATABASE_URL", "").startswith("postgresql"):
        with on_postgresql(folder) as installation:
            yield installation
    else:
        yield on_sqlite(folder)


def fill_with_old_version(installation: Installation) -> None:
    """Put the database of an older version there; it waits for its migrations."""
    if installation.database.startswith("postgresql"):
        with psycopg.connect(installation.database) as connection:
            connection.execute(gzip.decompress((UPGRADE / "accord.sql.gz").read_bytes()))
    else:
        file = Path(installation.database.removeprefix("sqlite:///"))
        file.write_bytes(gzip.decompress((UPGRADE / "accord.sqlite3.gz").read_bytes()))


def old_contents() -> dict[str, Any]:
    """What the database of the older version held when it was made."""
    return dict(json.loads((UPGRADE / "expected.json").read_text(encoding="utf-8")))
