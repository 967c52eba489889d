# ruff: noqa: T201 (a command; what it prints is its result)
"""The main program of `script/test`, which runs the whole suite on PostgreSQL with Redis and, at the same time, the
tests of rules on SQLite whose transactions commit. Locks and waiting transactions are where the two databases differ.
`script/nightly` runs all tests of rules on SQLite.

Both runs of pytest get the same arguments. A skipped test counts as a failure, because a missing server must not look
like success.
"""

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, NamedTuple, NoReturn

from tests import servers

NOTHING_SELECTED = 5  # pytest's exit code
RESULTS = "results.xml"
ON_SQLITE = "rules and django_db(transaction=True) and not nightly"
TESTS = Path(__file__).parent


class Outcome(NamedTuple):
    """The outcome of one run of pytest."""

    passed: int
    failed: int


def main(arguments: list[str]) -> int:
    """Run all tests and return the exit code."""
    signal.signal(signal.SIGTERM, _leave)  # the servers must end as well
    started = time.monotonic()
    chosen = [Path(argument.partition("::")[0]) for argument in arguments]
    chosen = [path for path in chosen if path.exists()]
    alone = len(chosen) == 1 and chosen[0].is_file()
    processes = ["-n", "0"] if alone else ["-n", str(process_count()), "--dist", "loadfile"]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="accord-tests-")))
        if not chosen and not any(TESTS.glob("__pycache__/conftest.*-pytest-*.pyc")):
            _compile(folder)
        broker = stack.enter_context(servers.redis())
        database = stack.enter_context(_starting_postgres())
        rules = stack.enter_context(_rules_on_sqlite(arguments, folder)) if _may_have_rules(chosen) else None
        print("── PostgreSQL and Redis: everything", flush=True)
        on_postgres = _pytest([*processes, *arguments], folder / "postgres", DATABASE_URL=database, REDIS_URL=broker)
        on_sqlite = rules() if rules else Outcome(0, 0)
    passed, failed = on_postgres.passed + on_sqlite.passed, on_postgres.failed + on_sqlite.failed
    print(f"PostgreSQL {on_postgres.passed}, SQLite {on_sqlite.passed}; {time.monotonic() - started:.0f} s{_work()}")
    print(f"{passed} passed, {failed} failed")
    # Without arguments both runs have tests; a choice of tests may leave one of them empty.
    something = passed > 0 if arguments else on_postgres.passed > 0 and on_sqlite.passed > 0
    return 0 if something and failed == 0 else 1


def _compile(folder: Path) -> None:
    """Import all tests in two processes, so that Python compiles each module once.

    The processes of the run start at the same time. In a new checkout, each of them would compile the tests and all
    packages, which takes longer than all imports of compiled modules.
    """
    folders = sorted({file.relative_to(TESTS).parts[0] for file in TESTS.rglob("test_*.py")})
    with (folder / "compile.log").open("w") as log, ExitStack() as stack:
        for number in (0, 1):
            half = [str(TESTS / name) for name in folders[number::2]]
            share = folder / f"compile{number}"
            stack.enter_context(_process(["--collect-only", *half], share, share / "cache", log))


@contextmanager
def _rules_on_sqlite(arguments: list[str], folder: Path) -> Iterator[Callable[[], Outcome]]:
    """Run these tests of rules on SQLite in one more process, at the same time as the tests on PostgreSQL.

    Yields a function that waits for the end of the run, prints the output and returns the outcome.
    """
    sqlite = folder / "sqlite"
    arguments = ["-n", "0", *arguments, "-m", ON_SQLITE]
    with (
        (folder / "sqlite.log").open("w+", encoding="utf-8") as log,
        _process(arguments, sqlite, sqlite / "cache", log) as process,
    ):

        def finish() -> Outcome:
            code = process.wait()
            log.seek(0)
            print(
                "── SQLite: the rules that data must obey under simultaneous requests", log.read(), sep="\n", flush=True
            )
            return _outcome(code, sqlite)

        yield finish


def process_count() -> int:
    """Return two more than the number of cores, because tests with servers and browsers often wait."""
    return min(len(os.sched_getaffinity(0)), 8) + 2  # each process uses a Redis database of its own, and there are 16


@contextmanager
def _starting_postgres() -> Iterator[str]:
    """Start PostgreSQL while pytest imports the tests, and yield its URL immediately. Tests wait for PostgreSQL in
    conftest.py.
    """
    port = servers.free_port()
    with ThreadPoolExecutor(1) as thread, ExitStack() as stack:
        start = thread.submit(stack.enter_context, servers.postgres_server(port=port))
        yield f"postgresql://accord@127.0.0.1:{port}/accord"
        start.result()  # an error at the start explains why the tests failed


def _work() -> str:
    """Return how long the processors worked for this run. On a machine without other work, they idled for the rest."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return f", {used.ru_utime + used.ru_stime:.0f} s of work on {len(os.sched_getaffinity(0))} processors"


def _may_have_rules(chosen: list[Path]) -> bool:
    """Return True unless the chosen files contain no tests of rules, of which some run on SQLite as well."""
    files = [file for path in chosen for file in (path.rglob("test_*.py") if path.is_dir() else [path])]
    return not files or any("mark.rules" in file.read_text(encoding="utf-8") for file in files)


def _pytest(arguments: list[str], folder: Path, **variables: str) -> Outcome:
    with _process(arguments, folder, folder.parent / "cache", None, **variables) as process:
        return _outcome(process.wait(), folder)


@contextmanager
def _process(
    arguments: list[str], folder: Path, cache: Path, output: IO[str] | None, **variables: str
) -> Iterator[subprocess.Popen[bytes]]:
    """Run pytest with its files in this folder, and its output in a file if there is one. An exception ends the run."""
    folder.mkdir()
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("ACCORD_") and name not in {"DATABASE_URL", "REDIS_URL", "SECRET_KEY"}
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--no-loadscope-reorder",
        f"--junit-xml={folder / RESULTS}",
        "-o",
        f"cache_dir={cache}",
    ]
    command += ["-o", "faulthandler_timeout=120"]  # says where a test hangs
    with subprocess.Popen(
        command + arguments,
        env={
            **inherited,
            "ACCORD_DATA": str(folder / "data"),
            "TEST_RUN_FOLDER": str(folder),
            "SECRET_KEY": "for these tests only, and long enough to be accepted in production",
            **variables,
        },
        stdout=output,
        stderr=subprocess.STDOUT if output else None,
    ) as process:
        try:
            yield process
        except BaseException:
            process.kill()
            raise


def _outcome(code: int, folder: Path) -> Outcome:
    results = folder / RESULTS
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
