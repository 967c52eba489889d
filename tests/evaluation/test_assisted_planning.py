"""Tests of `accord evaluate draw` and `accord plan assisted`, and of their numerics."""

import csv
import json

import numpy as np
import pytest
from click.testing import CliRunner, Result

from accord_core.numerics.assisted_draw import draw_probabilities, drawn_questions
from accord_core.numerics.assisted_plan import judged_alone, judged_with_program, saved_share
from annotate.commands.main import main


def accord(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, list(arguments), input=stdin)


@pytest.mark.parametrize("even", [0.2, 0.5, 1.0])
def test_probabilities_have_the_share_as_mean_and_a_floor(even):
    uncertainty = np.random.default_rng(1).gamma(0.3, size=1000)
    probability = draw_probabilities(uncertainty, 0.2, even)
    assert probability.mean() == pytest.approx(0.2, abs=1e-9)
    assert probability.min() >= even * 0.2 - 1e-12
    assert probability.max() <= 1
    order = np.argsort(uncertainty)
    assert (np.diff(probability[order]) >= -1e-12).all()
    if even == 0.2:
        assert (probability == 1).sum() > 5, "the most uncertain questions are certain to be drawn"


def test_without_uncertainty_the_draw_is_even():
    assert draw_probabilities(np.zeros(10), 0.3, 0.5) == pytest.approx(np.full(10, 0.3))
    for share, even, uncertainty in ((0, 0.5, [1]), (0.5, 0, [1]), (0.5, 0.5, [-1]), (0.5, 0.5, [np.nan])):
        with pytest.raises(ValueError, match="must be"):
            draw_probabilities(np.array(uncertainty, dtype=float), share, even)


def test_questions_are_drawn_with_their_probabilities():
    draw = np.random.default_rng(2)
    probability = draw_probabilities(np.linspace(0, 3, 50), 0.3, 0.5)
    times = np.zeros(50)
    for _ in range(4000):
        drawn = drawn_questions(probability, draw.random(50))
        assert drawn.sum() == 15
        times += drawn
    # The probabilities of a draw with a fixed size differ a little from the intended ones.
    assert times / 4000 == pytest.approx(probability, abs=0.035)


def test_the_drawn_table_is_the_items_with_two_columns(tmp_path):
    rows = [f"i{number},{number % 7},text {number}" for number in range(100)]
    items = tmp_path / "items.csv"
    items.write_text("id,entropy,text\n" + "\n".join(rows) + "\n")
    arguments = ("evaluate", "draw", str(items), "--share", "0.2", "--uncertainty", "Entropy", "--seed", "3")
    result = accord(*arguments)
    assert result.exit_code == 0
    found = list(csv.DictReader(result.stdout.splitlines()))
    assert list(found[0]) == ["id", "entropy", "text", "drawn", "probability"]
    assert sum(row["drawn"] == "yes" for row in found) == 20
    assert sum(float(row["probability"]) for row in found) == pytest.approx(20, abs=1e-3)
    assert "20 of 100 questions are drawn with the seed 3" in result.stderr
    assert "1.41 times as wide" in result.stderr
    items.write_text("id,entropy,text\n" + "\n".join(reversed(rows)) + "\n")
    again = {row["id"]: row["drawn"] for row in csv.DictReader(accord(*arguments).stdout.splitlines())}
    assert again == {row["id"]: row["drawn"] for row in found}, "the order of the rows has no effect"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name\na\n", "item: the column is missing"),
        ("id\na\n", "entropy: the column is missing"),
        ("id,entropy\na,1\na,2\n", "a is already on line 2"),
        ("id,entropy\na,-1\n", "“-1” is not a number of at least 0"),
        ("id,entropy\n,1\n", "the cell is empty"),
        ("id,entropy,drawn\na,1,yes\n", "the file already has this column"),
    ],
)
def test_faulty_tables_are_refused(text, message):
    result = accord("evaluate", "draw", "-", "--share", "0.5", "--uncertainty", "entropy", stdin=text)
    assert result.exit_code == 1
    assert message in result.stderr


def test_the_saving_is_that_of_the_formula():
    assert saved_share(0.8, 0.8, 0.2) == pytest.approx(0.512 * 0.8 / (1 - 0.512 * 0.2))
    assert saved_share(0.8, 0.8, 1) == saved_share(-0.8, 0.8, 0.2) == saved_share(0, 0.8, 0.2) == 0
    assert judged_with_program(400, saved_share(0.8, 0.8, 0.2)) == 218
    # The variance of a mean with a program, from Angelopoulos, Duchi and Zrnic (2024), equals that of people alone.
    for correlation in (0.3, 0.6, 0.9):
        r2, alone, pool = correlation**2 * 0.8, 400, 2000
        judged = alone * (1 - saved_share(correlation, 0.8, alone / pool))
        assert (1 - r2) / judged + r2 / pool == pytest.approx(1 / alone)
    with pytest.raises(ValueError, match="the reliability and the share above 0"):
        saved_share(0.8, 0, 0.2)


@pytest.mark.parametrize("correlation", [-0.5, 0, 0.3, 0.6, 0.9, 1])
def test_the_questions_that_people_alone_would_judge_are_the_inverse_of_the_saving(correlation):
    for alone in (1, 37, 400, 1999, 2000):
        with_program = judged_with_program(alone, saved_share(correlation, 0.8, alone / 2000))
        found = judged_alone(with_program, 2000, correlation, 0.8)
        assert found >= alone, "rounded up there"
        assert with_program == 1 or judged_alone(with_program - 1, 2000, correlation, 0.8) < alone
    with pytest.raises(ValueError, match="at most all"):
        judged_alone(2001, 2000, 0.5, 0.8)


def test_the_plan_compares_people_alone_with_programs():
    result = accord("plan", "assisted", "--questions", "2000", "--judged", "400", "--price", "0.05", "--json")
    rows = json.loads(result.stdout)
    assert [(row["program"], row["judged questions"]) for row in rows] == [
        ("none", 400),
        ("0.4", 358),
        ("0.6", 303),
        ("0.8", 218),
    ]
    assert (rows[0]["cost"], rows[0]["hours"]) == (20.0, pytest.approx(400 * 20 / 3600))
    text = accord("plan", "assisted", "--questions", "40", "--judged", "40", "--even", "0.25").stdout
    assert "People judge all questions, so a program saves no judgements." in text
    assert "at most 2.00 times as wide" in text
    assert accord("plan", "assisted", "--questions", "40", "--judged", "41").exit_code == 2
