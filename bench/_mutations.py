"""Changes of the code, which bench/mutants.py tests: `.mutants/bin/python bench/_mutations.py SEED NUMBER FILE ...`

Prints a seeded sample of places in these files, each with one change, as lines of JSON: `path`, `line`, `operator` and
the whole changed `code`. Every place has the same chance, however many changes there are for it. Changes that alter
only annotations or `@dataclass(frozen=True)` are left out, because no test should notice them.
"""

from __future__ import annotations

import ast
import hashlib
import json
import sys
from collections import defaultdict
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names


def main(seed: str, number: int, files: list[str]) -> None:
    places = [(path, position, changes) for path in files for position, changes in places_of(path).items()]
    places.sort(key=lambda place: draw(seed, *place[:2]))
    printed = 0
    for path, position, changes in places:
        if printed == number:
            break
        name, occurrence = min(changes, key=lambda change: draw(seed, path, position, change[0]))
        before = Path(path).read_text(encoding="utf-8")
        code = mutate_code(before, get_operator(name)(), occurrence)
        if code and meaning(code) not in {None, meaning(before)}:
            print(json.dumps({"path": path, "line": position[0], "operator": name.partition("/")[2], "code": code}))
            printed += 1


def places_of(path: str) -> dict[tuple[int, int], list[tuple[str, int]]]:
    """Return the changes at each place, each as the name of an operator and its occurrence in the file."""
    nodes = list(ast_nodes(get_ast(Path(path).read_text(encoding="utf-8"))))
    places = defaultdict(list)
    for name in operator_names():
        if not get_operator(name).arguments():
            operator = get_operator(name)()
            starts = (start for node in nodes for start, _end in operator.mutation_positions(node))
            for occurrence, start in enumerate(starts):
                places[start].append((name, occurrence))
    return places


def draw(*names: object) -> str:
    return hashlib.sha256(repr(names).encode()).hexdigest()


def meaning(code: str) -> str | None:
    """Return the code without annotations and decorators of classes, or None if it is no Python."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.ClassDef):
            node.decorator_list = []
    return ast.dump(tree)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
