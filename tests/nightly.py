# ruff: noqa: T201 (a command; what it prints is its result)
"""The main program of `script/nightly`, which runs every test that is too slow for `script/test` and prints one line
for each as soon as it has ended.

Tests with the marker `nightly` run on PostgreSQL with Redis, in several processes. Beside them, all tests of rules run
on SQLite, then the tests that run the whole suite in a copy of the project (marker `suites`), and then the benchmarks
that simulate. A benchmark counts as a test if it sets its own exit code (`sys.exit`).
pytest loads this module as a plugin, which sends the outcome of each test to `script/nightly`.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import servers
from tests.suite import process_count

ROOT = Path(__file__).resolve().parent.parent
# Benchmarks of times or with processes of their own, which run alone after everything else.
MEASUREMENTS = ("editor", "gold_channels", "mutants", "pages")
ON_REQUEST = ("mutants",)  # takes hours, so it only runs when it is named
OUTCOMES = "NIGHTLY_OUTCOMES"  # the file descriptor to which the plugin writes


class Proof(NamedTuple):
    """The outcome of one test. `output` is empty if the test passes."""

    name: str
    seconds: float
    output: str


def main(names: list[str]) -> int:
    """Run the tests in these paths and the benchmarks with these names, or all of them, and return the exit code."""
    began = time.monotonic()
    gated = [file.stem for file in sorted((ROOT / "bench").glob("*.py")) if gates(file)]
    benchmarks = [name for name in gated if name in names or (not names and name not in ON_REQUEST)]
    simulations = [name for name in benchmarks if name not in MEASUREMENTS]
    paths = [name for name in names if name not in benchmarks]
    with ThreadPoolExecutor(2) as threads:  # one for each core
        parts = [on_postgresql, on_sqlite, in_copies] if paths or not names else []
        runs = [threads.submit(part, paths) for part in parts]
        runs += [threads.submit(benchmark, name) for name in simulations]
        proofs = [proof for run in runs for proof in run.result()]
    for name in benchmarks:
        proofs += [] if name in simulations else benchmark(name)
    failed = [proof for proof in proofs if proof.output]
    print(*(f"\nFAILED  {proof.name}" for proof in failed), sep="")
    seconds = time.monotonic() - began
    print(f"\n{len(proofs) - len(failed)} of {len(proofs)} proofs hold; {seconds / 60:.0f} minutes")
    return 1 if failed or not proofs else 0


def on_postgresql(paths: list[str]) -> list[Proof]:
    """Run the nightly tests on PostgreSQL with Redis."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="accord-nightly-")))
        url, broker = stack.enter_context(servers.postgres()), stack.enter_context(servers.redis())
        processes = ("-n", str(process_count()), "--dist", "loadfile")
        marker, results = "nightly and not suites", folder / "postgresql"
        return tests(marker, results, *processes, *paths, DATABASE_URL=url, REDIS_URL=broker)


def on_sqlite(paths: list[str]) -> list[Proof]:
    """Run all tests of rules on SQLite."""
    with tempfile.TemporaryDirectory(prefix="accord-nightly-") as name:
        return tests("rules and not suites", Path(name) / "sqlite", *paths)


def in_copies(paths: list[str]) -> list[Proof]:
    """Run the tests that run the whole suite in a copy of the project."""
    with tempfile.TemporaryDirectory(prefix="accord-nightly-") as name:
        return tests("suites", Path(name) / "copies", *paths)


def tests(marker: str, folder: Path, *arguments: str, **variables: str) -> list[Proof]:
    """Run the tests with this marker and with further arguments of pytest, and return their outcomes."""
    folder.mkdir()
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("ACCORD_") and name not in {"DATABASE_URL", "REDIS_URL"}
    }
    reading, writing = os.pipe()
    environment = {
        **env,
        "ACCORD_DATA": str(folder / "data"),
        "SECRET_KEY": "for these tests only, and long enough for every check",
        OUTCOMES: str(writing),
        **variables,
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.nightly", "-m", marker, *arguments]
    with (folder / "log").open("w+") as log, os.fdopen(reading) as outcomes:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT, pass_fds=[writing]
        )
        os.close(writing)
        proofs = []
        for line in outcomes:
            name, seconds, output = json.loads(line)
            proofs.append(reported(Proof(f"{folder.name}: {name}", seconds, output)))
        # Errors outside tests, for example in an import, are only in the log.
        if process.wait() not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED):
            log.seek(0)
            proofs.append(reported(Proof(f"{folder.name}: pytest", 0.0, log.read())))
    return proofs


class _Outcomes:
    """A plugin of pytest that writes the name, the duration and the errors of each test as a line of JSON."""

    def __init__(self, descriptor: int) -> None:
        os.set_inheritable(descriptor, False)  # a server that outlives the tests would keep the pipe open
        self._file = os.fdopen(descriptor, "w", buffering=1)
        self._parts: dict[str, list[pytest.TestReport]] = defaultdict(list)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._parts[report.nodeid].append(report)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        parts = self._parts.pop(nodeid, [])
        bad = [part.longreprtext or part.outcome for part in parts if not part.passed]
        print(json.dumps([nodeid, sum(part.duration for part in parts), "\n".join(bad)]), file=self._file)


def pytest_configure(config: pytest.Config) -> None:
    """Register the plugin in the process that `tests` starts, which receives the outcomes from its own processes."""
    if OUTCOMES in os.environ:
        config.pluginmanager.register(_Outcomes(int(os.environ.pop(OUTCOMES))))


def benchmark(name: str) -> list[Proof]:
    """Run `bench/NAME.py`, which reports failures by its exit code, with `--fast` if the benchmark has this option."""
    began = time.monotonic()
    fast = ["--fast"] if "--fast" in (ROOT / "bench" / f"{name}.py").read_text(encoding="utf-8") else []
    done = subprocess.run(
        [ROOT / "script" / "bench", name, *fast],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    output = "" if done.returncode == 0 else done.stdout or "no output"
    return [reported(Proof(f"bench {name}", time.monotonic() - began, output))]


def gates(file: Path) -> bool:
    """Return whether a benchmark checks a limit."""
    return "sys.exit(" in file.read_text(encoding="utf-8")


def reported(proof: Proof) -> Proof:
    """Print the line of the test, and the output of a failed one, because a run can be ended before its summary."""
    print(f"{'FAILED' if proof.output else 'ok':<7} {proof.seconds:7.1f} s  {proof.name}", flush=True)
    if proof.output:
        print(f"{proof.output}\n── end of {proof.name}", flush=True)
    return proof


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
