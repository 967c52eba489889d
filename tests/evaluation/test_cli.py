"""Tests of `accord evaluate`, as used by a person and in a pipeline."""

import csv
import json
from io import StringIO

import numpy as np
import pytest
import scipy
from click.testing import CliRunner

from accord_core.exchange.faults import Fault
from accord_core.numerics.multiplicity import holm
from annotate.commands.main import main
from evaluation.cli.figures import note_warnings
from tests.evaluation.test_files import LABELS
from tests.paraphrase.test_systems_sets import IRREGULAR

SENTENCES = [line for line in IRREGULAR.splitlines() if line[:1] in ("P", "S", "D")]


def accord(*arguments, stdin=None):
    return CliRunner().invoke(main, ["evaluate", *map(str, arguments)], input=stdin)


def failure(*arguments):
    result = accord(*arguments)
    assert result.stdout == ""
    return result.exit_code, result.stderr.splitlines()[-1].removeprefix("accord: ")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    generator = np.random.default_rng(4)
    truth = generator.random(40)
    rows = [
        [
            f"i{n}",
            f"{score:.3f}",
            "the cat sat" if n % 3 else "a b",
            "the cat ran" if n % 2 else "c d",
            f"s{n % 2}",
            f"{n % 5}",
        ]
        for n, score in enumerate(truth)
    ]
    write(tmp_path / "scores.csv", ["item", "score", "sentence1", "sentence2", "source", "sts"], rows)
    for name, noise in (("one", 0.1), ("other", 0.9)):
        predicted = truth + noise * generator.normal(size=40)
        write(tmp_path / f"{name}.csv", ["item", "score"], [[f"i{n}", f"{y:.4f}"] for n, y in enumerate(predicted)])
    (tmp_path / "sets.txt").write_text(IRREGULAR)
    np.save(tmp_path / "vectors.npy", generator.normal(size=(len(SENTENCES), 5)))
    words = sorted({word for line in SENTENCES for word in line.lower().split() if word.isalpha()} - {"p", "s", "sd"})
    vectors = [f"{word} {' '.join(f'{x:.3f}' for x in generator.normal(size=6))}" for word in words]
    (tmp_path / "words.txt").write_text("\n".join([f"{len(words)} 6", *vectors]))
    (tmp_path / "labels.csv").write_bytes(LABELS)
    return tmp_path


def write(path, header, rows):
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    path.write_text(text.getvalue())


def column(name, number):
    with open(name) as file:
        return [float(row[number]) for row in list(csv.reader(file))[1:]]


class TestRelatedness:
    @pytest.mark.nightly
    def test_json(self):
        result = accord("relatedness", "scores.csv", "one.csv", "--json")
        found = json.loads(result.stdout)
        truth, one, other = column("scores.csv", 1), column("one.csv", 1), column("other.csv", 1)
        assert result.stderr == ""
        assert found["spearman"]["value"] == pytest.approx(scipy.stats.spearmanr(truth, one).statistic)
        assert found["folds"]["folds"] == len(found["folds"]["each"]) == 5
        assert (found["by"], list(found["groups"])) == ("source", ["s0", "s1"])
        both = json.loads(accord("relatedness", "scores.csv", "one.csv", "B=other.csv", "--json").stdout)
        assert list(both["systems"]) == ["one", "B"]
        assert both["systems"]["one"] == {name: found[name] for name in both["systems"]["one"]}
        value = both["systems"]["B"]["spearman"]["value"]
        assert value == pytest.approx(scipy.stats.spearmanr(truth, other).statistic)
        between, *of_dice = both["differences"]
        assert (between["one"], between["other"]) == ("one", "B")
        assert between["value"] == pytest.approx(found["spearman"]["value"] - value)
        assert between["p"] < 0.01
        assert "p_holm" not in between  # a single comparison between systems
        assert [each["p_holm"] for each in of_dice] == holm([each["p"] for each in of_dice])

    @pytest.mark.nightly
    def test_several_systems_are_compared_with_each_other_or_with_a_baseline(self):
        arguments = ("relatedness", "scores.csv", "one.csv", "B=other.csv", "C=one.csv")
        pairs = [
            (each["one"], each["other"]) for each in json.loads(accord(*arguments, "--json").stdout)["differences"]
        ]
        dice = [(name, "word overlap (Dice)") for name in ("one", "B", "C")]
        assert pairs == [("one", "B"), ("one", "C"), ("B", "C"), *dice]
        for option in ("B", "other.csv"):
            found = json.loads(accord(*arguments, "--baseline", option, "--json").stdout)["differences"]
            assert [(each["one"], each["other"]) for each in found] == [("one", "B"), ("C", "B"), *dice]
        lines = accord(*arguments).stdout
        assert "\none minus B\n  difference " in lines
        assert "no interval" not in lines  # the smallest detectable difference never has an interval
        assert "p (Holm) is the p-value after Holm's correction for 3 comparisons between systems." in lines
        table = list(csv.DictReader(accord(*arguments, "--format", "csv").stdout.splitlines()))
        assert {row["system"] for row in table} == {"one", "B", "C", "word overlap (Dice)", "difference"}
        assert all(row["p (Holm)"] for row in table if row["system"] == "difference")
        repeated = accord("relatedness", "scores.csv", "A=one.csv", "A=other.csv")
        assert (repeated.exit_code, "Several systems have the name A." in repeated.stderr) == (2, True)

    @pytest.mark.nightly
    def test_the_baseline_is_dice_of_the_two_sentences(self):
        found = json.loads(accord("relatedness", "scores.csv", "one.csv", "--json").stdout)
        dice = [2 * 2 / (3 + 3) if n % 3 and n % 2 else 0 for n in range(40)]
        assert found["dice"]["spearman"]["value"] == pytest.approx(
            scipy.stats.spearmanr(column("scores.csv", 1), dice).statistic
        )
        assert [(each["one"], each["other"]) for each in found["differences"]] == [("one", "word overlap (Dice)")]

    @pytest.mark.nightly
    def test_sentences_from_the_file_of_items(self, folder):
        (folder / "items.csv").write_text((folder / "scores.csv").read_text().replace("item,score", "id,old"))
        bare = "".join(line.rsplit(",", 4)[0] + "\n" for line in (folder / "scores.csv").read_text().splitlines())
        (folder / "bare.csv").write_text(bare)
        found = json.loads(accord("relatedness", "bare.csv", "one.csv", "--items", "items.csv", "--json").stdout)
        assert found == json.loads(accord("relatedness", "scores.csv", "one.csv", "--json").stdout)
        assert "dice" not in accord("relatedness", "bare.csv", "one.csv", "--json").stdout

    @pytest.mark.nightly
    def test_bins_of_an_external_score(self):
        arguments = ("relatedness", "scores.csv", "one.csv", "--bins", "sts", "--edges", "0,2,3")
        result = accord(*arguments, "--json")
        assert [each["items"] for each in json.loads(result.stdout)["bins"]] == [24, 8]
        assert "8 items are outside the bounds" in result.stderr
        assert "bin 0 to 2, 24 items" in accord(*arguments).stdout
        assert "    with the external score " in accord(*arguments).stdout

    @pytest.mark.nightly
    def test_a_wide_table_names_the_row_of_an_undefined_figure(self):
        arguments = ("relatedness", "scores.csv", "one.csv", "--folds", 10)
        reason = "in test fold 1, there are fewer than 3 items"
        assert f"\n–: s1, mean of 10 test folds: {reason}.\n" in accord(*arguments, "--format", "markdown").stdout
        rows = csv.DictReader(accord(*arguments, "--format", "csv").stdout.splitlines())
        assert [row["note"] for row in rows if row["part"] == "s1, mean of 10 test folds"] == [reason, reason]

    @pytest.mark.nightly
    def test_for_people(self):
        lines = accord("relatedness", "scores.csv", "one.csv", "other.csv", "--folds", 3).stdout
        assert lines.startswith("Spearman's correlation, 40 items\none\n  all ")
        for part in ("mean of 3 test folds", "test fold 3, 13", "s1, 20", "mean of the groups", "\nother\n"):
            assert part in lines
        for part in ("word overlap (Dice)", ", p = 0.00", "smallest detectable"):
            assert part in lines

    @pytest.mark.nightly
    def test_written_folds_are_the_printed_folds_in_any_order_of_the_rows(self, folder):
        header, *rows = (folder / "scores.csv").read_text().splitlines()
        (folder / "sorted.csv").write_text("\n".join([header, *sorted(rows, key=lambda row: row.split(",")[1])]))
        written = []
        for name in ("scores", "sorted"):
            result = accord("relatedness", f"{name}.csv", "one.csv", "--write-folds", f"{name}-folds.csv", "--json")
            fold = {
                row["item"]: row["fold"]
                for row in csv.DictReader((folder / f"{name}-folds.csv").read_text().splitlines())
            }
            written.append((fold, json.loads(result.stdout)["folds"]))
        assert written[0] == written[1]
        fold, figures = written[0]
        second = [n for n in range(40) if fold[f"i{n}"] == "2"]
        truth, one = (np.array(column(name, 1))[second] for name in ("scores.csv", "one.csv"))
        assert figures["each"][1] == pytest.approx(scipy.stats.spearmanr(truth, one).statistic)

    def test_refusals(self):
        status, message = failure("relatedness", "scores.csv", "one.csv", "--by", "genre")
        there = "The columns other than item and score are sentence1, sentence2, source, sts"
        assert (status, message) == (1, f"scores.csv, line 1, column genre: the column is missing. {there}")
        assert failure("relatedness", "scores.csv", "one.csv", "--edges", "1,2")[0] == 2
        assert failure("relatedness", "scores.csv", "one.csv", "--bins", "sts", "--edges", "2,1")[1] == (
            "sts: Bins need at least two edges in ascending order."
        )
        assert failure("relatedness", "-", "-")[0] == 2


class TestParaphraseSets:
    def test_json(self):
        result = accord("paraphrase-sets", "sets.txt", "--vectors", "vectors.npy", "--json")
        found = json.loads(result.stdout)
        assert {"sentences", "sets", "purity", "entropy", "p_vs_np"} <= set(found)
        assert (found["sentences"], found["sets"], found["paraphrases"]) == (10, 3, 5)
        assert "accord: note: sets.txt, line 12: the sentence has one number instead of two\n" in result.stderr

    def test_by_kind_and_by_sentence(self, folder):
        result = accord("paraphrase-sets", "sets.txt", "--vectors", "vectors.npy", "--sentences", "each.csv", "--json")
        found = json.loads(result.stdout)
        rows = list(csv.DictReader((folder / "each.csv").read_text().splitlines()))
        assert np.mean([float(row["difference"]) for row in rows]) == pytest.approx(found["p_vs_np"], abs=1e-6)
        for kind, figure in found["p_vs_np_by_kind"].items():
            cells = [float(row[f"difference_{kind.lower()}"]) for row in rows if row[f"difference_{kind.lower()}"]]
            assert (len(cells), np.mean(cells)) == (figure["sentences"], pytest.approx(figure["value"], abs=1e-6))
        assert "  P against SD " in accord("paraphrase-sets", "sets.txt", "--vectors", "vectors.npy").stdout

    def test_a_note_shows_the_first_lines_of_many(self, capsys):
        note_warnings("sets.txt", [Fault(line, None, "the line is odd") for line in range(1, 14)])
        assert capsys.readouterr().err == (
            "accord: note: sets.txt, lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 3 more: the line is odd\n"
        )

    def test_quiet_reports_no_irregularity(self):
        result = accord("paraphrase-sets", "sets.txt", "--vectors", "vectors.npy", "--quiet", "--resamples", 0)
        assert (result.exit_code, result.stderr) == (0, "")
        assert "purity" in result.stdout

    def test_the_same_seed_prints_the_same(self):
        arguments = ("paraphrase-sets", "sets.txt", "--vectors", "vectors.npy", "--seed", 5)
        assert accord(*arguments).stdout == accord(*arguments).stdout

    def test_include_self_and_level(self):
        plain, other = (
            json.loads(accord("paraphrase-sets", "sets.txt", "--vectors", "vectors.npy", "--json", *more).stdout)
            for more in ((), ("--include-self", "--level", "group"))
        )
        assert other["p_vs_np"] > plain["p_vs_np"]
        assert (plain["clusters"], other["clusters"]) == (2, 1)

    def test_the_baseline_alone_is_the_baseline_beside(self):
        both = json.loads(
            accord(
                "paraphrase-sets", "sets.txt", "--vectors", "vectors.npy", "--word-vectors", "words.txt", "--json"
            ).stdout
        )
        alone = json.loads(accord("paraphrase-sets", "sets.txt", "--word-vectors", "words.txt", "--json").stdout)
        assert both["baseline"] == alone
        assert both["difference"]["value"] == pytest.approx(both["p_vs_np"] - alone["p_vs_np"])

    def test_refusals(self, folder):
        assert failure("paraphrase-sets", "sets.txt")[0] == 2
        np.save(folder / "few.npy", np.ones((3, 2)))
        assert failure("paraphrase-sets", "sets.txt", "--vectors", "few.npy") == (
            1,
            "few.npy: the file has 3 vectors for 10 sentences. Each sentence needs one vector",
        )
        (folder / "unknown.txt").write_text("cat 1 2\n")
        status, message = failure("paraphrase-sets", "sets.txt", "--word-vectors", "unknown.txt")
        assert status == 1
        assert message.startswith(
            "sets.txt, line 4: the words of “A cook peels a carrot” have no vector in unknown.txt"
        )


class TestParaphraseTables:
    def test_json_and_text(self, folder):
        (folder / "table.csv").write_text("phrase,paraphrase\nhold,keep\nhold,keep\nhold,grip\n")
        result = accord("paraphrase-tables", "labels.csv", "table.csv", "--json")
        law = json.loads(result.stdout)["domains"]["law"]
        assert (law["precision"]["value"], law["recall"]["value"], law["coverage"]) == (0.5, 0.5, 1)
        assert result.stderr == "accord: note: table.csv: 1 rows repeat a pair. Each pair counts once\n"
        lines = accord("paraphrase-tables", "labels.csv", "table.csv").stdout.splitlines()
        assert lines[0] == "law: 2 pairs listed, 2 of them judged (100.0%), 0 undecided; 2 pairs are good"
        assert lines[-1] == "good in sport, bad in law: 1 pairs, listed 1 where good, 1 where bad, 0 distinguished"

    def test_a_curve_and_a_threshold(self, folder):
        (folder / "table.csv").write_text("phrase,paraphrase,score\nhold,keep,.9\nhold,grip,.4\n")
        result = accord("paraphrase-tables", "labels.csv", "table.csv", "--curve", "curve.csv", "--resamples", 0)
        assert result.stdout.splitlines()[4:7] == [
            "  average precision              0.500",
            "  largest F1 (optimistic)        0.667 for scores from 0.9",
            "  thresholds chosen by cross-validation in 2 folds: none, 0.9",
        ]
        curve = (folder / "curve.csv").read_text().splitlines()
        assert curve[:3] == [
            "domain,threshold,judged,good,precision,recall,f1",
            "law,0.9,1,1,1.0000,0.5000,0.6667",
            "law,0.4,2,1,0.5000,0.5000,0.5000",
        ]
        (folder / "table.csv").write_text("phrase,paraphrase,score\nhold,keep,high\n")
        assert failure("paraphrase-tables", "labels.csv", "table.csv", "--curve", "curve.csv") == (
            1,
            "table.csv, line 2, column score: “high” is not a number. Each pair needs a score",
        )


class TestExpandSets:
    def test_templates(self, folder):
        (folder / "templates.csv").write_text("noun,adjectives,determiners\ncarrot,orange|old,the\nCook,,the|a\n")
        (folder / "few.txt").write_text("(I)\n\n1\nP 1 2 A cook peels a carrot\nP 1 2 The cook peels an old carrot\n")
        result = accord("expand-sets", "few.txt", "templates.csv")
        assert result.stdout.splitlines()[3:] == [
            "P 1 2 A cook peels a carrot",
            "P 1 2 The cook peels an old carrot",
            "P 1 2 A cook peels an orange carrot",
            "P 1 2 A cook peels an old carrot",
            "P 1 2 The cook peels a carrot",
            "P 1 2 A cook peels the carrot",
            "P 1 2 The cook peels the old carrot",
        ]
        assert result.stderr.endswith("accord: note: 5 sentences added to 2 P sentences\n")

    def test_errors_in_templates(self, folder):
        (folder / "bad.csv").write_text("noun,adjectives,determiners\ncook,,no\ncook,old,\ndog,,\n,old,\n")
        status, message = failure("expand-sets", "sets.txt", "bad.csv")
        assert status == 1
        assert message.startswith(
            "bad.csv, line 2, column determiners: “no” changes the meaning. The determiners are a,"
        )
        assert "line 3, column noun: “cook” already has a template" in message
        assert "line 4: the row has neither adjectives nor determiners" in message
        (folder / "bad.csv").write_text("word\ncook\n")
        assert "column noun: the column is missing" in failure("expand-sets", "sets.txt", "bad.csv")[1]


class TestContrast:
    def test_what_it_makes_can_be_read_and_made_again(self, folder):
        result = accord("contrast", "sets.txt", "-o", "more.txt")
        assert result.stderr.endswith(" variants of 5 of 5 sentences\n")
        again = accord("contrast", "more.txt")
        assert again.stdout == (folder / "more.txt").read_text()
        assert again.stderr.endswith("accord: note: 0 variants of 5 of 5 sentences\n")

    def test_sentences_outside_the_pattern_are_named(self):
        result = accord("contrast", "-", stdin="The cook peels fruit\nIt rains\n")
        assert result.stdout.splitlines()[1] == "1,The cook peels fruit,S,Fruit peels the cook"
        assert "standard input, line 2: “It rains” is not NP V NP: " in result.stderr
