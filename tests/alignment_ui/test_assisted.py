"""Tests of `accord align assisted` and `accord ists assisted`, compared with the scores of all gold pairs."""

import json

import numpy as np
import pytest
from click.testing import CliRunner, Result

from accord_core.chunks.formats.ists import write_wa
from accord_core.chunks.numerics.chunks import IstsPair
from annotate.commands.main import main
from tests.ists_pairs import link

PAIRS, JUDGED, WORDS = 240, 80, 8


def accord(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def edited(draw, true, error):
    """Return the number of the linked target word for each source word. Wrong links go to the next word."""
    return [[(to + (draw.random() < chance)) % WORDS for to in range(WORDS)] for chance in error * true]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write people's links for a third of the pairs, and those of a program and two systems for all pairs."""
    monkeypatch.chdir(tmp_path)
    draw = np.random.default_rng(1)
    difficulty = draw.beta(2, 4, size=PAIRS)
    answers = {"gold": [list(range(WORDS))] * PAIRS}
    answers |= {
        name: edited(draw, difficulty, error) for name, error in (("program", 0.2), ("good", 0.6), ("bad", 1.2))
    }
    drawn = np.sort(draw.permutation(PAIRS)[:JUDGED]).tolist()
    for name, links in answers.items():
        write_both(name, links, range(PAIRS))
    write_both("judged", answers["gold"], drawn)
    rows = [f"p{number},{0.2 if number % 2 else 0.4}\n" for number in range(PAIRS)]
    (tmp_path / "drawn.csv").write_text("id,probability\n" + "".join(rows))
    return drawn


def write_both(name, links, numbers):
    words = tuple(f"w{number}" for number in range(WORDS))
    with open(f"{name}.json", "w", encoding="utf-8") as file:
        text = " ".join(words)
        json.dump(
            [
                {
                    "name": f"p{number}",
                    "id": f"p{number}",
                    "source": text,
                    "target": text,
                    "sureAlign": " ".join(f"{place}-{to}" for place, to in enumerate(links[number])),
                    "possibleAlign": "",
                }
                for number in numbers
            ],
            file,
        )
    with open(f"{name}.wa", "w", encoding="utf-8") as file:
        chunks = {number: [link([place], [to]) for place, to in enumerate(links[number])] for number in numbers}
        file.writelines(write_wa([IstsPair(f"p{number}", words, words, tuple(chunks[number])) for number in numbers]))


def figures_of(*arguments):
    result = accord(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize(
    ("command", "ending", "figure", "key"),
    [
        ("align", "json", "AER (Och and Ney)", ("och_ney", "aer")),
        ("align", "json", "F1 (possible)", ("possible", "f1")),
        ("ists", "wa", "F1 Ali", ("f1_ali",)),
        ("ists", "wa", "F1 Typ+Sco", ("f1_typ_sco",)),
    ],
)
def test_people_correct_the_program(files, command, ending, figure, key):
    gold, judged, program, good, bad = (f"{name}.{ending}" for name in ("gold", "judged", "program", "good", "bad"))
    found = figures_of(command, "assisted", judged, program, good, bad)
    assert (found["questions"], found["judged"]) == (PAIRS, JUDGED)
    assert {system: rank["value"] for system, rank in found["ranks"].items()} == {"good": 1, "bad": 2}
    for system in ("good", "bad"):
        (each,) = (each for each in found["figures"] if (each["system"], each["figure"]) == (system, figure))
        truth = accord(command, "score", gold, f"{system}.{ending}", "--resamples", "0", "--json")
        expected = json.loads(truth.stdout)
        for part in key:
            expected = expected[part]
        # People's links are perfect here, so the figure of all gold pairs is known.
        assert abs(each["assisted"]["value"] - expected) < 0.03
        assert each["assisted"]["low"] < expected < each["assisted"]["high"]
        assert each["saved"] > 0.3
        width = each["assisted"]["high"] - each["assisted"]["low"]
        assert width < 0.85 * (each["people"]["high"] - each["people"]["low"])


@pytest.mark.parametrize(("command", "ending"), [("align", "json"), ("ists", "wa")])
def test_people_alone_are_the_scores_of_the_judged_pairs(files, command, ending):
    judged, program, bad = (f"{name}.{ending}" for name in ("judged", "program", "bad"))
    first = figures_of(command, "assisted", judged, program, bad)["figures"][0]
    only = edited_part(files, command)
    expected = json.loads(accord(command, "score", judged, only, "--resamples", "0", "--json").stdout)
    value = expected["sure"]["precision"] if command == "align" else expected["f1_ali"]
    assert first["people"]["value"] == pytest.approx(value, abs=1e-9)
    weighted = figures_of(command, "assisted", judged, program, bad, "--drawn", "drawn.csv")["figures"][0]
    assert weighted["people"]["value"] != pytest.approx(value, abs=1e-6)


def edited_part(drawn, command):
    """Write the system's links for the judged pairs only."""
    with open("bad.json", encoding="utf-8") as file:
        pairs = json.load(file)
    links = [[int(each.split("-")[1]) for each in pair["sureAlign"].split()] for pair in pairs]
    write_both("part", links, drawn)
    return "part.json" if command == "align" else "part.wa"


def test_faulty_files_are_refused(files, tmp_path):
    (tmp_path / "few.csv").write_text("id,probability\np0,0.5\n")
    for command, ending in (("align", "json"), ("ists", "wa")):
        judged, program, part, good = (f"{name}.{ending}" for name in ("judged", "program", "part", "good"))
        edited_part(files, command)
        # The roles of the files are swapped: the program does not contain all judged pairs.
        assert "is not in" in accord(command, "assisted", program, part, good).stderr
        assert "is missing" in accord(command, "assisted", judged, program, good, "--drawn", "few.csv").stderr
    assert "is missing" in accord("ists", "assisted", "judged.wa", "program.wa", "part.wa").stderr
    (tmp_path / "judged.pharaoh").write_text("0-0 1-1\n" * JUDGED)
    assert "need IDs" in accord("align", "assisted", "judged.pharaoh", "program.json", "good.json").stderr
    (tmp_path / "bad.csv").write_text("id,probability\np0,2\n")
    result = accord("ists", "assisted", "judged.wa", "program.wa", "good.wa", "--drawn", "bad.csv")
    assert "“2” is not a probability" in result.stderr
    (tmp_path / "bad.csv").write_text("id,other\np0,2\n")
    result = accord("ists", "assisted", "judged.wa", "program.wa", "good.wa", "--drawn", "bad.csv")
    assert "needs the columns id and probability" in result.stderr
