"""A database of an older version, brought up to date, has lost nothing: on SQLite and on PostgreSQL."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests import servers

ROOT = Path(__file__).resolve().parent.parent
FIXTURE = ROOT / "tests" / "fixtures" / "upgrade"
# Those of the installation that the fixture comes from; hashes and signatures in it depend on the first.
SECRET_KEY = "upgrade-fixture-only-0123456789-abcdefghijklmnopqrstuvwxyz"
API_TOKEN = "PLxoL49cbkvnNOoT32QmbyVXFeoGmo-aIS7PUla4DXk"

pytestmark = pytest.mark.rules


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of an installation on the old database, migrated to the present version."""
    with old_database(tmp_path_factory.mktemp("upgrade")) as environment:
        run(environment, "manage.py", "migrate", "--no-input", "--verbosity", "0")
        yield environment


def test_everything_is_still_there(upgraded: dict[str, str]) -> None:
    expected = json.loads((FIXTURE / "expected.json").read_text(encoding="utf-8"))
    found = json.loads(run(upgraded, "-m", "tests.upgraded"))
    for account in expected["accounts"].values():
        if account["superuser"]:
            account["verified addresses"] = 1  # an operator entered it; the upgrade confirms it
    assert found["accounts"] == expected["accounts"]
    assert found["studies"].keys() == expected["studies"].keys()
    for study, content in expected["studies"].items():
        for name, value in content.items():
            assert found["studies"][study][name] == value, f"{name} of {content['title']}"


def test_reports_of_the_old_version_give_the_same_digits(upgraded: dict[str, str]) -> None:
    studies = json.loads(run(upgraded, "-m", "tests.upgraded"))["studies"].values()
    same = [report[-1] for study in studies for report in study["reports"] if report[0] == "results"]
    assert same == [True] * 6


def test_every_page_and_download_answers(upgraded: dict[str, str]) -> None:
    statuses = json.loads(run(upgraded, "-m", "tests.upgraded", "pages", API_TOKEN))
    assert statuses.pop("/console/ without the second factor") == 302
    assert {path: status for path, status in statuses.items() if status != 200} == {}
    assert len(statuses) > 200


def test_the_fixture_is_small() -> None:
    assert sum(file.stat().st_size for file in FIXTURE.iterdir()) < 1_000_000


@contextmanager
def old_database(folder: Path) -> Iterator[dict[str, str]]:
    """The fixture's database on the server of this test run; yields the environment of an installation on it."""
    server = os.environ.get("DATABASE_URL", "")
    if server.startswith("postgresql"):
        with servers.empty_database(server) as url:
            with psycopg.connect(url) as connection:
                connection.execute(gzip.decompress((FIXTURE / "accord.sql.gz").read_bytes()))
            yield environment_on(url, folder)
    else:
        database = folder / "accord.sqlite3"
        database.write_bytes(gzip.decompress((FIXTURE / "accord.sqlite3.gz").read_bytes()))
        yield environment_on(f"sqlite:///{database}", folder)


def environment_on(database: str, folder: Path) -> dict[str, str]:
    """The settings of an embedded installation on this database."""
    others = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY")
    kept = {name: value for name, value in os.environ.items() if name not in others and not name.startswith("ACCORD_")}
    return {**kept, "DATABASE_URL": database, "SECRET_KEY": SECRET_KEY, "ACCORD_DATA": str(folder)}


def run(environment: dict[str, str], *arguments: str) -> Any:
    """The standard output of Python with these arguments; fails the test if it fails."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
