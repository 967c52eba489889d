"""Tests of `accord bws`, as used by a person and in a pipeline: files, and one clear line for each error."""

import json
import math
import os
import re
import subprocess

import pytest

from accord_core.bws.formats import read_tuples
from tests.bws.cli import ACCORD, HEADER, ITEMS, accord


class TestTuples:
    def test_tuples_of_a_list(self, folder):
        result = accord("bws", "tuples", "items.txt")
        assert (result.exit_code, result.stderr) == (0, "")
        tuples = read_tuples(result.stdout_bytes, name="stdout")
        assert len(tuples) == 100
        assert {item: sum(item in row for row in tuples) for item in ITEMS} == dict.fromkeys(ITEMS, 8)

    def test_options(self, folder):
        result = accord("bws", "tuples", "items.txt", "--size", 3, "--factor", 1.5, "--seed", 3)
        tuples = read_tuples(result.stdout_bytes, name="stdout")
        assert {len(row) for row in tuples} == {3}
        assert len(tuples) == 75
        again = accord("bws", "tuples", "items.txt", "--size", 3, "--factor", 1.5, "--seed", 3)
        assert again.stdout_bytes == result.stdout_bytes
        assert accord("bws", "tuples", "items.txt", "--size", 3, "--factor", 1.5).stdout_bytes != result.stdout_bytes

    def test_standard_input_and_a_table(self, folder):
        table = "id,sentence1,sentence2\n" + "".join(f"{item},one,two\n" for item in ITEMS)
        from_table = accord("bws", "tuples", "-", stdin=table)
        assert from_table.stdout_bytes == accord("bws", "tuples", "items.txt").stdout_bytes

    def test_files_instead_of_standard_output(self, folder):
        result = accord("bws", "tuples", "items.txt", "-o", "tuples.tsv", "--report", "design.json")
        assert (result.exit_code, result.output) == (0, "")
        assert (folder / "tuples.tsv").read_bytes() == accord("bws", "tuples", "items.txt").stdout_bytes
        report = json.loads((folder / "design.json").read_text())
        promised = {
            "items": 50,
            "tuples": 100,
            "size": 4,
            "seed": 1,
            "appearances": {"min": 8, "max": 8},
            "repeated_pairs": 0,
            "max_pair_count": 1,
            "duplicate_tuples": 0,
            "positions": {"min": 2, "max": 2},
            "components": 1,
        }
        assert promised.items() <= report.items()

    def test_fewer_items_than_a_tuple(self, folder):
        result = accord("bws", "tuples", "-", stdin="a\nb\nc\n")
        assert result.exit_code == 1
        assert result.stderr == (
            "accord: standard input: Tuples of size 4 require at least 4 items, but the number of items is 3.\n"
        )


class TestScore:
    def test_counting(self, folder):
        (folder / "small.csv").write_text(HEADER + "a,b,c,d,a,d\na,b,c,d,b,d\nd,c,a,e,a,e\n")
        result = accord("bws", "score", "small.csv")
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout == "item,score\na,0.667\nb,0.500\nc,0.000\nd,-0.667\ne,-1.000\n"
        unit = accord("bws", "score", "small.csv", "--scale", "unit", "--method", "counting")
        assert unit.stdout == "item,score\na,0.833\nb,0.750\nc,0.500\nd,0.167\ne,0.000\n"

    def test_maxdiff_finds_the_order_and_says_how_sure_it_is(self, folder):
        result = accord("bws", "score", "annotations.csv", "--method", "maxdiff")
        header, *rows = [line.split(",") for line in result.stdout.splitlines()]
        assert header == ["item", "score", "standard_error"]
        assert [row[0] for row in rows[:2]] == ["i19", "i18"]
        assert sum(float(row[1]) for row in rows) == pytest.approx(0, abs=0.02)
        assert all(float(row[2]) > 0 for row in rows)
        unit = accord("bws", "score", "annotations.csv", "--method", "maxdiff", "--scale", "unit").stdout.splitlines()
        assert unit[1].startswith("i19,1.000,")
        assert unit[-1].split(",")[1] == "0.000"

    INCONSISTENT = HEADER + "a,b,c,d,a,d\na,b,c,d,a,a\n"

    def test_the_same_item_best_and_worst_is_counted_and_told(self):
        result = accord("bws", "score", "-", stdin=self.INCONSISTENT)
        assert result.stdout.startswith("item,score\na,0.500\n")
        assert result.stderr == (
            "accord: note: 1 of 2 rows name the same item as best and worst. These rows are included "
            "(--drop-inconsistent excludes them)\n"
        )

    @pytest.mark.parametrize(
        ("option", "says"),
        [
            (["--drop-inconsistent"], "These rows are excluded"),
            (["--method", "maxdiff"], "MaxDiff excludes these rows"),
        ],
    )
    def test_or_left_out_and_told(self, option, says):
        result = accord("bws", "score", "-", *option, stdin=self.INCONSISTENT)
        assert result.stderr == f"accord: note: 1 of 2 rows name the same item as best and worst. {says}\n"
        clean = accord("bws", "score", "-", *option, stdin=HEADER + "a,b,c,d,a,d\n")
        assert result.stdout == clean.stdout

    def test_nothing_left_to_score(self):
        result = accord("bws", "score", "-", "--drop-inconsistent", stdin=HEADER + "a,b,c,d,a,a\n")
        assert result.exit_code == 1
        assert result.stderr.endswith("Without these rows, the file has no judgements to score.\n")

    def test_output_to_a_file_is_whole_or_nothing(self, folder):
        (folder / "scores.csv").write_text("old")
        failed = accord("bws", "score", "-", "-o", "scores.csv", stdin=HEADER + "a,b,c,d,x,d\n")
        assert failed.exit_code == 1
        assert (folder / "scores.csv").read_text() == "old"
        assert accord("bws", "score", "annotations.csv", "-o", "scores.csv").output == ""
        assert (folder / "scores.csv").read_text() == accord("bws", "score", "annotations.csv").stdout


class TestReliability:
    def test_json(self, folder):
        result = accord("bws", "reliability", "annotations.csv", "--splits", 20, "--seed", 5, "--json")
        figures = json.loads(result.stdout)
        assert set(figures["spearman"]) == set(figures["pearson"]) == {"mean", "sd"}
        assert 0.5 < figures["spearman"]["mean"] <= 1
        assert (figures["splits"], figures["seed"], figures["unit"]) == (20, 5, "judgements")
        assert (figures["items"], figures["annotations"]) == (20, 80)
        assert figures["tuples"] == 20
        assert figures["items_dropped"] == 0  # the tuples are judged four times, so every item is in both halves
        again = accord("bws", "reliability", "annotations.csv", "--splits", 20, "--seed", 5, "--json")
        assert again.stdout == result.stdout

    def test_a_forecast_with_its_caveats(self, folder):
        result = accord("bws", "reliability", "annotations.csv", "--splits", 20, "--target", 0.99, "--json")
        forecast = json.loads(result.stdout)["forecast"]
        r = forecast["spearman_between_tuple_halves"]
        assert forecast["target"] == 0.99
        assert forecast["whole_at_present"] == pytest.approx(2 * r / (1 + r))
        assert forecast["judgements_needed"] == pytest.approx(80 * 0.99 * (1 - r) / (2 * r * 0.01), abs=1)
        half, whole = forecast["caveats"]
        assert "half of the data" in half
        assert "the full data" in whole

    def test_what_a_person_reads_has_both_ways_of_splitting(self, folder):
        told = accord("bws", "reliability", "annotations.csv", "--splits", 20, "--target", 0.99).stdout
        assert re.search(r"^judgements +0\.\d{3} ± 0\.\d{3} .* optimistic", told, re.MULTILINE)
        assert re.search(r"^tuples +0\.\d{3} ± 0\.\d{3} .* conservative", told, re.MULTILINE)
        assert "not a confidence interval" in told
        assert "half of the data" in told
        assert re.search(r"0\.99 requires about [\d,]+ judgements, [\d,]+ more than now", told)
        assert "new judgements belong to new tuples" in told

    def test_one_way_of_splitting(self, folder):
        told = accord("bws", "reliability", "annotations.csv", "--splits", 20, "--unit", "tuples").stdout
        assert "conservative" in told
        assert "optimistic" not in told
        figures = json.loads(
            accord("bws", "reliability", "annotations.csv", "--splits", 20, "--unit", "tuples", "--json").stdout
        )
        assert figures["unit"] == "tuples"

    def test_intervals_and_the_units_to_which_they_generalise(self, folder):
        told = accord("bws", "reliability", "annotations.csv", "--splits", 20).stdout
        assert re.search(r"95% interval .* for other tuples: 0\.\d{3} to 0\.\d{3} by judgements, ", told)
        assert "too few to trust the intervals: 20 questions instead of at least 200" in told.replace("Too", "too")
        arguments = ["bws", "reliability", "annotations.csv", "--splits", 20, "--unit", "tuples", "--json"]
        figures = json.loads(accord(*arguments, "--over", "tuples").stdout)
        low, high = figures["interval"]["spearman"].values()
        assert low < figures["spearman"]["mean"] < high
        assert figures["interval"]["generalises_to"] == "tuples"
        assert "interval" not in json.loads(accord(*arguments, "--over", "none").stdout)

    def test_an_interval_for_annotators_needs_their_names(self):
        rows = HEADER + "a,b,c,d,a,d\na,b,c,d,a,c\na,b,e,f,b,f\n"
        failed = accord("bws", "reliability", "-", "--splits", 5, "--over", "both", stdin=rows)
        assert failed.exit_code == 2
        assert "needs the column Annotator" in failed.stderr

    def test_details_of_scores_by_hand(self):
        rows = HEADER + "a,b,c,d,a,d\na,b,c,d,a,c\na,b,e,f,b,f\n"
        lines = accord("bws", "score", "-", "--details", stdin=rows).stdout.splitlines()
        assert lines[0] == "item,score,standard_error,appearances,best,worst"
        # The item a is best twice in three appearances. Its two tuples deviate by 2 − 2·⅔ and 0 − 1·⅔ from the score,
        # so the squared standard error is 2/(2 − 1) · (4/9 + 4/9)/9.
        assert lines[1] == f"a,0.667,{math.sqrt(16 / 81):.3f},3,2,0"
        assert lines[2].startswith("b,0.333,")
        assert lines[-1] == "f,-1.000,,1,0,1"  # one tuple has no standard error
        unit = accord("bws", "score", "-", "--details", "--scale", "unit", stdin=rows).stdout.splitlines()
        assert unit[1] == f"a,0.833,{math.sqrt(16 / 81) / 2:.3f},3,2,0"
        model = accord("bws", "score", "-", "--details", "--method", "maxdiff", stdin=rows).stdout.splitlines()
        assert model[0] == lines[0]

    @pytest.mark.nightly
    def test_score_and_reliability_drop_and_count_the_same_rows(self, folder):
        rows = (folder / "annotations.csv").read_text() + "a,b,c,d,a,a\na,a,b,c,a,b\n"
        notes = []
        for command in (["score"], ["reliability", "--splits", 5]):
            for options in ([], ["--drop-inconsistent"], ["--repeated-items", "cells"], ["--method", "maxdiff"]):
                result = accord("bws", *command, "-", *options, stdin=rows)
                assert result.exit_code == 0
                notes.append([line for line in result.stderr.splitlines() if "rows" in line])
        assert notes[:4] == notes[4:]
        included, dropped, by_cell, by_model = (" ".join(each) for each in notes[:4])
        assert "1 of " in included
        assert "These rows are included (--drop-inconsistent excludes them)" in included
        assert "name the same item as best and worst. These rows are excluded" in dropped
        assert "the item counts once per cell" in by_cell
        assert "MaxDiff excludes these rows" in by_model
        before, after = (
            json.loads(accord("bws", "reliability", "-", "--splits", 5, "--json", *more, stdin=rows).stdout)
            for more in ((), ("--drop-inconsistent",))
        )
        assert before["annotations"] - after["annotations"] == 1

    def test_too_little_data_is_no_number(self):
        result = accord("bws", "reliability", "-", "--json", stdin=HEADER + "a,b,c,d,a,d\n")
        figures = json.loads(result.stdout)
        assert figures["spearman"]["mean"] is None
        assert "undefined" in figures["reason"]
        told = accord("bws", "reliability", "-", "--target", 0.9, stdin=HEADER + "a,b,c,d,a,d\n").stdout
        assert "Undefined by tuples" in told
        assert "No forecast" in told


class TestErrors:
    @pytest.mark.parametrize(
        ("arguments", "status", "says"),
        [
            (["bws", "score", "none.csv"], 1, "accord: none.csv: no such file or directory"),
            (["bws", "score", "items.txt"], 1, "accord: items.txt, line 1: the file has no column Item1, Item2"),
            (["bws", "tuples", "."], 1, "accord: .: is a directory"),
            (["bws", "tuples", "items.txt", "--factor", "99999"], 1, "accord: items.txt: 50 items form at most"),
            (["bws", "tuples", "items.txt", "--size", "9"], 2, "accord: Invalid value for '--size': 9 is not in"),
            (["bws", "tuples", "items.txt", "-o", "no/where"], 2, "accord: Invalid value for '-o' / '--output'"),
            (["bws", "tuples", "items.txt", "--report", "."], 2, "accord: Invalid value for '--report': . is a fol"),
            (["bws", "tuples"], 2, "accord: Missing argument 'ITEMS' (see accord bws tuples --help)"),
            (["bws", "scores"], 2, "accord: No such command 'scores'"),
            (["bws", "reliability", "x", "--target", "1"], 2, "accord: Invalid value for '--target'"),
        ],
    )
    def test_one_line_on_stderr_and_a_status(self, folder, arguments, status, says):
        before = sorted(os.listdir(folder))
        result = accord(*arguments)
        assert result.exit_code == status
        assert result.stderr.startswith(says)
        assert result.stderr.count("\n") == 1
        assert result.stdout == ""
        assert sorted(os.listdir(folder)) == before

    def test_a_command_that_is_not_there_to_import(self, monkeypatch):
        broken = type(
            "Broken", (), {"name": "ghost", "module": "ghost", "load": lambda _: __import__("no_such_module")}
        )()
        monkeypatch.setattr("annotate.commands.main.entry_points", lambda group: [broken])
        result = accord("ghost")
        assert result.exit_code == 1
        assert result.stderr == "accord: the command ghost cannot be loaded: No module named 'no_such_module'\n"

    @pytest.mark.nightly
    def test_a_reader_that_has_had_enough(self, folder):
        (folder / "many.txt").write_text("\n".join(map(str, range(20_000))))
        run = subprocess.Popen(
            [*ACCORD, "bws", "tuples", "many.txt"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder
        )
        run.stdout.readline()
        run.stdout.close()
        assert run.wait(timeout=60) == 141
        assert run.stderr.read() == b""
        run.stderr.close()
