"""Tests of `accord evaluate baseline`, whose predictions other commands read."""

import csv
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from annotate.commands.main import main

ITEMS = "id,sentence1,sentence2\na,the cat sat,the cat ran away\nb,no words here,other things there\nc,A dog,a dog\n"


@pytest.fixture
def items(tmp_path: Path) -> str:
    file = tmp_path / "items.csv"
    file.write_text(ITEMS, encoding="utf-8")
    return str(file)


def predicted(items: str, measure: str) -> dict[str, float]:
    done = CliRunner().invoke(main, ["evaluate", "baseline", items, "--measure", measure])
    assert done.exit_code == 0, done.stderr
    return {row["item"]: float(row["score"]) for row in csv.DictReader(StringIO(done.stdout))}


def test_measures_by_hand(items: str) -> None:
    assert predicted(items, "dice") == pytest.approx({"a": 2 * 2 / 7, "b": 0, "c": 1}, abs=1e-6)
    assert predicted(items, "length") == pytest.approx({"a": 3 / 4, "b": 1, "c": 1}, abs=1e-6)
    weighted = predicted(items, "idf-dice")
    # Of the words in a, only “the” and “cat” occur twice, so they weigh less than the words that occur once.
    assert 0 < weighted["a"] < 2 * 2 / 7
    assert (weighted["b"], weighted["c"]) == (0, 1)


def test_other_commands_read_the_predictions(items: str, tmp_path: Path) -> None:
    scores = tmp_path / "scores.csv"
    scores.write_text("item,score\na,.5\nb,.1\nc,.9\n", encoding="utf-8")
    dice = str(tmp_path / "dice.csv")
    assert CliRunner().invoke(main, ["evaluate", "baseline", items, "-o", dice]).exit_code == 0
    found = CliRunner().invoke(main, ["evaluate", "relatedness", str(scores), dice, "--resamples", "0", "--folds", "2"])
    assert "1.000" in found.stdout


def test_errors_are_one_line(tmp_path: Path) -> None:
    file = tmp_path / "items.csv"
    file.write_text("id,text\na,one\n", encoding="utf-8")
    done = CliRunner().invoke(main, ["evaluate", "baseline", str(file)])
    assert done.exit_code == 1
    assert "a does not have two sentences" in done.stderr
