"""The migrated database that the processes of a test run copy.

Migrations take two seconds of processor time. Only one process of a run therefore migrates, and it also stores a dump,
which later runs load as long as models, migrations and requirements stay the same.
"""

import fcntl
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import psycopg

from tests import servers
from tests.installations import ROOT, Installation

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
