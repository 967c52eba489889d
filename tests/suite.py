# ruff: noqa: T201 (a command; what it prints is its result)
"""`script/test` after its setup: the whole suite on PostgreSQL with Redis, then the rules again on SQLite.

Arguments go to pytest both times. A skipped test counts as a failure: a server that is missing must not look like
success.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple, NoReturn

from tests import servers

NOTHING_SELECTED = 5  # pytest's exit code


class Outcome(NamedTuple):
    """What one run of pytest came to."""

    passed: int
    failed: int


def main(arguments: list[str]) -> int:
    """Run everything; returns the exit code."""
    signal.signal(signal.SIGTERM, _leave)  # so that the servers are ended, too
    started = time.monotonic()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="accord-tests-")))
        database, broker = stack.enter_context(servers.postgres()), stack.enter_context(servers.redis())
        print("── PostgreSQL and Redis: everything", flush=True)
        on_postgres = _pytest(arguments, folder / "postgres", DATABASE_URL=database, REDIS_URL=broker)
        print("── SQLite: the rules that data must obey", flush=True)
        on_sqlite = _pytest([*arguments, "-m", "rules and not nightly"], folder / "sqlite")
    passed, failed = on_postgres.passed + on_sqlite.passed, on_postgres.failed + on_sqlite.failed
    print(f"PostgreSQL {on_postgres.passed}, SQLite {on_sqlite.passed}; {time.monotonic() - started:.0f} s")
    print(f"{passed} passed, {failed} failed")
    # Without arguments both runs have tests; a choice of tests may leave one of them empty.
    something = passed > 0 if arguments else on_postgres.passed > 0 and on_sqlite.passed > 0
    return 0 if something and failed == 0 else 1


def _pytest(arguments: list[str], folder: Path, **variables: str) -> Outcome:
    folder.mkdir()
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("ACCORD_") and name not in {"DATABASE_URL", "REDIS_URL", "SECRET_KEY"}
    }
    results = folder / "results.xml"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "2",
        "--dist",
        "loadfile",
        "--no-loadscope-reorder",
        f"--junit-xml={results}",
    ]
    command += ["-o", "faulthandler_timeout=120"]  # says where a test hangs
    code = subprocess.run(
        command + arguments,
        env={
            **kept,
            "ACCORD_DATA": str(folder / "data"),
            "SECRET_KEY": "for these tests only, and long enough to be accepted in production",
            **variables,
        },
        check=False,
    ).returncode
    passed = failed = 0
    if results.exists():
        for suite in ElementTree.parse(results).iter("testsuite"):  # noqa: S314 (written by pytest just now)
            bad = sum(int(suite.get(kind, 0)) for kind in ("failures", "errors", "skipped"))
            passed, failed = passed + int(suite.get("tests", 0)) - bad, failed + bad
    if code not in (0, NOTHING_SELECTED) and failed == 0:
        print(f"pytest ended early with code {code}; that counts as a failure")
        failed = 1
    return Outcome(passed, failed)


def _leave(number: int, frame: object) -> NoReturn:
    sys.exit(128 + number)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
