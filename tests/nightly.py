# ruff: noqa: T201 (a command; what it prints is its result)
"""The main program of `script/nightly`, which runs every test that is too slow for `script/test` and prints one line
for each.

Tests with the marker `nightly` run on PostgreSQL with Redis, and the tests of rules also run on SQLite. A benchmark
counts as a test if it sets its own exit code (`sys.exit`). The output of failed tests is printed at the end.
"""

import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from tests import servers

ROOT = Path(__file__).resolve().parent.parent


class Proof(NamedTuple):
    """The outcome of one test. `output` is empty if the test passes."""

    name: str
    seconds: float
    output: str


def main() -> int:
    """Run all tests and return the exit code."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="accord-nightly-")))
        url, broker = stack.enter_context(servers.postgres()), stack.enter_context(servers.redis())
        proofs = tests("nightly", folder / "postgresql", DATABASE_URL=url, REDIS_URL=broker)
    with tempfile.TemporaryDirectory(prefix="accord-nightly-") as name:
        proofs += tests("rules and nightly", Path(name) / "sqlite")
    proofs += [benchmark(file.stem) for file in sorted((ROOT / "bench").glob("*.py")) if gates(file)]
    failed = [proof for proof in proofs if proof.output]
    for proof in failed:
        print(f"\n── {proof.name}\n{proof.output}")
    print(f"\n{len(proofs) - len(failed)} of {len(proofs)} proofs hold")
    return 1 if failed or not proofs else 0


def tests(marker: str, folder: Path, **variables: str) -> list[Proof]:
    """Run the tests with this marker in one process, and return their outcomes."""
    folder.mkdir()
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("ACCORD_") and name not in {"DATABASE_URL", "REDIS_URL"}
    }
    environment = {
        **env,
        "ACCORD_DATA": str(folder / "data"),
        "SECRET_KEY": "for these tests only, and long enough for every check",
        **variables,
    }
    results = folder / "results.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-m", marker, f"--junit-xml={results}"]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if not results.exists():
        return [reported(Proof(f"{folder.name}: pytest", 0.0, done.stdout))]
    cases = ElementTree.parse(results).iter("testcase")  # noqa: S314 (written by pytest just now)
    return [reported(_outcome(case, folder.name)) for case in cases]


def benchmark(name: str) -> Proof:
    """Run `bench/NAME.py`, which reports failures by its exit code."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", f"bench.{name}"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    output = "" if done.returncode == 0 else done.stdout or "no output"
    return reported(Proof(f"bench {name}", time.monotonic() - began, output))


def gates(file: Path) -> bool:
    """Return whether a benchmark checks a limit."""
    return "sys.exit(" in file.read_text(encoding="utf-8")


def reported(proof: Proof) -> Proof:
    """Print the line of the test."""
    print(f"{'FAILED' if proof.output else 'ok':<7} {proof.seconds:7.1f} s  {proof.name}", flush=True)
    return proof


def _outcome(case: ElementTree.Element, database: str) -> Proof:
    bad = [part for part in case if part.tag in ("failure", "error", "skipped")]
    output = "\n".join(f"{part.get('message', '')}\n{part.text or ''}" for part in bad)
    name = f"{database}: {case.get('classname')}::{case.get('name')}"
    return Proof(name, float(case.get("time", 0)), output or ("failed" if bad else ""))


if __name__ == "__main__":
    sys.exit(main())
