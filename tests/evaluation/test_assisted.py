"""Tests of `accord evaluate assisted` and of its table."""

import json

import numpy as np
import pytest
from click.testing import CliRunner, Result

from accord_core.evaluation.formats.assisted_tables import read_assisted
from accord_core.exchange.faults import TableError
from annotate.commands.main import main

QUESTIONS, JUDGED = 500, 150


def accord(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["evaluate", "assisted", *arguments])


def answers():
    """Return the true labels, and a function that draws the answers of an annotator or program."""
    draw = np.random.default_rng(1)
    true = draw.random(QUESTIONS) < 0.4
    return true, lambda right: np.where(true ^ (draw.random(QUESTIONS) >= right), "yes", "no").tolist()


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    true, draw = answers()
    people, program, small, large = (draw(right) for right in (1, 0.9, 0.65, 0.9))
    single = [
        [f"i{at}", program[at], people[at] if at < JUDGED else "", small[at], large[at]] for at in range(QUESTIONS)
    ]
    write("labels.csv", ["item", "program", "people", "small", "large"], single)
    scores = [[f"i{at}", at % 97, float(true[at]) + at % 97 if at < JUDGED else "", at % 7] for at in range(QUESTIONS)]
    write("scores.csv", ["item", "program", "people", "sevens"], scores)
    crossed = [[f"i{at}", program[at], draw(0.9)[at], f"a{(at + by) % 8}", 0.3] for at in range(60) for by in (0, 3)]
    crossed += [[f"i{at}", program[at], "", "", ""] for at in range(60, QUESTIONS)]
    write("crossed.csv", ["item", "program", "people", "annotator", "probability"], crossed)


def write(name, header, rows):
    with open(name, "w", encoding="utf-8") as file:
        file.writelines(",".join(map(str, row)) + "\n" for row in [header, *rows])


def test_labels_have_shares_and_systems_have_agreement():
    result = accord("labels.csv", "--system", "small", "--system", "large", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    figures = json.loads(result.stdout)
    assert (figures["questions"], figures["judged"]) == (QUESTIONS, JUDGED)
    names = ["accuracy", "κ", "F1 of no", "F1 of yes"]
    assert [(each["system"], each["figure"]) for each in figures["figures"]] == [
        (None, "share of no"),
        (None, "share of yes"),
        *[("small", name) for name in names],
        *[("large", name) for name in names],
    ]
    true, _ = answers()
    for each in figures["figures"]:
        corrected, alone = each["assisted"], each["people"]
        if alone["low"] is None:
            assert "rarer kind" in alone["reason"], "the large system makes few errors"
            continue
        assert corrected["high"] - corrected["low"] < alone["high"] - alone["low"]
        assert 0.2 < each["saved"] < 1 - JUDGED / QUESTIONS
    share = figures["figures"][1]
    assert share["people"]["value"] == pytest.approx(true[:JUDGED].mean())
    assert abs(share["assisted"]["value"] - true.mean()) < 0.05


def test_systems_are_ranked_if_their_errors_are_not_rare():
    figures = json.loads(
        accord("scores.csv", "--system", "sevens", "--system", "program", "--numeric", "--json").stdout
    )
    assert figures["ranks"] == {
        "sevens": {"value": 2, "low": 2, "high": 2},
        "program": {"value": 1, "low": 1, "high": 1},
    }
    text = accord("scores.csv", "--system", "sevens", "--system", "program", "--numeric")
    assert "program 1; sevens 2" in text.stdout
    assert "program is the program itself" in text.stderr
    assert json.loads(accord("labels.csv", "--system", "small", "--system", "large", "--json").stdout)["ranks"] == {}


def test_a_program_saves_nothing_for_its_own_figures():
    figures = json.loads(accord("scores.csv", "--system", "program", "--numeric", "--json").stdout)["figures"]
    assert figures[1]["figure"] == "Spearman"
    assert figures[1]["saved"] == 0
    assert figures[1]["assisted"] == figures[1]["people"]


def test_intervals_over_annotators_are_wider():
    questions, both = (
        json.loads(accord("crossed.csv", "--over", over, "--json").stdout)["figures"] for over in ("questions", "both")
    )
    for one, other in zip(questions, both, strict=True):
        assert one["people"]["value"] == other["people"]["value"]
        assert one["people"]["high"] - one["people"]["low"] < other["people"]["high"] - other["people"]["low"]
    result = accord("labels.csv", "--over", "both")
    assert result.exit_code == 2
    assert "needs the column annotator" in result.stderr


def test_the_table_says_what_is_saved_and_what_is_not():
    text = accord("labels.csv").stdout
    assert text.startswith("Program-assisted figures of 500 questions, 150 of them judged by people\n")
    assert "share of judgements that the program saves" in text
    write("all.csv", ["item", "program", "people"], [[f"i{at}", at % 5, at % 3] for at in range(40)])
    assert "People have judged all questions, so the program saves no judgements." in accord("all.csv").stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,people\na,1\n", "program: the column is missing"),
        ("item,program,people\na,1,\n", "no question has an answer by people"),
        ("item,program,people\na,,1\n", "the cell is empty"),
        ("item,program,people\na,1,1\na,2,1\n", "a has different program answers on an earlier line"),
        ("item,program,people\na,1,1\na,1,2\n", "a already has an answer"),
        ("item,program,people\na,1,\na,1,\n", "a is already on an earlier line"),
        ("item,question,program,people\na,s,1,1\nb,s,1,\n", "the question s has 2 items, but only 1 have an answer"),
        ("item,question,program,people\na,s,1,1\na,t,1,1\n", "a belongs to s on an earlier line"),
        (
            "item,question,program,people,probability\na,s,1,1,.5\nb,s,1,1,.6\n",
            "the items of s have different probabilities",
        ),
        ("item,program,people,annotator\na,1,1,\n", "the cell is empty"),
        ("item,program,people,probability\na,1,1,0\n", "“0” is not a probability above 0 and up to 1"),
        (
            "item,program,people,annotator,probability\na,1,1,x,.5\na,1,1,y,.6\n",
            "a has a different probability on an earlier line",
        ),
    ],
)
def test_errors_name_the_line(text, message):
    with pytest.raises(TableError, match=message):
        read_assisted(text.encode(), [], name="answers.csv")


def test_items_of_a_question_are_one_unit():
    """The candidates of a sentence have equal labels here, so intervals over candidates would be too narrow."""
    true, draw = answers()
    program = draw(0.9)
    rows = [
        [f"i{at}", program[at // 4 * 4], "yes" if true[at // 4 * 4] else "no", f"a{by}", f"s{at // 4}"]
        for at in range(QUESTIONS)
        for by in ((at // 4) % 8, (at // 4 + 1) % 8)
    ]
    rows = [row if int(row[4][1:]) < 50 else [*row[:2], "", "", row[4]] for row in rows]
    rows = [row for place, row in enumerate(rows) if row[2] or place % 2]
    columns = ["item", "program", "people", "annotator"]
    write("together.csv", [*columns, "question"], rows)
    write("apart.csv", columns, [row[:4] for row in rows])
    together, apart = (json.loads(accord(f"{name}.csv", "--json").stdout) for name in ("together", "apart"))
    assert (together["questions"], together["judged"]) == (125, 50)
    assert (apart["questions"], apart["judged"]) == (500, 200)
    for one, other in zip(together["figures"], apart["figures"], strict=True):
        assert one["people"]["value"] == pytest.approx(other["people"]["value"])
        widths = [each["people"]["high"] - each["people"]["low"] for each in (one, other)]
        assert widths[0] == pytest.approx(2 * widths[1], rel=0.05)
    both = json.loads(accord("together.csv", "--over", "both", "--json").stdout)["figures"]
    assert both[0]["people"]["high"] - both[0]["people"]["low"] >= widths[0] - 1e-9


def test_numbers_must_be_numbers():
    result = accord("labels.csv", "--numeric")
    assert result.exit_code == 1
    assert "“yes” is not a number" in result.stderr
    write("several.csv", ["item", "question", "program", "people"], [["a", "s", 1, 1], ["b", "s", 1, 2]])
    assert "numbers need one item per question" in accord("several.csv", "--numeric").stderr
