"""Tests of the scores of combined alignments against gold alignments."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from click.testing import CliRunner

from accord_core.pairs.numerics.links import Alignment, identical_links, without, word_scores
from accord_core.words.numerics.aggregation import METHODS
from accord_core.words.numerics.gold_scores import FEWEST_PAIRS, method_scores
from accord_core.words.numerics.modelled import aggregated
from alignment_ui.words.columns import collected, columns
from alignment_ui.words.report import results
from annotate.commands.main import main
from annotate.gold.services import exclude_gold
from annotate.models import Study
from annotate.questions.selectors.data import study_data
from tests.alignment_ui.words.test_aggregation import simulated
from tests.console_study import browser_of, page_of, report_on
from tests.markup import markup
from tests.word_study import collected as collected_study


@pytest.fixture(scope="module")
def data():
    return simulated(60, seed=3)


def scores_of(data, count=40, **options):
    pairs, truth = data
    gold = dict(enumerate(truth[:count]))
    return method_scores(pairs, 3, gold, **{"ignore_identical": False, "resamples": 200, "seed": 1} | options)


@pytest.mark.parametrize("ignore_identical", [False, True])
def test_scores_are_those_of_och_and_ney(data, ignore_identical):
    pairs, truth = data
    found = scores_of(data, ignore_identical=ignore_identical)
    ignored = [identical_links(p.source, p.target) if ignore_identical else frozenset() for p in pairs]
    for method in METHODS:
        drawn = aggregated(pairs, 3, method)[:40]
        # The crossed figures of Och and Ney do not distinguish sure and possible links of the system.
        compared = [
            (without(gold, same), Alignment(without(one, same).links))
            for gold, one, same in zip(truth, drawn, ignored, strict=False)
        ]
        expected = word_scores(compared)
        values = {name: figure["value"] for name, figure in found["methods"][method].items()}
        assert values["aer"] == pytest.approx(expected.aer)
        assert values["precision"] == pytest.approx(expected.crossed["precision"])
        assert values["recall"] == pytest.approx(expected.crossed["recall"])
        assert values["f1"] == pytest.approx(expected.crossed["f1"])


def test_single_annotators_have_the_mean_counts_of_a_pair(data):
    pairs, truth = data
    sums = np.zeros(2)
    for pair, gold in zip(pairs[:40], truth, strict=False):
        answers = [answer.links for answer in pair.answers.values()]
        sums += np.mean([[len(links & gold.links), len(links)] for links in answers], axis=0)
    assert scores_of(data)["methods"]["single"]["precision"]["value"] == pytest.approx(sums[0] / sums[1])


def test_no_method_uses_the_gold_alignments(data):
    pairs, truth = data
    wrong = [Alignment.of([(0, 0)])] * len(truth)
    found = scores_of((pairs, wrong))
    assert found["methods"]["model"]["aer"]["value"] > 0.6
    assert scores_of(data)["methods"]["model"]["aer"]["value"] < 0.05


def test_the_difference_from_the_majority_uses_the_same_resamples(data):
    found = scores_of(data)
    f1 = {method: found["methods"][method]["f1"]["value"] for method in METHODS}
    difference = found["differences"]["model"]["f1"]
    assert difference["value"] == pytest.approx(f1["model"] - f1["majority"])
    assert difference["low"] <= difference["value"] <= difference["high"]
    assert scores_of((data[0], data[1]))["differences"] == found["differences"]


def test_few_gold_pairs_have_no_interval_and_pairs_of_one_annotator_do_not_count(data):
    enough, few = (scores_of(data, count=count) for count in (FEWEST_PAIRS, FEWEST_PAIRS - 1))
    assert enough["methods"]["model"]["f1"]["low"] is not None
    figures = [figure for method in few["methods"].values() for figure in method.values()]
    assert {(figure["low"], figure["high"]) for figure in figures} == {(None, None)}
    pairs, truth = data
    alone = [pairs[0]._replace(answers={0: pairs[0].answers[0]}), *pairs[1:]]
    assert scores_of((alone, truth))["pairs"] == 39
    nothing = scores_of(data, count=0)
    assert (nothing["pairs"], nothing["methods"]) == (0, {})


@pytest.fixture(scope="module")
def shared_study(share):
    return share(lambda: collected_study(annotators=2, options={"sample": 3}, gold_block=1, seed=4))


@pytest.fixture
def study(shared_study, db):
    return Study.objects.get(pk=shared_study.pk)


@pytest.mark.nightly
def test_the_report_compares_the_methods_on_the_studys_gold(study):
    data = study_data(study)
    inputs = collected(columns(data))
    gold = {row.ref: row for row in data.gold}
    assert [pair.expected.links for pair in inputs.gold_pairs] == [
        {tuple(link) for link in (*row.gold["sure"], *row.gold["possible"])} for row in gold.values()
    ]
    given = [row for row in data.answers if row.kind == "gold"]
    assert sum(len(pair.answers) for pair in inputs.gold_pairs) == len(given)
    report = results(columns(data), {"resamples": 10, "samples": 2}, 1, lambda share, text: None)
    scores = report.own["gold_methods"]
    assert scores["pairs"] == sum(len(pair.answers) > 1 for pair in inputs.gold_pairs) > 0
    assert list(scores["methods"]) == ["single", *METHODS]

    exclude_gold(study.questions.filter(kind="gold").first().pk, user=study.memberships.get().user, reason="wrong")
    assert len(collected(columns(study_data(study))).gold_pairs) == len(gold) - 1


def test_the_page_states_that_few_gold_questions_are_imprecise(study):
    report = report_on(study, resamples=10, samples=2)
    page = " ".join(markup(browser_of(study).get(page_of(study, f"results/{report.number}/"))).split())
    assert "Combined alignments compared with gold questions" in page
    names = ("Single annotators (mean)", "Majority", "Medoid", "Model of the annotators")
    table = page[page.index("Combined alignments compared with gold questions") :]
    assert sorted(names, key=table.index) == list(names)
    assert "There are no confidence intervals, because fewer than 20 gold questions" in page


@pytest.fixture
def files(tmp_path, data):
    """Write the alignments of three annotators and gold alignments of some pairs, in the jacana format."""
    pairs, truth = data

    def write(name, alignments):
        rows = [
            {
                "id": f"p{place}",
                "source": " ".join(pairs[place].source),
                "target": " ".join(pairs[place].target),
                "sureAlign": " ".join(f"{i}-{j}" for i, j in sorted(alignment.sure)),
                "possibleAlign": " ".join(f"{i}-{j}" for i, j in sorted(alignment.possible)),
            }
            for place, alignment in alignments.items()
        ]
        (tmp_path / name).write_text(json.dumps(rows), encoding="utf-8")

    for number in range(3):
        write(f"{number}.json", {place: pair.answers[number] for place, pair in enumerate(pairs)})
    write("gold.json", dict(list(enumerate(truth))[10:50]))
    write("few.json", dict(list(enumerate(truth))[:5]))
    return tmp_path


def run(folder, *options):
    names = [str(folder / f"{number}.json") for number in range(3)]
    return CliRunner().invoke(
        main, ["align", "aggregate", *names, "--sentences", str(folder / "0.json"), *options], catch_exceptions=False
    )


def test_the_command_compares_the_methods(files, data):
    pairs, truth = data
    done = run(files, "--gold", str(files / "gold.json"), "--format", "csv", "--resamples", "50")
    assert done.exit_code == 0, done.output
    rows = {(row["method"], row["figure"]): row for row in csv.DictReader(io.StringIO(done.stdout))}
    expected = method_scores(
        pairs, 3, dict(list(enumerate(truth))[10:50]), ignore_identical=False, resamples=50, seed=1
    )["methods"]
    for method in METHODS:
        assert float(rows[method, "AER"]["value"]) == pytest.approx(expected[method]["aer"]["value"], abs=1e-4)
    assert ("model − majority", "F1") in rows
    figures = json.loads(run(files, "--gold", str(files / "gold.json"), "--json", "--ignore-identical").stdout)
    assert figures["pairs"] == 40


def test_the_command_states_what_cannot_be_compared(files):
    few = run(files, "--gold", str(files / "few.json"))
    assert "only 5 gold pairs have two or more annotators" in few.stderr
    assert "model" in few.stdout
    (files / "other.json").write_text(
        json.dumps([{"id": "x", "source": "a", "target": "b", "sureAlign": "0-0", "possibleAlign": ""}])
    )
    assert "pair x is not in --sentences" in run(files, "--gold", str(files / "other.json")).stderr
    mixed = run(files, "--gold", str(files / "gold.json"), "--method", "model")
    assert "cannot be combined with the options of one method" in mixed.stderr
    assert "need --gold" in run(files, "--ignore-identical").stderr
