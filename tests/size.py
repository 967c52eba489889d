# ruff: noqa: T201 (a command; what it prints is its result)
"""The main program of `script/size`, which counts the Python code of each room and compares the totals with a budget.

Statements are counted in the syntax tree, so layout, comments and docstrings do not matter. Migrations and built files
are not counted, because nobody maintains them.
"""

import ast
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
BUDGET = Path("script/size.json")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class Size(NamedTuple):
    """The size of one file, or of several files together."""

    statements: int = 0
    functions: int = 0
    files: int = 0

    def plus(self, other: "Size") -> "Size":
        """Return the size of both together."""
        return Size(*map(sum, zip(self, other, strict=True)))


def main(arguments: list[str]) -> int:
    """Print the table, unless only a check is wanted, and return 1 if a total exceeds the budget."""
    parts = sizes(ROOT, python_files(ROOT))
    if arguments != ["--check"]:
        print(table(parts))
    excess = excesses(parts, json.loads((ROOT / BUDGET).read_text(encoding="utf-8")))
    print(*excess, sep="\n", end="\n" if excess else "")
    return 1 if excess else 0


def python_files(root: Path) -> list[Path]:
    """Return the Python files that are or would be in the repository, without migrations and built or copied files."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "--", "*.py"]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    files = [Path(name) for name in listed.splitlines() if (root / name).exists()]
    return [file for file in files if not {"migrations", "dist", "generated", "vendor"} & set(file.parts)]


def sizes(root: Path, files: Iterable[Path]) -> dict[str, dict[str, Size]]:
    """Return the size of each room for `production` and `tests`."""
    parts: dict[str, dict[str, Size]] = {"production": {}, "tests": {}}
    for file in files:
        rooms = parts["tests" if file.parts[0] == "tests" else "production"]
        room = _room(file)
        rooms[room] = rooms.get(room, Size()).plus(measure((root / file).read_text(encoding="utf-8")))
    return parts


def measure(source: str) -> Size:
    """Return the size of a file with this text."""
    count: Counter[str] = Counter()
    for node in _statements(ast.parse(source)):
        count["statements"] += isinstance(node, ast.stmt)
        count["functions"] += isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        count["statements"] -= isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None
    return Size(count["statements"], count["functions"], 1)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the node and all statements inside it. Most nodes are parts of expressions, which contain no statements."""
    yield node
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        for inner in getattr(node, name, ()):
            yield from _statements(inner)


def table(parts: dict[str, dict[str, Size]]) -> str:
    """Return one table per part, largest rooms first, with the total at the end."""
    lines = []
    for part, rooms in parts.items():
        lines.append(f"{part:<28}{'statements':>11}{'functions':>11}{'files':>7}")
        ordered = sorted(rooms.items(), key=lambda row: (-row[1].statements, row[0]))
        for name, size in [*ordered, ("total", total(rooms))]:
            lines.append(f"  {name:<26}{size.statements:>11,}{size.functions:>11,}{size.files:>7,}")
        lines.append("")
    return "\n".join(lines)


def excesses(parts: dict[str, dict[str, Size]], budget: dict[str, int]) -> list[str]:
    """Return one line for each part with more statements than its budget."""
    lines = []
    for part, limit in budget.items():
        statements = total(parts[part]).statements
        if statements > limit:
            over = f"{statements - limit:,} over the budget of {limit:,}"
            how = f'set "{part}" in {BUDGET} to {statements} in the same commit and say there why'
            lines.append(f"{part}: {statements:,} statements, {over}. Remove code, or {how}.")
    return lines


def total(rooms: dict[str, Size]) -> Size:
    """Return the size of all rooms together."""
    whole = Size()
    for size in rooms.values():
        whole = whole.plus(size)
    return whole


def _room(file: Path) -> str:
    """Return a folder of `annotate`, `packages` or `tests`, or else the top-level folder."""
    parents = file.parts[:-1]
    if not parents:
        return "(top level)"
    return "/".join(parents[:2]) if parents[0] in ("annotate", "packages", "tests") else parents[0]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
