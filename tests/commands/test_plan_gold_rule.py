"""Tests of `accord plan gold-rule`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from accord_core.numerics.gold_rules import GoldRule, count_chances, stop_shares, stops
from annotate.commands.main import main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["plan", "gold-rule", *arguments], standalone_mode=False)


def test_the_table_and_the_json_have_the_same_figures() -> None:
    table, figures = run("--format", "csv").stdout.splitlines(), json.loads(run("--json").stdout)
    assert [line.split(",")[0] for line in table] == ["annotator", "careful", "half-careless", "guesser"]
    for line, kind in zip(table[1:], figures["annotators"], strict=True):
        assert float(line.split(",")[2]) == pytest.approx(kind["stopped"], abs=0.0005)
    assert figures["annotators"][2]["accuracy"] == pytest.approx(1 / 12, abs=1e-5)
    assert figures["simulated_annotators"] == 0
    assert len(figures["curve"]) == 21
    assert "the smallest minimum that meets your targets is 10 gold answers" in run().stdout


def test_a_table_of_difficulties_replaces_the_accuracy(tmp_path: Path) -> None:
    file = tmp_path / "gold.csv"
    file.write_text("Correct\n" + "0.5\n1\n" * 15)
    figures = json.loads(run("--difficulties", str(file), "--json").stdout)
    assert figures["gold_questions"] == 30
    assert figures["annotators"][0]["accuracy"] == pytest.approx(0.75)
    counts = count_chances([0.5, 1.0] * 15, 20)
    assert figures["annotators"][0]["stopped"] == pytest.approx(
        stops(counts, stop_shares(GoldRule(0.7, 10), 20)).stopped, abs=1e-5
    )


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("correct\n0.5\nx\n1.2\n", "line 3, column correct: “x” is not a probability"),
        ("share\n0.5\n", "the column “correct” is missing"),
    ],
)
def test_errors_in_the_table_are_reported(tmp_path: Path, content: str, text: str) -> None:
    file = tmp_path / "gold.csv"
    file.write_text(content)
    assert text in str(run("--difficulties", str(file)).exception)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--gold", "5"], "needs 10 gold answers, but the study has only 5 gold questions"),
        (["--threshold", "0"], "turns the quality rule off"),
    ],
)
def test_a_rule_without_effect_is_explained(arguments: list[str], text: str) -> None:
    assert text in str(run(*arguments).exception)


@pytest.mark.nightly
def test_a_long_window_is_simulated_reproducibly() -> None:
    first, again, other = (json.loads(run("--window", "9", "--json", "--seed", seed).stdout) for seed in "112")
    assert first["simulated_annotators"] == 4_000
    assert first == again
    assert first["annotators"] != other["annotators"]
    assert first["annotators"][0]["standard_error"] > 0
