"""Tests that task types from other packages work beside the wheel of Accord: the package that `accord new-tasktype`
writes, and the one in examples/plugin-rating.
"""

from __future__ import annotations

import csv
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.project.test_wheel import ROOT, outside, packages_of, run, uv
from tests.project.test_wheel import accord as accord  # fixtures
from tests.project.test_wheel import wheels as wheels
from tests.trying import AnnotatorInBrowser, trying

pytestmark = pytest.mark.nightly
_fixtures = (outside,)
TABLE = "from django.db import models\n\n\nclass Note(models.Model):\n    text = models.TextField()\n"
ITEMS = ROOT / "examples" / "plugin-rating" / "tests" / "items.csv"
TEXTS = {row["text"]: row["id"] for row in csv.DictReader(ITEMS.read_text(encoding="utf-8").splitlines())}
QUALITY = {"1": 90, "2": 40, "3": 10}  # by the last character of an item's ID


def installed(accord: Path, source: Path, folder: Path) -> None:
    """Build the wheel of a package, and install it."""
    python = accord.with_name("python")
    uv("build", "--wheel", "--offline", "--no-build-isolation", "--python", python, "--out-dir", folder, source)
    uv("pip", "install", "--offline", "--no-deps", "--reinstall", "--python", python, *folder.glob("*.whl"))


def run_tests(accord: Path, source: Path, environment: dict[str, str]) -> str:
    """Run the tests of a package, whose source folder is not on the path, and return the last line."""
    options = ("-q", "-p", "no:cacheprovider", "-p", "no:randomly")
    return run(source, environment, accord.with_name("python"), "-m", "pytest", *options).splitlines()[-1]


def test_a_new_package_with_a_table_passes_its_tests(accord: Path, outside: dict[str, str], tmp_path: Path) -> None:
    python = accord.with_name("python")
    assert "accord-word-order contains the task type word-order" in run(
        tmp_path, outside, accord, "new-tasktype", "word-order"
    )
    source = tmp_path / "accord-word-order"
    (source / "src" / "accord_word_order" / "models.py").write_text(TABLE)
    uv("pip", "install", "--offline", "--no-deps", "--no-build-isolation", "--python", python, "--editable", source)
    run(tmp_path, outside, python, "-m", "annotate", "makemigrations", "accord_word_order")
    installed(accord, source, tmp_path / "wheels")
    try:
        package = packages_of(accord) / "accord_word_order"
        assert {"migrations", "templates", "static", "locale", "docs"} <= {path.name for path in package.iterdir()}
        assert run_tests(accord, source, outside).startswith("8 passed")
        run(tmp_path, outside, python, "-m", "annotate", "migrate")
        code = "from accord_word_order.models import Note; print(Note.objects.create(text='kept').pk)"
        assert run(tmp_path, outside, python, "-m", "annotate", "shell", "--no-imports", "-c", code) == "1\n"
    finally:
        uv("pip", "uninstall", "--python", python, "accord-word-order")
    assert "word-order" not in run(
        tmp_path, outside, python, "-c", "from annotate.settings import *; print(INSTALLED_APPS)"
    )


def test_the_plug_in_passes_its_tests_and_leads_from_a_file_to_scores(
    accord: Path, outside: dict[str, str], tmp_path: Path
) -> None:
    source = tmp_path / "plugin-rating"
    shutil.copytree(ROOT / "examples" / "plugin-rating", source, ignore=shutil.ignore_patterns("*.egg-info", ".*"))
    installed(accord, source, tmp_path / "wheels")
    last = run_tests(accord, source, outside)
    assert "passed" in last
    assert "failed" not in last
    shutil.copy(ITEMS, tmp_path)

    def judge(content: Any) -> dict[str, list[list[int]]]:
        return {"ratings": [[QUALITY[TEXTS[text][-1]]] for text in content["texts"]]}

    with trying(tmp_path, "items.csv", accord=accord) as trial:  # recognised by the column `set`
        for name in ("ann1", "ann2"):
            AnnotatorInBrowser(trial.links[name]).submit_all(judge)
        assert "All 2 HITs have been submitted" in trial.stop()
    rows = list(csv.DictReader((tmp_path / "scores.csv").read_text(encoding="utf-8").splitlines()))
    assert {row["item"]: float(row["mean"]) for row in rows} == {key: QUALITY[key[-1]] for key in TEXTS.values()}
    assert {row["judgements"] for row in rows} == {"2"}
