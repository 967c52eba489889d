"""`script/size` counts statements per room, and a total over the budget fails."""

import json
from pathlib import Path

import pytest

from tests import size

SOURCE = '''"""A docstring."""
import os

class Room:
    """Another docstring."""

    async def name(self):  # a comment
        if os.name:
            return "a"; pass
'''


def test_docstrings_and_comments_are_not_statements() -> None:
    assert size.measure(SOURCE) == size.Size(statements=6, functions=1, files=1)


def test_each_file_belongs_to_its_room(tmp_path: Path) -> None:
    names = [
        "annotate/apps.py",
        "annotate/pay/services/pay.py",
        "packages/core/accord_core/bws/numerics/a.py",
        "manage.py",
        "tests/pay/a.py",
    ]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("a = 1\nb = 2\n")
    one = size.Size(2, 0, 1)
    assert size.sizes(tmp_path, map(Path, names)) == {
        "production": {"annotate": one, "annotate/pay": one, "packages/core": one, "(top level)": one},
        "tests": {"tests/pay": one},
    }


def test_migrations_and_copied_files_are_not_counted() -> None:
    files = size.python_files(size.ROOT)
    assert Path("tests/project/test_size.py") in files
    assert not [file for file in files if "migrations" in file.parts]


def test_a_total_over_the_budget_says_by_how_much_and_how_to_raise_it() -> None:
    parts = {"production": {"bws": size.Size(1200)}, "tests": {"tests/bws": size.Size(300), "tests/pay": size.Size(1)}}
    assert size.excesses(parts, {"production": 1200, "tests": 301}) == []
    (excess,) = size.excesses(parts, {"production": 1150, "tests": 301})
    assert "1,200 statements, 50 over the budget of 1,150" in excess
    assert 'set "production" in script/size.json to 1200 in the same commit' in excess


@pytest.mark.parametrize(("limit", "code"), [(10**9, 0), (1, 1)])
def test_the_command_fails_over_the_budget(
    limit: int, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    budget = tmp_path / "size.json"
    budget.write_text(json.dumps({"production": limit, "tests": limit}))
    monkeypatch.setattr(size, "BUDGET", budget)
    monkeypatch.setattr(size, "python_files", lambda root: [Path("manage.py"), Path("tests/project/test_size.py")])
    assert size.main([]) == code
    output = capsys.readouterr().out
    assert "tests/project" in output
    assert output.count("over the budget") == 2 * code
