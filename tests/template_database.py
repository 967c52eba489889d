"""The migrated database that the processes of a test run copy.

Migrations take most of the time of a short test run. Only one process therefore migrates, and it also stores a dump or,
on SQLite, a file, which later runs use as long as models, migrations and requirements stay the same.
"""

import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import psycopg

from tests import servers
from tests.installations import ROOT, Installation, on_sqlite

NAME = "accord_template"
DUMPS = Path(sys.prefix) / "test-databases"
# The run's folder. Without it, the server may belong to several runs, so each process runs the migrations.
RUN_FOLDER = os.environ.get("TEST_RUN_FOLDER", "")


def template_database(server: str) -> str | None:
    """Return the name of a migrated database on the server of this PostgreSQL URL, or None outside `script/test`."""
    if not RUN_FOLDER:
        return None
    with (Path(RUN_FOLDER) / "template.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = Path(RUN_FOLDER) / "template"
        if not done.exists():
            _create(server.rpartition("/")[0])
            done.touch()
    return NAME


def copy_sqlite_template(database: Path) -> None:
    """Create the file of a migrated SQLite database."""
    DUMPS.mkdir(exist_ok=True)
    template = DUMPS / f"{_version()}.sqlite3"
    with (DUMPS / "sqlite.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not template.exists():
            for earlier in DUMPS.glob("*.sqlite3"):
                earlier.unlink()
            with tempfile.TemporaryDirectory(dir=DUMPS) as folder:
                part = Path(folder) / "part.sqlite3"
                Installation(f"sqlite:///{part}", Path(folder)).migrate()
                with closing(sqlite3.connect(part)) as connection:  # so that no part of the database is in the WAL
                    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                part.rename(template)
        shutil.copyfile(template, database)


def migrated_on_sqlite(folder: Path) -> Installation:
    """Return a migrated installation without data, in a SQLite file of this folder."""
    installation = on_sqlite(folder)
    copy_sqlite_template(Path(installation.database.removeprefix("sqlite:///")))
    return installation


def _create(server: str) -> None:
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {NAME}")
        connection.execute(f"CREATE DATABASE {NAME}")
    dump, programs = DUMPS / f"{_version()}.sql", servers.postgres_programs()
    if programs and dump.exists():
        _run(programs / "psql", f"{server}/{NAME}", "--file", dump, "--variable", "ON_ERROR_STOP=1", "--quiet")
        return
    Installation(f"{server}/{NAME}", Path(RUN_FOLDER)).migrate()
    if programs and (programs / "psql").exists():  # the wheel of PostgreSQL contains only the server
        DUMPS.mkdir(exist_ok=True)
        for earlier in DUMPS.glob("*.sql"):
            earlier.unlink(missing_ok=True)
        part = dump.with_suffix(f".{os.getpid()}")  # other runs never see a part of the file
        _run(programs / "pg_dump", f"{server}/{NAME}", "--file", part)
        part.rename(dump)


def _run(program: Path, database: str, *arguments: object) -> None:
    command = [program, "--dbname", database, *map(str, arguments)]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def _version() -> str:
    """Return a digest of all files that determine the tables, the triggers and their first rows."""
    files = [*ROOT.glob("*/migrations/*.py"), *ROOT.glob("*/*/migrations/*.py"), *ROOT.glob("annotate/models/*.py")]
    digest = hashlib.sha256((ROOT / "requirements" / "dev.txt").read_bytes())
    for file in sorted(files):
        digest.update(f"{file.relative_to(ROOT)} ".encode() + file.read_bytes())
    return digest.hexdigest()[:16]
