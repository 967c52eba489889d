"""The table of coverage names every function that calculates an interval, and its simulations work."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import numpy as np
import pytest

from bench._covered_functions import CONSTRUCTORS, COVERED, PARTS
from bench.coverage import AGREEMENT, SIMULATIONS, main, print_rows

ROOT = Path(__file__).resolve().parents[2]
# Simulations that take less than a tenth of a second
FAST = {"accuracy on gold questions", "overview of a study", "report of layouts", "comparison of paraphrase sets"}
FAST |= {
    "sample of final labels",
    "align corrected-precision",
    "ists score-chunks",
    "report of word alignment, suggested links",
}


def called(function: ast.AST) -> set[str]:
    """Return the names of the functions that this function calls itself, without the functions that it contains."""
    names, left = set(), list(ast.iter_child_nodes(function))
    while left:
        node = left.pop()
        if isinstance(node, ast.Call):
            names.add(node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", ""))
        if not isinstance(node, ast.FunctionDef):
            left += ast.iter_child_nodes(node)
    return names


def calculating_intervals() -> set[str]:
    files = subprocess.run(["git", "ls-files", "-z", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    found = set()
    for name in files.stdout.split("\0"):
        if not name or name.startswith(("tests/", "bench/", "examples/")) or not (ROOT / name).is_file():
            continue
        text = (ROOT / name).read_text(encoding="utf-8")
        if any(f"{constructor}(" in text for constructor in CONSTRUCTORS):
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.FunctionDef) and called(node) & CONSTRUCTORS:
                    found.add(f"{name.removeprefix('packages/core/')} {node.name}")
    return found


def test_every_function_that_calculates_an_interval_is_in_the_table():
    # The intervals of an annotator's reliability and of the share of copied answers are ranges of a grid, and that of
    # the largest standard error comes from a formula, so they need no constructor.
    own = {
        "accord_core/bws/numerics/annotator_reliability.py annotator_reliabilities",
        "accord_core/bws/numerics/largest_error.py largest_standard_error",
        "accord_core/numerics/copying.py test",
    }
    assert calculating_intervals() - COVERED.keys() - PARTS == set(), "add these functions to bench/_covered_functions"
    assert (COVERED.keys() | PARTS) - calculating_intervals() == own, "these functions calculate no interval"


def test_every_named_row_exists():
    rows = {simulation.command for simulation in SIMULATIONS} | {AGREEMENT}
    assert rows == set(COVERED.values())


@pytest.mark.parametrize(
    "simulation",
    [
        pytest.param(each, marks=[] if each.command in FAST else [pytest.mark.nightly], id=f"{number}-{each.command}")
        for number, each in enumerate(SIMULATIONS)
    ],
)
def test_simulations_have_values_between_their_ends(simulation):
    units = simulation.sizes[0]
    for name, (value, low, high, *known) in simulation.draw(np.random.default_rng(5), units).items():
        assert low <= value <= high or "cross-validated" in name, name
        assert len(known) <= 1


def test_rows_show_the_coverage_and_its_standard_error(capsys, monkeypatch):
    (shares,) = (each for each in SIMULATIONS if each.command == "accuracy on gold questions")
    print_rows(shares, 50, 400)
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in capsys.readouterr().out.splitlines()]
    assert [row[1] for row in rows] == ["a share of 50%", "a share of 80%", "a share of 95%"]
    for row in rows:
        assert row[3] == "400"
        share = float(row[4].rstrip("%")) / 100
        assert 0.9 < share < 0.99
        assert float(row[5].rstrip("%")) == pytest.approx(100 * np.sqrt(share * (1 - share) / 400), abs=0.06)
    monkeypatch.setattr("sys.argv", ["coverage", "--fast", "overview of a study"])
    main()
    assert capsys.readouterr().out.count("end of the study") == 2
