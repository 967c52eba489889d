"""A server under test: the documented web process with its own database."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from tests import servers

ROOT = Path(__file__).resolve().parent.parent
WEB = [
    "gunicorn",
    "annotate.wsgi",
    "--worker-class=annotate.server.web_worker.BufferingWorker",
    "--threads=8",
    "--log-level=error",
]
POSTGRESQL = {"ACCORD_DB_PERSISTENT": "true"}
EMPTY = """
import django; django.setup()
from django.db import connection
tables = [t for t in connection.introspection.table_names() if t.startswith('annotate_')]
connection.cursor().execute('TRUNCATE ' + ', '.join(tables) + ' CASCADE')
"""


@contextmanager
def serving(
    environment: dict[str, str], script: str, *arguments: object, workers: int
) -> Iterator[tuple[int, Any, dict[str, str]]]:
    """Run `script` in an empty database, then run the server on it.

    Yield the port, the JSON that the script printed, and the environment in which further scripts find the database.
    """
    with empty_database(environment) as env:
        prepared = printed(env, script, *arguments)
        port = servers.free_port()
        command: Sequence[str] = [*WEB, f"--workers={workers}", f"--bind=127.0.0.1:{port}"]
        binaries = Path(sys.executable).parent
        with subprocess.Popen([binaries / command[0], *command[1:]], cwd=ROOT, env=env) as server:
            try:
                _await(port)
                yield port, prepared, env
            finally:
                server.terminate()


@contextmanager
def empty_database(environment: dict[str, str]) -> Iterator[dict[str, str]]:
    """Migrate the database, empty it, and yield the environment in which scripts find the database."""
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
        env = os.environ | {"ACCORD_DATA": folder, "ACCORD_THROTTLE_ANNOTATE": "1000000/min"} | environment
        env |= {"SECRET_KEY": "for the benchmark only, and long enough to be accepted"}
        env |= {"DJANGO_SETTINGS_MODULE": "annotate.settings"}
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=env, check=True)
        if "DATABASE_URL" in environment:
            subprocess.run([sys.executable, "-c", EMPTY], cwd=ROOT, env=env, check=True)
        yield env


def printed(env: dict[str, str], script: str, *arguments: object) -> Any:
    """Return the JSON in the last line of a script's output."""
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        cwd=ROOT,
        env=env,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def analyze(*urls: str) -> None:
    """Update the statistics of PostgreSQL's planner, as autovacuum does within a minute of a running study."""
    for url in urls:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("ANALYZE")


def _await(port: int) -> None:
    for _ in range(300):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server did not start")
