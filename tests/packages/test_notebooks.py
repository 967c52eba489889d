"""Tests of the notebooks for accord-core: each cell runs, and prints what the notebook shows."""

import ast
import contextlib
import io
import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "notebooks"


def shown(cell: dict) -> str:
    """Return the text under a code cell."""
    texts = (output.get("text") or output["data"]["text/plain"] for output in cell["outputs"])
    return "".join("".join(text) for text in texts)


def executed(source: str, names: dict) -> str:
    """Run a code cell, and return what it prints followed by the value of its last line."""
    *statements, last = ast.parse(source).body
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(statements, []), "cell", "exec"), names)  # noqa: S102 (our own notebook)
        code = ast.Expression(last.value) if isinstance(last, ast.Expr) else ast.Module([last], [])
        value = eval(compile(code, "cell", "eval" if isinstance(last, ast.Expr) else "exec"), names)  # noqa: S307
    return printed.getvalue() + ("" if value is None else repr(value))


@pytest.mark.parametrize("name", ["alignment-agreement", "best-worst", "label-agreement"])
def test_a_notebook_shows_what_its_cells_print(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    notebook = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert notebook["nbformat"] == 4
    assert len(cells) >= 3
    names: dict = {}
    assert [executed("".join(cell["source"]), names) for cell in cells] == [shown(cell) for cell in cells]


def test_each_notebook_is_tested() -> None:
    assert {file.stem for file in FOLDER.glob("*.ipynb")} == {"alignment-agreement", "best-worst", "label-agreement"}
