"""Tests of `accord evaluate alt-test`."""

import json

import numpy as np
import pytest
from click.testing import CliRunner, Result

from annotate.commands.main import main


def accord(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["evaluate", "alt-test", *arguments])


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """Write the votes of four annotators in both layouts, a careful model and a guesser."""
    monkeypatch.chdir(tmp_path)
    generator = np.random.default_rng(1)
    truth = generator.integers(1, 4, size=60)

    def noisy(error):
        return np.where(generator.random(60) < error, generator.integers(1, 4, size=60), truth).tolist()

    people = {name: noisy(0.3) for name in ("ann", "bob", "cy", "dee")}
    wide = [["item", *people], *([f"i{at}", *labels] for at, labels in enumerate(zip(*people.values(), strict=True)))]
    long = [["item", "annotator", "label"]]
    long += [[f"i{at}", name, label] for name, labels in people.items() for at, label in enumerate(labels)]
    model, guess = ([["item", "label"], *([f"i{at}", label] for at, label in enumerate(noisy(e)))] for e in (0.1, 1))
    tables = {"votes": wide, "long": long, "model": model, "guess": guess, "other": [["item", "label"], ["j1", 1]]}
    for name, rows in tables.items():
        (tmp_path / f"{name}.csv").write_text("".join(",".join(map(str, row)) + "\n" for row in rows))


def test_a_careful_system_passes_and_a_guesser_does_not():
    result = accord("model.csv", "guess.csv", "votes.csv", "--annotators", "crowd", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    systems = json.loads(result.stdout)["systems"]
    assert [(name, each["passes"], each["epsilon"]) for name, each in systems.items()] == [
        ("model", True, 0.1),
        ("guess", False, 0.1),
    ]
    assert [each["annotator"] for each in systems["model"]["annotators"]] == ["ann", "bob", "cy", "dee"]


def test_both_layouts_give_the_same_figures():
    wide, long = (
        accord("model.csv", votes, "--epsilon", "0.15", "--json").stdout for votes in ("votes.csv", "long.csv")
    )
    assert wide == long != ""


def test_the_text_states_the_result():
    text = accord("Model=model.csv", "votes.csv", "--annotators", "trained").stdout
    assert text.startswith("Model\n  The system passes the test: it wins against at least half of the annotators.\n")
    assert "ann: system 0." in text


def test_the_table_has_a_row_per_annotator():
    result = accord("model.csv", "guess.csv", "votes.csv", "--annotators", "experts", "--format", "csv")
    assert result.stdout.count("\n") == 1 + 2 * 4
    assert "guess: winning rate" in result.stderr


def test_ratings_that_are_closer_win():
    labels = json.loads(accord("model.csv", "votes.csv", "--epsilon", "0.1", "--json").stdout)["systems"]["model"]
    ratings = accord("model.csv", "votes.csv", "--epsilon", "0.1", "--numeric", "--json")
    assert json.loads(ratings.stdout)["systems"]["model"]["advantage"] != labels["advantage"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["model.csv", "votes.csv"], "Choose either --annotators or --epsilon"),
        (["model.csv", "votes.csv", "--annotators", "crowd", "--epsilon", "0.1"], "Choose either"),
        (["other.csv", "votes.csv", "--epsilon", "0.1"], "other.csv: None of the questions answered by the system"),
        (
            ["model.csv", "votes.csv", "--epsilon", "0.1", "--min-questions", "61"],
            "The annotator with the most questions has answered 60",
        ),
        (["model.csv", "votes.csv", "--epsilon", "1"], "--epsilon"),
        (["model.csv", "votes.csv", "--epsilon", "nan"], "--epsilon"),
        (["model.csv", "model.csv", "votes.csv", "--epsilon", "0.1"], "Several systems have the name"),
    ],
)
def test_each_error_is_one_line(arguments, message):
    result = accord(*arguments)
    assert (result.exit_code != 0, result.stdout) == (True, "")
    assert message in result.stderr


def test_ratings_of_any_size_can_be_compared(tmp_path):
    (tmp_path / "large.csv").write_text("item,label\n" + "".join(f"i{n},1e300\n" for n in range(60)))
    result = accord("large.csv", "votes.csv", "--epsilon", "0.1", "--numeric", "--json")
    assert json.loads(result.stdout)["systems"]["large"]["advantage"] == 0


def test_labels_that_are_no_numbers_are_an_error(tmp_path):
    (tmp_path / "words.csv").write_text("item,label\ni1,many\n")
    assert "“many” is not a number" in accord("words.csv", "votes.csv", "--epsilon", "0.1", "--numeric").stderr
