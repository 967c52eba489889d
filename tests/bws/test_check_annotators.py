"""Tests of `accord bws check-annotators`: the gold rule by hand and by brute force, files of Mechanical Turk, and the
cleaned file.
"""

import csv
import io
import json
from fractions import Fraction

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from accord_core.bws.numerics.gold_answers import gold_records, gold_rows
from accord_core.bws.numerics.scoring import Judgements
from annotate.commands.main import main

HEADER = ["Item1", "Item2", "Item3", "Item4", "BestItem", "WorstItem", "Annotator", "Tuple", "Seconds"]
GOLD = "Item1,Item2,Item3,Item4,BestItem,WorstItem,Explanation\n" + "".join(
    f"g{n}a,g{n}b,g{n}c,g{n}d,g{n}a,g{n}d,because\n" for n in range(10)
)


def accord(*arguments, stdin=None):
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)


def table(rows, header=HEADER):
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows([header, *rows])
    return stream.getvalue()


def gold_row(number, annotator, correct):
    items = [f"g{number}{letter}" for letter in "dbca"]
    best = f"g{number}a" if correct else f"g{number}b"
    return [*items, best, f"g{number}d", annotator, f"gold{number}", "5.0"]


def collected():
    """Return annotations of 30 tuples by three careful annotators, and by one who always chooses the first and the last
    position. The careful annotators answer 10, 8 and 7 of 10 gold questions correctly, and the careless one 6.
    """
    random = np.random.default_rng(4)
    rows = []
    for number in range(30):
        items = [f"i{each:02}" for each in random.permutation(30)[:4]]
        rows += [
            [*items, min(items), max(items), annotator, f"t{number}", "10.0"] for annotator in ("ann", "ben", "cy")
        ]
        rows.append([*items, items[0], items[3], "zed", f"t{number}", "1.5"])
    for annotator, correct in (("ann", 10), ("ben", 8), ("cy", 7), ("zed", 6)):
        rows += [gold_row(number, annotator, number < correct) for number in range(10)]
    return rows


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "annotations.csv").write_text(table(collected()))
    (tmp_path / "gold.csv").write_text(GOLD)
    return tmp_path


def checks(*arguments):
    result = accord("bws", "check-annotators", "annotations.csv", *arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return {row["annotator"]: row for row in json.loads(result.stdout)}, result.stderr


class TestRule:
    @given(
        st.lists(st.tuples(st.integers(0, 3), st.booleans(), st.booleans()), max_size=40),
        st.sampled_from([0, 0.5, 0.6, 0.7, 1]),
        st.integers(1, 5),
        st.sampled_from(["total", "running"]),
    )
    def test_the_rule_by_brute_force(self, rows, threshold, minimum, rule):
        who, gold, right = zip(*rows, strict=True) if rows else ((), (), ())
        right = [one and other for one, other in zip(gold, right, strict=True)]
        records = gold_records(
            np.array(who, int),
            np.array(gold, bool),
            np.array(right, bool),
            4,
            threshold=threshold,
            minimum=minimum,
            rule=rule,
        )
        for number in range(4):
            own = [right[row] for row in range(len(rows)) if who[row] == number and gold[row]]
            lengths = range(1, len(own) + 1) if rule == "running" else [len(own)] if own else []
            failed = [
                length
                for length in lengths
                if length >= minimum and Fraction(sum(own[:length]), length) < Fraction(str(threshold))
            ]
            assert records.failed_at[number] == (failed[0] if failed else 0)
            assert (records.answers[number], records.correct[number]) == (len(own), sum(own))

    def test_gold_rows_ignore_the_order_of_items(self):
        gold = Judgements(np.array([[0, 1, 2]]), np.array([0]), np.array([2]), 4)
        rows = Judgements(np.array([[2, 1, 0], [0, 1, 2], [0, 1, 3]]), np.array([0, 0, 0]), np.array([2, 1, 3]), 4)
        is_gold, is_correct = gold_rows(rows, gold)
        assert (is_gold.tolist(), is_correct.tolist()) == ([True, True, False], [True, False, False])
        with pytest.raises(ValueError, match="same items"):
            gold_rows(rows, gold.take(np.array([0, 0])))


class TestCommand:
    def test_annotators_below_the_threshold_are_removed_with_all_judgements(self, folder):
        found, notes = checks("--gold", "gold.csv", "--cleaned", "cleaned.csv")
        assert {name: (row["gold"], row["correct"]) for name, row in found.items()} == {
            "ann": (10, 10),
            "ben": (10, 8),
            "cy": (10, 7),
            "zed": (10, 6),
        }
        assert next(iter(found)) == "zed"  # the lowest accuracy comes first
        assert found["zed"]["result"] == "removed: gold accuracy below the threshold at gold answer 10"
        assert [found[name]["result"] for name in ("ann", "ben", "cy")] == ["kept"] * 3
        assert (found["zed"]["judgements"], found["zed"]["seconds"], found["zed"]["shared"]) == (30, 1.5, 30)
        assert found["zed"]["p positions"] < 0.001 < found["ann"]["p positions"]
        # Careful annotators always agree with each other, and with zed as often as zed agrees with them.
        assert found["ann"]["agreement"] == pytest.approx((2 + found["zed"]["agreement"]) / 3)
        cleaned = list(csv.reader(io.StringIO((folder / "cleaned.csv").read_text())))
        expected = [row for row in collected() if row[6] != "zed" and not row[7].startswith("gold")]
        assert cleaned == [HEADER, *expected]
        assert "40 rows of 1 annotator are removed" in notes
        assert "30 gold answers of the other annotators are removed" in notes
        assert "90 of 160 rows were written to cleaned.csv" in notes
        assert accord("bws", "score", "cleaned.csv").stdout.splitlines()[1].endswith(",1.000")

    def test_rules_and_signs_of_careless_answers(self, folder):
        found, _ = checks("--gold", "gold.csv", "--threshold", "0.6")
        assert found["zed"]["result"] == "kept: agreement at chance and position bias"
        found, _ = checks("--gold", "gold.csv", "--threshold", "0.6", "--remove-flagged")
        assert found["zed"]["result"] == "removed: agreement at chance and position bias"
        found, _ = checks("--gold", "gold.csv", "--rule", "running", "--minimum", "9")
        assert found["zed"]["result"].endswith("at gold answer 9")
        found, _ = checks()
        assert {row["gold"] for row in found.values()} == {0}
        assert found["ann"]["accuracy"] is None
        assert found["ann"]["result"] == "kept: no gold answers"

    def test_results_of_mechanical_turk(self, folder):
        rows = [
            [
                f"h{number}", row[6], "Rejected" if row[6] == "ben" else "Approved", row[8], *row[:4],
                row.index(row[4]) + 1, f"item{row[:4].index(row[5]) + 1}",
            ]
            for number, row in enumerate(collected())
        ]  # fmt: skip
        header = ["HITId", "WorkerId", "AssignmentStatus", "WorkTimeInSeconds"]
        header += [*(f"Input.pair{n}" for n in range(1, 5)), "Answer.BestItem", "Answer.least"]
        (folder / "annotations.csv").write_text(table(rows, header))
        columns = [f"--column=Item{n}=Input.pair{n}" for n in range(1, 5)]
        found, notes = checks("--gold", "gold.csv", *columns, "--column", "WorstItem=Answer.least", "--positions")
        assert (found["ann"]["correct"], found["cy"]["correct"], found["zed"]["seconds"]) == (10, 7, 1.5)
        assert "ben" not in found
        assert "40 rows of rejected assignments are removed" in notes

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--column", "Item1"], "--column needs the form Item1=Input.pair1, not Item1"),
            (["--column", "Item1=first"], "line 1: the file has no column first. The columns are Item1, Item2"),
            (["--gold", "other.csv"], "other.csv: no annotation has the items of a gold question"),
            (["--gold", "wide.csv"], "wide.csv: the gold questions have 3 items, but the annotations have 4"),
            (
                ["--gold", "gold.csv", "--threshold", "1", "--remove-flagged", "--cleaned", "c.csv", "--minimum", "20"],
                "",
            ),
        ],
    )
    def test_impossible_requests(self, folder, arguments, message):
        (folder / "other.csv").write_text("Item1,Item2,Item3,Item4,BestItem,WorstItem\na,b,c,d,a,b\n")
        (folder / "wide.csv").write_text("Item1,Item2,Item3,BestItem,WorstItem\na,b,c,a,b\n")
        result = accord("bws", "check-annotators", "annotations.csv", *arguments)
        assert message in result.stderr
        assert (result.exit_code != 0) == bool(message)

    def test_files_without_annotators(self, folder):
        (folder / "annotations.csv").write_text(table([row[:6] for row in collected()], HEADER[:6]))
        result = accord("bws", "check-annotators", "annotations.csv")
        assert (result.exit_code, len(result.stderr.splitlines())) == (1, 1)
        assert "the file names no annotators" in result.stderr
