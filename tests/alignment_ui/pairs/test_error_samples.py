"""Tests of blind samples of a system's errors, and of the precision that is corrected by the judgements."""

import csv
import json
import tomllib
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from accord_core.exchange.error_samples import COLUMNS
from accord_core.layouts.formats.layout import read_layout
from accord_core.numerics.corrected_precision import corrected_precision
from annotate.commands.main import main

ROOT = Path(__file__).resolve().parents[3]
GOLD = [
    {"id": "n:1", "source": "the old dog slept .", "target": "the hound was asleep .", "sureAlign": "0-0 2-1 3-3 4-4",
     "possibleAlign": ""},
    {"id": "n:2", "source": "she left early", "target": "she went away soon", "sureAlign": "0-0 1-1 1-2",
     "possibleAlign": ""},
]  # fmt: skip
# Different phrases: dog/hound (correct), slept/was asleep (wrong), left/went away (correct), early/soon (wrong).
SYSTEM = "0-0 2-1 3-2 3-3 4-4\n0-0 1-1 1-2 2-3\n"
WA = """\
<sentence id="{id}" status="">
// two cats sleep
// some cats rest
<source>
1 two :
2 cats :
3 sleep :
</source>
<translation>
1 some :
2 cats :
3 rest :
</translation>
<alignment>
{links}
</alignment>
</sentence>
"""


class TestFormula:
    def test_the_figures_of_the_paper(self):
        """The precision is 30%. Of 48 errors, 20% were accepted, which gives .3 + .7 × .2 = .44."""
        counts = np.array([[30.0, 100.0]] * 20)
        found = corrected_precision(counts, [1.0] * 10 + [0.0] * 40, [1.0] * 9 + [0.0])
        assert (found.precision.value, found.corrected.value) == pytest.approx((0.3, 0.44))
        assert found.judged.value == pytest.approx(0.3 * 0.9 + 0.7 * 0.2)
        assert found.corrected.low < 0.44 < found.corrected.high

    def test_with_equal_units_the_interval_is_the_posterior_of_the_share(self):
        """With equal units, only the judgements vary. Beta(10.5, 40.5) has the mean 10.5/51 and a known variance."""
        found = corrected_precision(np.array([[1.0, 2.0]] * 5), [1.0] * 10 + [0.0] * 40, resamples=20_000)
        a, b = 10.5, 40.5
        deviation = (a * b / ((a + b) ** 2 * (a + b + 1))) ** 0.5
        assert found.corrected.high - found.corrected.low == pytest.approx(2 * 1.96 * deviation / 2, rel=0.05)
        assert (found.precision.low, found.precision.high) == (0.5, 0.5)

    def test_rejected_errors_change_only_the_interval(self):
        counts = np.array([[3.0, 4.0], [1.0, 2.0], [5.0, 9.0]])
        found = corrected_precision(counts, [0.0] * 48)
        assert found.corrected.value == found.precision.value == 9 / 15
        assert found.corrected.high > found.precision.high
        assert found.judged.value is None

    def test_undefined_figures(self):
        one = corrected_precision(np.array([[1.0, 4.0], [0.0, 0.0]]), [1.0, 0.0])
        assert (one.precision.value, one.precision.low, one.corrected.low) == (0.25, None, None)
        found = corrected_precision(np.zeros((0, 2)), [])
        assert (found.precision.value, found.corrected.value, found.corrected.low) == (None, None, None)
        unchecked = corrected_precision(np.array([[1.0, 2.0], [2.0, 2.0]]), [])
        assert (unchecked.corrected.value, unchecked.corrected.low) == (None, None)
        assert corrected_precision(np.array([[2.0, 2.0]] * 2), []).corrected.value == 1.0
        with pytest.raises(ValueError, match="between 0 and 1"):
            corrected_precision(np.ones((1, 2)), [1.5])

    @pytest.mark.nightly
    def test_the_interval_contains_the_true_precision_in_95_percent_of_simulations(self):
        """In each simulation, 60 sentence pairs have a random share of correct positives and 48 errors are judged."""
        generator = np.random.default_rng(3)
        hits, times = 0, 400
        for seed in range(times):
            shares = generator.beta(4, 4, size=60)
            positives = generator.integers(2, 9, size=60)
            counts = np.stack([generator.binomial(positives, shares), positives], axis=1).astype(float)
            judgements = (generator.random(48) < 0.25).astype(float)
            found = corrected_precision(counts, judgements.tolist(), resamples=200, seed=seed).corrected
            hits += found.low <= 0.5 + 0.5 * 0.25 <= found.high
        assert 0.92 <= hits / times <= 0.985  # the standard error is .011


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.json").write_text(json.dumps(GOLD))

    def run(*arguments, **files):
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        return CliRunner().invoke(main, arguments)

    return run


def drawn(run, *arguments, group="align", **files):
    """Return the questions by their phrases, and the key, of a command that must succeed."""
    done = run(group, "sample-errors", *arguments, "--key", "key", "-o", "questions", **files)
    assert done.exit_code == 0, done.output
    with open("questions", newline="") as file:
        rows = list(csv.DictReader(file))
    with open("key") as file:
        return {(row["source_phrase"], row["target_phrase"]): row for row in rows}, json.load(file)


def answers(rows, key, system):
    phrases = {row["id"]: pair for pair, row in rows.items()}
    return {phrases[each["id"]]: each["correct"] for each in key["systems"][system]["checked"]}


def test_the_questions_are_blind_and_the_key_is_true(run):
    rows, key = drawn(run, "gold.json", "system", "--ignore-identical", system=SYSTEM)
    assert answers(rows, key, "system") == {
        ("dog", "hound"): True,
        ("slept", "was asleep"): False,
        ("left", "went away"): True,
        ("early", "soon"): False,
    }
    assert key["systems"]["system"]["counts"] == [[1, 2], [1, 2]]
    row = rows["slept", "was asleep"]
    assert set(row) == {"id", "source", "target", "source_phrase", "target_phrase"}
    assert (row["source"], row["target"]) == ("the old dog [slept] .", "the hound [was asleep] .")
    assert [each["id"] for each in rows.values()] == [f"q-00{number}" for number in range(1, 5)]


def test_one_question_serves_all_systems_that_make_the_same_prediction(run):
    rows, key = drawn(run, "gold.json", "one", "two", "--errors", "1", one=SYSTEM, two=SYSTEM)
    assert sorted(key["systems"]) == ["one", "two"]
    wrong = [[each["id"] for each in system["checked"] if not each["correct"]] for system in key["systems"].values()]
    assert [len(each) for each in wrong] == [1, 1]
    assert len(rows) == len(key["questions"]) == 5 + len({*wrong[0], *wrong[1]})  # all five correct pairs are controls


def test_links_and_lists_are_judged_too(run):
    rows, key = drawn(run, "gold.json", "system", "--units", "links", system=SYSTEM)
    assert [pair for pair, correct in answers(rows, key, "system").items() if not correct] in (
        [("slept", "was"), ("early", "soon")],
        [("early", "soon"), ("slept", "was")],
    )
    text = "early\tsoon\nwent away\tleft\n"
    rows, key = drawn(run, "gold.json", "list", "--units", "list", list=text)
    assert answers(rows, key, "list") == {("early", "soon"): False, ("left", "went away"): True}


def test_judgements_correct_the_precision(run):
    rows, _ = drawn(run, "gold.json", "system", "--ignore-identical", system=SYSTEM)
    labels = {"dog": "correct", "slept": "incorrect", "left": "correct", "early": "unsure"}
    text = "item,annotator,label\n" + "".join(
        f"{row['id']},anna,{labels[phrase]}\n{row['id']},ben,{labels[phrase]}\n" for (phrase, _), row in rows.items()
    )
    for uncertain, expected in (("0", 0.5), ("0.5", 0.5 + 0.5 * 0.25), ("1", 0.75)):
        done = run("align", "corrected-precision", "key", "votes", "--uncertain", uncertain, "--json", votes=text)
        result = json.loads(done.stdout)["system"]
        assert (result["precision"]["value"], result["corrected"]["value"]) == (0.5, expected)
        assert result["errors"] == {"drawn": 2, "judged": 2, "labels": {"incorrect": 0.5, "unsure": 0.5}}
    printed = run("ists", "corrected-precision", "key", "votes").stdout
    assert "judged errors" in printed
    assert "2 of 2 (incorrect 50%, unsure 50%)" in printed
    renamed = text.replace("item,annotator,label", "Input.id,WorkerId,Answer.verdict")
    options = ["--item", "Input.id", "--annotator", "WorkerId", "--label", "Answer.verdict", "--json"]
    done = run("align", "corrected-precision", "key", "results", *options, results=renamed)
    assert json.loads(done.stdout)["system"]["errors"]["judged"] == 2
    table = run("align", "corrected-precision", "key", "votes", "--format", "csv").stdout
    assert table.splitlines()[2].startswith("system,corrected for accepted errors,0.5000,")


def test_the_layout_of_the_example_shows_the_questions_and_asks_for_the_default_labels():
    settings = tomllib.loads((ROOT / "examples" / "papers" / "errors.toml").read_text())
    layout = read_layout(settings["options"]["layout"], scripts=False)
    assert not layout.faults
    assert {hole.column for hole in layout.holes} == set(COLUMNS) - {"id"}
    (field,) = layout.fields
    assert field.name == "verdict"
    assert [choice.value for choice in field.choices] == ["correct", "incorrect", "uncertain"]


def test_chunk_links_are_sampled(run):
    links = ["1 <==> 1 // SIMI // 3 // x", "2 <==> 2 // EQUI // 5 // x", "3 <==> 3 // EQUI // 5 // x"]
    system = ["1 2 <==> 1 2 // EQUI // 5 // x", "3 <==> 3 // REL // 2 // x", "0 <==> 1 // NOALI // NIL // x"]
    gold_text, text = (WA.format(id=1, links="\n".join(lines)) for lines in (links, system))
    rows, key = drawn(run, "gold", "sys", group="ists", gold=gold_text, sys=text)
    assert answers(rows, key, "sys") == {("two cats", "some cats"): False, ("sleep", "rest"): True}
    assert rows["two cats", "some cats"]["source"] == "[two cats] sleep"
    done = run("ists", "sample-errors", "gold", "sys", "--key", "key", sys=WA.format(id=2, links=links[0]))
    assert "sys, line 1: gold has no pair with the ID 2" in done.stderr


@pytest.mark.parametrize(
    ("files", "arguments", "message"),
    [
        ({"system": "0-0\n\n"}, ["gold.json", "system"], "no system has a false positive"),
        (
            {"system": "9-9\n\n"},
            ["gold.json", "system"],
            "system, line 1: link 9-9: the source sentence has no token 9",
        ),
        ({"system": SYSTEM}, ["gold.json", "system", "-o", "key"], "must be two different files"),
    ],
)
def test_samples_that_cannot_be_drawn(run, files, arguments, message):
    done = run("align", "sample-errors", *arguments, "--key", "key", **files)
    assert done.exit_code != 0
    assert message in done.stderr


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("{}", "key: the file must be the key that sample-errors wrote together with the questions"),
        ("[1", "key: the file must be the key that sample-errors wrote together with the questions"),
        ("[" * 20_000, "key: the file must be the key that sample-errors wrote together with the questions"),
        (
            '{"format": "accord-error-sample", "version": 1, "systems": {"a": {"counts": [[1e400, 1]]}}}',
            "key: the file must be the key that sample-errors wrote together with the questions",
        ),
        ('{"format": "accord-error-sample", "version": 2}', "reads keys of version 1, not of version 2"),
        ('{"format": "accord-error-sample", "version": 1, "systems": {}}', "the key has no question q-1"),
    ],
)
def test_wrong_keys(run, key, message):
    done = run("align", "corrected-precision", "key", "votes", key=key, votes="item,annotator,label\nq-1,a,correct\n")
    assert done.exit_code != 0
    assert message in done.stderr
