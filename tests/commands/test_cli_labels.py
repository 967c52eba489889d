"""Tests of `accord labels`, as used by a person and in a pipeline: files, and one clear line for each error."""

import json
import resource
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner

from annotate.commands.main import main

LABELS = "item,annotator,label\n" + "".join(
    f"p{item},{annotator},{label}\n"
    for annotator, given in (("ann", "1101001"), ("bob", "1001011"), ("cy", "110"))
    for item, label in enumerate(given, start=1)
)
KEYS = {
    "raw_agreement",
    "cohen_kappa_mean",
    "cohen_kappa_mean_by_items",
    "fleiss_kappa",
    "krippendorff_alpha_nominal",
    "gwet_ac1",
}


def accord(*arguments, stdin=None):
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)


def failure(*arguments, stdin=None):
    result = accord(*arguments, stdin=stdin)
    assert result.stdout == ""
    assert result.stderr.startswith("accord: ")
    assert result.stderr.count("\n") == 1
    return result.exit_code, result.stderr


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "labels.csv").write_text(LABELS)
    (tmp_path / "gold.csv").write_text("item,label\np1,1\np3,0\np9,1\n")
    return tmp_path


class TestAggregate:
    def test_majority(self, folder):
        result = accord("labels", "aggregate", "labels.csv")
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout == (
            "item,label,votes,n\np1,1,3,3\np2,1,2,3\np3,0,3,3\np4,1,2,2\np5,0,2,2\np6,undecided,1,2\np7,1,2,2\n"
        )

    def test_ties_to_the_negative_label(self, folder):
        result = accord("labels", "aggregate", "labels.csv", "--ties", "negative")
        assert "p6,0,1,2\n" in result.stdout
        other = accord("labels", "aggregate", "labels.csv", "--ties", "negative", "--negative-label", "1")
        assert "p6,1,1,2\n" in other.stdout

    def test_weighted(self, folder):
        result = accord("labels", "aggregate", "labels.csv", "--method", "weighted", "--gold", "gold.csv")
        lines = result.stdout.splitlines()
        assert lines[0] == "item,label,votes,n,probability"
        # All three annotators are right on both gold items: accuracy 3/4, odds of 3 per vote.
        assert lines[1] == "p1,1,3,3,0.9643"
        assert lines[2] == "p2,1,2,3,0.7500"
        assert lines[6] == "p6,undecided,1,2,0.5000"
        assert result.stderr == "accord: note: 1 of 3 items with known labels are not in LABELS.csv\n"

    @pytest.mark.parametrize("method", ["one-coin", "dawid-skene"])
    def test_estimated_with_gold(self, folder, method):
        """Half of the items of an annotator who is always wrong are gold."""
        rows = [f"p{n},{who},{label}" for n in range(20) for who, label in (("ann", n % 2), ("bob", 1 - n % 2))]
        (folder / "two.csv").write_text("\n".join(["item,annotator,label", *rows]) + "\n")
        (folder / "known.csv").write_text("item,label\n" + "".join(f"p{n},{n % 2}\n" for n in range(10)))
        result = accord("labels", "aggregate", "two.csv", "--method", method, "--gold", "known.csv")
        assert [line.split(",")[1] for line in result.stdout.splitlines()[1:]] == [str(n % 2) for n in range(20)]
        assert "with the known labels, 10 of the 10 other items have a different label" in result.stderr

    @pytest.mark.parametrize(("method", "sure"), [("one-coin", "0.9"), ("dawid-skene", "1.0000")])
    def test_estimated(self, folder, method, sure):
        result = accord("labels", "aggregate", "labels.csv", "--method", method, "-o", "out.csv")
        assert (result.exit_code, result.stdout) == (0, "")
        lines = (folder / "out.csv").read_text().splitlines()
        assert lines[0] == "item,label,votes,n,probability"
        assert lines[1].startswith(f"p1,1,3,3,{sure}")
        assert len(lines) == 8
        assert ("fewer than 50 labels" in result.stderr) == (method == "dawid-skene")

    def test_standard_input_and_a_wide_table(self, folder):
        wide = "item,ann,bob,cy\n" + "".join(
            f"p{n},{one},{two},{three}\n"
            for n, (one, two, three) in enumerate(zip("1101001", "1001011", "110    ", strict=True), start=1)
        )
        assert (
            accord("labels", "aggregate", "-", stdin=wide).stdout == accord("labels", "aggregate", "labels.csv").stdout
        )

    @pytest.mark.parametrize(
        ("arguments", "status", "message"),
        [
            (["nowhere.csv"], 1, "nowhere.csv: no such file"),
            (["labels.csv", "--method", "weighted"], 2, "requires --gold FILE"),
            (["labels.csv", "--gold", "gold.csv"], 2, "The method `majority` does not use --gold FILE"),
            (["labels.csv", "--negative-label", "0"], 2, "needs --ties negative"),
            (
                ["labels.csv", "--ties", "negative", "--negative-label", "no"],
                1,
                "the file has no label no. Labels: 0, 1",
            ),
            (["labels.csv", "-o", "nowhere/out.csv"], 2, "does not exist"),
            (["labels.csv", "-o", "."], 2, "is a folder"),
            (["-", "--method", "weighted", "--gold", "-"], 2, "Only one file can be read from standard input"),
            (["labels.csv", "--method", "guess"], 2, "'guess' is not one of"),
        ],
    )
    def test_refused(self, folder, arguments, status, message):
        found, line = failure("labels", "aggregate", *arguments)
        assert found == status
        assert message in line

    def test_a_second_vote_is_named_and_nothing_is_written(self, folder):
        (folder / "out.csv").write_text("before")
        status, line = failure("labels", "aggregate", "-", "-o", "out.csv", stdin=f"{LABELS}p2,bob,1\n")
        assert status == 1
        assert line == "accord: standard input, line 19, column annotator: bob has already labelled p2 on line 10\n"
        assert (folder / "out.csv").read_text() == "before"

    def test_labels_among_which_none_is_plainly_negative(self, folder):
        status, line = failure("labels", "aggregate", "-", "--ties", "negative", stdin="item,a,b\nx,red,blue\n")
        assert status == 1
        assert "the negative label is not clear from the labels blue, red" in line

    def test_a_label_with_the_name_of_a_tie(self, folder):
        status, line = failure("labels", "aggregate", "-", stdin="item,a,b\nx,undecided,yes\n")
        assert status == 1
        assert "the label undecided is reserved, because Accord uses this name for ties" in line

    def test_gold_of_other_items(self, folder):
        (folder / "gold.csv").write_text("item,label\nq1,1\n")
        status, line = failure("labels", "aggregate", "labels.csv", "--method", "weighted", "--gold", "gold.csv")
        assert status == 1
        assert "none of the items with known labels" in line


class TestAgreement:
    def test_json(self, folder):
        result = accord("labels", "agreement", "labels.csv", "--json")
        caution = "too few to trust the intervals: 7 questions instead of at least 200"
        assert (result.exit_code, result.stderr) == (0, f"accord: note: {caution}\n")
        figures = json.loads(result.stdout)
        intervals = figures.pop("intervals")
        assert intervals == {"over": "questions", "questions": 7, "annotators": 3, "caution": caution}
        assert set(figures) == KEYS
        assert all({"value", "low", "high"} <= set(each) for each in figures.values())
        assert figures["raw_agreement"]["value"] == pytest.approx((1 + 1 / 3 + 1 + 1 + 1 + 0 + 1) / 7)
        from sklearn.metrics import cohen_kappa_score  # a slow import

        ann, bob, cy = ([int(label) for label in given] for given in ("1101001", "1001011", "110"))
        pairs = [cohen_kappa_score(ann, bob), cohen_kappa_score(ann[:3], cy), cohen_kappa_score(bob[:3], cy)]
        assert figures["cohen_kappa_mean"]["value"] == pytest.approx(np.mean(pairs))
        assert figures["cohen_kappa_mean_by_items"]["value"] == pytest.approx(np.average(pairs, weights=[7, 3, 3]))
        assert (figures["cohen_kappa_mean"]["pairs"], figures["cohen_kappa_mean"]["pairs_left_out"]) == (3, 0)

    def test_seed_and_resamples(self, folder):
        first, again, other = (
            accord("labels", "agreement", "labels.csv", "--json", "--seed", seed, "--resamples", 100).stdout
            for seed in (4, 4, 5)
        )
        assert first == again != other
        without = json.loads(accord("labels", "agreement", "labels.csv", "--json", "--resamples", 0).stdout)
        assert {(each["low"], each["high"]) for each in without.values()} == {(None, None)}

    def test_for_a_person(self, folder):
        result = accord("labels", "agreement", "labels.csv")
        lines = result.stdout.splitlines()
        assert lines[0] == "The file contains 17 labels for 7 items by 3 annotators. 7 items have two or more labels."
        assert len(lines) == 8
        assert lines[7] == ("The intervals generalise to other questions (there are 7), with the same annotators.")
        assert lines[1].startswith("  Raw agreement               0.762  [0.")
        assert "3 pairs of annotators, 0 excluded" in lines[2]

    def test_undefined_is_null_with_the_reason(self, folder):
        equal = "item,a,b\nx,yes,yes\ny,yes,yes\n"
        figures = json.loads(accord("labels", "agreement", "-", "--json", stdin=equal).stdout)
        assert figures["raw_agreement"] == {"value": 1.0, "low": 1.0, "high": 1.0}
        for name in KEYS - {"raw_agreement"}:
            assert figures[name]["value"] is None
            assert figures[name]["reason"]
        assert "Fleiss’ κ                   undefined: " in accord("labels", "agreement", "-", stdin=equal).stdout

    @pytest.mark.parametrize("level", ["ordinal", "interval"])
    def test_levels(self, folder, level):
        table = "item,a,b,c\nx,1,2,10\ny,2,2,10\nz,1,1,2\n"
        figures = json.loads(accord("labels", "agreement", "-", "--json", "--level", level, stdin=table).stdout)
        assert set(figures) == {*KEYS, f"krippendorff_alpha_{level}", "intervals"}
        assert figures[f"krippendorff_alpha_{level}"]["value"] != figures["krippendorff_alpha_nominal"]["value"]
        assert f"α, {level}" in accord("labels", "agreement", "-", "--level", level, stdin=table).stdout

    def test_unsure_is_no_vote(self, folder):
        votes = "item,a,b,c,d,e\np1,TRUE,TRUE,FALSE,UNSURE,UNSURE\np2,FALSE,TRUE,UNSURE,FALSE,UNSURE\n"
        plain = accord("labels", "aggregate", "-", stdin=votes).stdout
        assert "p1,undecided,2,5\np2,undecided,2,5\n" in plain
        result = accord("labels", "aggregate", "-", "--missing", "UNSURE", stdin=votes)
        assert result.stdout == "item,label,votes,n\np1,TRUE,2,3\np2,FALSE,2,3\n"
        assert result.stderr == "accord: note: 4 labels count as no vote: UNSURE\n"
        figures = json.loads(accord("labels", "agreement", "-", "--missing", "UNSURE", "--json", stdin=votes).stdout)
        assert figures["raw_agreement"]["value"] == pytest.approx(1 / 3)  # one of three pairs agrees on each item

    def test_a_cluster_of_candidates_is_one_question(self, folder):
        rows = [
            f"s{n},s{n}-{k},{who},{(n + (who == 'bob' and n % 5 == 0)) % 2}\n"
            for n in range(40)
            for k in range(10)
            for who in ("ann", "bob")
        ]
        (folder / "votes.csv").write_text("Sentence,item,annotator,label\n" + "".join(rows))
        candidates, sentences = (
            json.loads(accord("labels", "agreement", "votes.csv", "--json", *more).stdout)
            for more in ((), ("--cluster", "sentence"))
        )
        assert [each["intervals"]["questions"] for each in (candidates, sentences)] == [400, 40]
        kappa = [each["fleiss_kappa"] for each in (candidates, sentences)]
        assert kappa[0]["value"] == kappa[1]["value"]
        # Ten equal candidates per sentence contain a tenth of the information, so the interval is √10 times as wide.
        ratio = (kappa[1]["high"] - kappa[1]["low"]) / (kappa[0]["high"] - kappa[0]["low"])
        assert ratio == pytest.approx(np.sqrt(10), rel=0.15)
        status, line = failure("labels", "agreement", "votes.csv", "--cluster", "doc")
        assert (status, "column doc: the column is missing" in line) == (1, True)

    def test_one_item_has_no_interval(self, folder):
        result = accord("labels", "agreement", "-", "--json", stdin="item,annotator,label\nx,a,yes\nx,b,yes\nx,c,no\n")
        raw = json.loads(result.stdout)["raw_agreement"]
        assert raw == {"value": pytest.approx(1 / 3), "low": None, "high": None}

    def test_levels_need_numbers(self, folder):
        status, line = failure("labels", "agreement", "-", "--level", "interval", stdin="item,a,b\nx,good,bad\n")
        assert status == 1
        assert (
            "requires numeric labels, and each number must always be written in the same way. Labels: bad, good" in line
        )


def test_help_of_a_group_shows_whole_sentences():
    """Click cuts off long sentences. The full stop in an example such as “[ . ]” does not end a sentence."""
    listed = " ".join(accord("ists", "--help").stdout.split())
    assert "such as “[ A cat ] [ is standing ] [ on tree branches ] [ . ]”. items" in listed
    assert "..." not in listed.partition("Commands:")[2]
    assert "Back up all studies and accounts, or one study, to a file. restore" in " ".join(
        accord("--help").stdout.split()
    )


@pytest.mark.nightly
def test_help_is_quick_and_takes_neither_numpy_nor_django():
    """The test measures the CPU time of the process, which does not depend on the load of the machine."""
    code = (
        "import sys\n"
        "from annotate.commands.main import main\n"
        "try:\n    main(['labels', '--help'])\n"
        "finally:\n    sys.stderr.write(' '.join(sys.modules))"
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert "aggregate" in done.stdout
    assert not {"numpy", "scipy", "django"} & set(done.stderr.split())
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.5
