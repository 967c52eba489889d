"""A test of `accord bws reliability --levels`, the pilot comparison of STR-2021."""

import json

import numpy as np
from click.testing import CliRunner

from annotate.commands.main import main

HEADER = "Item1,Item2,Item3,Item4,BestItem,WorstItem\n"


def accord(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_levels_are_those_of_samples_with_as_many_judgements(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(6)
    rows = []
    for number in range(30):
        shown = sorted({(number + step) % 30 for step in (0, 3, 8, 15)})
        for annotator in range(6 if number < 25 else 2):
            best, worst = random.permutation(shown)[:2] if random.random() < 0.3 else (shown[-1], shown[0])
            rows.append(",".join([*(f"i{item:02}" for item in (*shown, best, worst)), f"a{annotator}"]))
    header = HEADER.replace("\n", ",Annotator\n")
    (tmp_path / "pilot.csv").write_text(header + "\n".join(rows) + "\n")
    arguments = ["bws", "reliability", "pilot.csv", "--splits", 50]
    result = accord(*arguments, "--levels", "6,4,2,8", "--json")
    assert result.exit_code == 0, result.stderr
    levels = json.loads(result.stdout)["levels"]
    assert [(each["judgements_per_tuple"], each["tuples"], each["annotations"]) for each in levels] == [
        (6, 25, 150),
        (4, 25, 100),
        (2, 30, 60),
    ]
    assert "have 8 judgements, so the reliability with this number" in result.stderr
    for each in levels:
        assert each["interval"]["spearman"]["low"] < each["spearman"]["mean"] < each["interval"]["spearman"]["high"]
    # The level 6 contains all judgements of its tuples, so its figure is that of a file with only these tuples.
    (tmp_path / "complete.csv").write_text(header + "\n".join(rows[:150]) + "\n")
    whole = json.loads(accord("bws", "reliability", "complete.csv", "--splits", 50, "--json").stdout)
    assert levels[0]["spearman"] == whole["spearman"]
    assert (whole["annotators"], levels[2]["annotators"]) == (6, 6)
    for wrong in (["--levels", "6,x"], ["--levels", "0"], ["--levels", "2", "--target", "0.9"]):
        assert accord(*arguments, *wrong).exit_code == 2
    assert accord(*arguments, "--levels", "9").stderr.endswith("too few judgements for these levels.\n")
