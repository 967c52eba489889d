"""Mutants: the share of small faults in the code that the tests find.

    script/bench mutants [--sample 1000] [--seed 1] [--fast] [AREA ...]

cosmic-ray changes one place in the code of an area, such as `<` to `<=` or 1 to 2. The tests that execute the changed
line then run in a copy of the project, fastest first, on SQLite. A mutant is killed if a test fails, if the code cannot
be imported, or if the tests take three times as long as before. If the tests of a line take longer than `LIMIT`
seconds, only the fastest of them run, so the true share can be higher. Lines that no test executes count as survivors.
`--fast` takes 60 mutants. The exit code is 1 if the share of killed mutants is below 85%.

A first run of the tests in `AREAS` with coverage records which tests execute a line.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from coverage import CoverageData

from tests.installations import ROOT, SECRET_KEY

FEWEST = 0.85
LIMIT = 60.0  # seconds of tests for one mutant
START = 30.0  # seconds that pytest may need to start
PROCESSES = 2
SOURCES = ("annotate", "bws", "paraphrase", "alignment_ui")
# The code, and the folders with its tests.
PAGES = "annotator console core gold integrity pay people prolific questions recruiting results rules studies"
CALCULATIONS = "numerics bws paraphrase alignment_ui planning"
AREAS = {
    "core": ("annotate/core", PAGES),
    "gold": ("annotate/gold", PAGES),
    "pay": ("annotate/pay", PAGES),
    "numerics": ("packages/core/accord_core/numerics", CALCULATIONS),
    "bws": ("packages/core/accord_core/bws/numerics", CALCULATIONS),
    "paraphrase": ("packages/core/accord_core/paraphrase/numerics", CALCULATIONS),
    "pairs": ("packages/core/accord_core/pairs/numerics", CALCULATIONS),
    "words": ("packages/core/accord_core/words/numerics", CALCULATIONS),
    "chunks": ("packages/core/accord_core/chunks/numerics", CALCULATIONS),
}


class Mutant(NamedTuple):
    """A changed file, with the line of the change."""

    path: str
    line: int
    operator: str
    code: str


class Tests(NamedTuple):
    """The tests that execute each line of each file, and how long each test takes."""

    lines: dict[str, dict[int, list[str]]]
    seconds: dict[str, float]

    def of(self, mutant: Mutant) -> tuple[list[str], bool]:
        """Return the tests that execute the changed statement, fastest first, and whether `LIMIT` leaves some out. A
        statement outside functions belongs to all tests that execute any line of the file.
        """
        lines = self.lines.get(mutant.path, {})
        part = statement_at(mutant)
        found = {name for line in part or lines for name in lines.get(line, [])}
        chosen, total = [], 0.0
        for name in sorted(found, key=lambda name: self.seconds[name]):
            total += self.seconds[name]
            if total > LIMIT and chosen:
                return chosen, True
            chosen.append(name)
        return chosen, False


def statement_at(mutant: Mutant) -> range | None:
    """Return the lines of the smallest statement at the change, without its inner statements, or None if the statement
    is in no function.
    """
    lines = None
    nodes = [(node, False) for node in ast.parse((ROOT / mutant.path).read_text(encoding="utf-8")).body]
    for node, inside in nodes:  # which grows
        if node.lineno <= mutant.line <= node.end_lineno:
            body = [each for each in ast.walk(node) if isinstance(each, ast.stmt) and each is not node]
            first = min((each.lineno for each in body if each.lineno > mutant.line), default=node.end_lineno + 1)
            lines = range(node.lineno, first) if inside else None
            inner = inside or isinstance(node, ast.FunctionDef)
            nodes += [(each, inner) for each in inner_statements(node)]
    return lines


def inner_statements(node: ast.AST) -> Iterator[ast.stmt]:
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.stmt):
            yield each
        elif isinstance(each, ast.ExceptHandler | ast.match_case):
            yield from inner_statements(each)


def main() -> int:
    parser = argparse.ArgumentParser(description="The share of small faults in the code that the tests find.")
    parser.add_argument("areas", nargs="*", choices=[*AREAS, []], help="areas of the code; without any, all")
    parser.add_argument("--sample", type=int, default=1_000, help="number of mutants")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--fast", action="store_true", help="60 mutants")
    arguments = parser.parse_args()
    areas = [AREAS[name] for name in arguments.areas or AREAS]
    mutants = sample(arguments.seed, 60 if arguments.fast else arguments.sample, [code for code, _tests in areas])
    with tempfile.TemporaryDirectory(prefix="accord-mutants-") as folder:
        copies = [copied(Path(folder) / str(number)) for number in range(PROCESSES)]
        tests = recorded(copies[0], sorted({f"tests/{name}" for _code, names in areas for name in names.split()}))
        with ThreadPoolExecutor(PROCESSES) as threads:
            shares = [mutants[number::PROCESSES] for number in range(PROCESSES)]
            outcomes = Counter[str]()
            for counted in threads.map(tested, copies, shares, [tests] * PROCESSES):
                outcomes += counted
    killed = outcomes["killed"] / len(mutants)
    print(f"{len(mutants)} mutants: {killed:.1%} killed; {dict(outcomes)}")
    return 0 if killed >= FEWEST else 1


def sample(seed: str, number: int, folders: list[str]) -> list[Mutant]:
    """Return a seeded sample of the mutants of the code in these folders."""
    subprocess.run([ROOT / "script" / "setup", "--mutants"], check=True)
    files = [str(path.relative_to(ROOT)) for name in folders for path in (ROOT / name).rglob("*.py")]
    command = [ROOT / ".mutants" / "bin" / "python", "bench/_mutations.py", seed, str(number), *sorted(files)]
    lines = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return [Mutant(**json.loads(line)) for line in lines]


def copied(folder: Path) -> Path:
    """Copy the project into this folder and return the folder."""
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".*", "__pycache__", "node_modules"))
    return folder


def recorded(folder: Path, paths: list[str]) -> Tests:
    """Run the tests in these paths with coverage."""
    sources = "accord_core,annotate,bws,paraphrase,alignment_ui"
    settings = f"[run]\ndynamic_context = test_function\nrelative_files = True\nsource = {sources}\n"
    (folder / ".coveragerc").write_text(settings, encoding="utf-8")
    done = pytest(
        folder, ["-q", "-o", "junit_family=xunit1", "--junit-xml=results.xml", *paths], "coverage", "run", "-m"
    )
    if done.returncode > 1:
        sys.exit(f"bench mutants: the tests cannot run\n{done.stdout[-5_000:]}")
    seconds: Counter[str] = Counter()
    failed = set()
    for case in ElementTree.parse(folder / "results.xml").iter("testcase"):  # noqa: S314 (pytest wrote it)
        file = case.attrib["file"]
        parts = case.attrib["classname"].removeprefix(file.removesuffix(".py").replace("/", ".")).split(".")
        name = "::".join([file, *filter(None, parts), case.attrib["name"].partition("[")[0]])
        seconds[name] += float(case.attrib["time"])
        if any(part.tag in {"failure", "error"} for part in case):
            failed.add(name)
    for name in failed:
        del seconds[name]
    print(f"{len(seconds)} tests, without {len(failed)} that fail on SQLite", flush=True)
    data = CoverageData(str(folder / ".coverage"))
    data.read()
    files = {name.partition("::")[0].removesuffix(".py").replace("/", "."): name.partition("::")[0] for name in seconds}
    lines = {
        path: {
            line: sorted({name for context in contexts if (name := named(context, files)) in seconds})
            for line, contexts in data.contexts_by_lineno(path).items()
        }
        for path in data.measured_files()
    }
    return Tests(lines, dict(seconds))


def named(context: str, files: dict[str, str]) -> str:
    """Return pytest's name of the test that coverage names `package.module.Class.test`."""
    module, _, rest = context.rpartition(".")
    while module and module not in files:
        module, _, part = module.rpartition(".")
        rest = f"{part}::{rest}"
    return f"{files[module]}::{rest}" if module else ""


def tested(folder: Path, mutants: list[Mutant], tests: Tests) -> Counter[str]:
    """Return the numbers of killed mutants and of survivors, and print the survivors."""
    outcomes: Counter[str] = Counter()
    for mutant in mutants:
        chosen, limited = tests.of(mutant)
        outcome = "killed" if chosen and kills(folder, mutant, chosen, tests) else "survived"
        outcomes[outcome] += 1
        outcomes["limited"] += limited and outcome == "survived"
        outcomes["not executed"] += not chosen
        if outcome == "survived":
            reason = f"{len(chosen)} tests" + (", more not run" if limited else "")
            print(f"survived  {mutant.path}:{mutant.line} {mutant.operator} ({reason})", flush=True)
    return outcomes


def kills(folder: Path, mutant: Mutant, chosen: list[str], tests: Tests) -> bool:
    """Return whether one of these tests fails in the copy with the changed file."""
    file = folder / mutant.path
    original, times = file.read_bytes(), file.stat()
    file.write_text(mutant.code, encoding="utf-8")
    try:
        limit = START + 3 * sum(tests.seconds[name] for name in chosen)
        return pytest(folder, ["-x", "-q", "--tb=no", *chosen], timeout=limit).returncode != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        file.write_bytes(original)
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))  # so that Python uses its compiled module again


def pytest(
    folder: Path, arguments: list[str], *before: str, timeout: float | None = None
) -> subprocess.CompletedProcess[str]:
    """Run pytest in this copy on SQLite. Compiled modules of mutants are never written."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("ACCORD_", "DATABASE_"))}
    environment |= {"SECRET_KEY": SECRET_KEY, "ACCORD_DATA": str(folder / "data"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", *before, "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=timeout)


if __name__ == "__main__":
    sys.exit(main())
