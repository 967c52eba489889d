"""The database that all processes of a run of `script/test` copy, so that only one of them runs the migrations."""

import fcntl
import os
from pathlib import Path

import psycopg

from tests.installations import Installation

NAME = "accord_template"
# The run's folder. Without it, each process runs the migrations.
RUN_FOLDER = os.environ.get("TEST_RUN_FOLDER", "")


def template_database(server: str) -> str | None:
    """Return the name of a migrated database on the server of this PostgreSQL URL, or None outside `script/test`."""
    if not RUN_FOLDER:
        return None
    folder = Path(RUN_FOLDER)
    base = server.rpartition("/")[0]
    with (folder / "template.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "template").exists():
            with psycopg.connect(f"{base}/postgres", autocommit=True) as connection:
                connection.execute(f"DROP DATABASE IF EXISTS {NAME}")
                connection.execute(f"CREATE DATABASE {NAME}")
            Installation(f"{base}/{NAME}", folder).migrate()
            (folder / "template").touch()
    return NAME
