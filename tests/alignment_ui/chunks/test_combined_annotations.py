"""Tests of combined annotations in the report and the downloads of a study, and of `accord ists aggregate`."""

from __future__ import annotations

import csv
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner
from django.template.loader import render_to_string

from accord_core.chunks.formats.ists import read_wa, write_wa
from accord_core.chunks.formats.ists_guidelines import guideline_faults
from accord_core.chunks.numerics.aggregation import METHODS
from accord_core.chunks.numerics.gold_scores import FEWEST_QUESTIONS, GoldQuestion, method_scores
from accord_core.chunks.numerics.link_cells import AnnotatedPair
from accord_core.chunks.numerics.modelled import aggregated
from accord_core.chunks.numerics.scores import ists_scores
from accord_core.exchange.arrays import pack, unpack
from alignment_ui.chunks.answer import from_pair
from alignment_ui.chunks.columns import collected, columns
from alignment_ui.chunks.console.report import method_rows
from alignment_ui.chunks.evaluate import evaluate
from alignment_ui.chunks.model_export import model
from alignment_ui.chunks.report import results
from alignment_ui.chunks.soft_links import soft_links
from alignment_ui.chunks.tasktype import Chunks
from annotate.commands.main import main
from annotate.tasktypes import AnswerRow, ItemDraft, QuestionDraft, StudyData
from tests.chunk_annotators import simulated

TASK = Chunks()
OPTIONS = TASK.clean_options({})
NAMES = ("anna", "ben", "cem")
NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
PAIRS, GOLD = 60, 12


@pytest.fixture(scope="module")
def data():
    return simulated(PAIRS + GOLD, seed=8)


def study(annotated, truth, *, decisions=None, gold=GOLD):
    """Return a study in which the last `gold` pairs are gold questions."""
    regular, known = truth[: len(truth) - gold], truth[len(truth) - gold :]
    payloads = {each.id: {"source": list(each.source), "target": list(each.target)} for each in truth}
    chunks = {each.id: from_pair(each)["chunks"] for each in truth}
    payloads = {
        key: {"item": key, **words, "chunks": chunks[key], "links": None, "left": None}
        for key, words in payloads.items()
    }
    rows = []
    for number, (each, true) in enumerate(zip(annotated, truth, strict=True)):
        for who, answer in each.answers.items():
            is_gold = number >= len(regular)
            rows.append(
                AnswerRow(
                    ref=true.id,
                    kind="gold" if is_gold else "regular",
                    value={**from_pair(answer), "log": []},
                    shown=[],
                    pseudonym=NAMES[who],
                    hit=1,
                    position=1,
                    seconds=10.0,
                    given_at=NOON + timedelta(minutes=number),
                    counts=not is_gold,
                    reason="gold" if is_gold else "",
                    passed=True if is_gold else None,
                    tally={"right": 1, "wrong": 0, "f1": 0.9} if is_gold else None,
                )
            )
    return StudyData(
        {"options": OPTIONS, "judgements": 2},
        [ItemDraft(each.id, payloads[each.id], {"dataset": "images"}) for each in regular],
        [QuestionDraft(each.id, payloads[each.id]) for each in regular],
        [QuestionDraft(each.id, payloads[each.id], gold=from_pair(each)) for each in known],
        rows,
        decisions=decisions or {},
    )


def report(data):
    stored = unpack(pack(columns(data)))
    return results(stored, {"resamples": 50}, 1, lambda share, text: None).as_json()


@pytest.fixture(scope="module")
def result(data):
    return report(study(*data))


def test_the_report_judges_each_method_on_the_gold_questions(data, result) -> None:
    annotated, truth = data
    combined = result["combined"]
    assert (combined["questions"], combined["annotators"], combined["fewest"]) == (GOLD, 3, FEWEST_QUESTIONS)
    assert list(combined["methods"]) == list(METHODS)
    for method in METHODS:
        chosen = aggregated(annotated, 3, method, many_to_many=False)[PAIRS:]
        expected = ists_scores(truth[PAIRS:], chosen).total.figures("f1_typ_sco").f1
        figure = combined["methods"][method]["F1 Typ+Sco"]
        assert figure["value"] == pytest.approx(expected)
        assert figure["low"] <= figure["value"] <= figure["high"]
    assert combined["methods"]["model"]["F1 Ali"]["value"] >= combined["methods"]["majority"]["F1 Ali"]["value"]


@pytest.mark.nightly
def test_annotators_of_gold_questions_are_combined_in_groups_of_the_usual_size(data) -> None:
    annotated, truth = data
    gold = [
        GoldQuestion(true, AnnotatedPair({who: each.answers[who % 3] for who in range(6)}))
        for each, true in zip(annotated[PAIRS:], truth[PAIRS:], strict=True)
    ]
    pairs = [each._replace(answers={who: each.answers[who] for who in (0, 2)}) for each in annotated[:PAIRS]]
    found = method_scores(pairs, gold, 6, many_to_many=False, resamples=0, seed=1)
    assert (found.questions, found.annotators) == (GOLD, 2)
    few = method_scores(pairs, gold[: FEWEST_QUESTIONS - 1], 6, many_to_many=False, resamples=0, seed=1)
    assert (few.questions, few.scores) == (FEWEST_QUESTIONS - 1, {})
    alone = [each._replace(answers={0: each.answers[0]}) for each in pairs]
    for few_answers in (alone, []):
        assert method_scores(few_answers, gold, 6, many_to_many=False, resamples=0, seed=1).annotators == 2
    # All six annotators together would be more accurate than two at a time.
    joint = aggregated([each.annotated for each in gold], 6, "majority", many_to_many=False)
    together = ists_scores([each.expected for each in gold], joint).total.figures("f1_ali").f1
    assert found.scores["majority"][0].value < together


def test_the_people_have_estimates_of_their_reliability(data, result) -> None:
    people = {row["pseudonym"]: row for row in result["people"]}
    anna, ben, cem = (people[name] for name in NAMES)
    assert anna["model_recall"] > ben["model_recall"] > cem["model_recall"] > 0.4
    assert anna["model_type_accuracy"] > ben["model_type_accuracy"] > cem["model_type_accuracy"]
    assert anna["model_score_sd"] < ben["model_score_sd"] < cem["model_score_sd"]
    assert cem["model_recall_error"] > 0
    for figure in TASK.person_figures:
        low, high = figure.interval(cem) or (None, None)
        assert low < cem[figure.key] < high, figure.key
    few = report(study(data[0][:15], data[1][:15], gold=5))
    assert {row["model_recall"] for row in few["people"]} == {None}, "fewer than 20 pairs"
    assert few["combined"] == {"questions": 5, "fewest": 10, "annotators": 3, "methods": {}}


def test_the_page_shows_the_comparison_and_the_estimates(result) -> None:
    study_row = SimpleNamespace(public_id="0123456789abcdef0123456789abcdef", task_type="chunks")
    combined = result["combined"]
    context = {"combined": combined, "methods": method_rows(combined), "modelled": result["people"], "study": study_row}
    shown = render_to_string("chunks/combined.html", context)
    value = combined["methods"]["model"]["F1 Typ+Sco"]["value"]
    assert f"<b>{value:.2f}".replace("0.", ".") in shown
    assert [label for label in ("Majority", "Medoid", "Model") if label in shown] == ["Majority", "Medoid", "Model"]
    few = {
        "combined": {"questions": 5, "fewest": 10, "annotators": 3},
        "methods": method_rows(None),
        "study": study_row,
    }
    assert "The study has 5." in render_to_string("chunks/combined.html", few)
    rates = render_to_string("chunks/estimated_rates.html", context)
    error = next(row for row in result["people"] if row["pseudonym"] == "cem")["model_recall_error"]
    assert f"± {error:.3f}".replace("0.", ".") in rates


def test_reports_that_were_stored_before_have_no_gold_pairs(data) -> None:
    stored = columns(study(*data))
    texts = collected(stored)
    assert len(texts.gold_pairs) == GOLD
    assert [len(each.answers) for each in texts.gold_pairs] == [3] * GOLD
    assert texts.asked[0].initial is not None
    assert {link.type for link in texts.asked[0].initial.links} == {"NOALI"}


def test_the_downloads_contain_the_annotations_and_the_probabilities_of_the_model(data) -> None:
    truth = data[1]
    decided = from_pair(truth[0]) | {"log": []}
    exported = read_wa(b"".join(model(study(*data, decisions={"0": decided}), None)), name="alignment.model.wa")
    assert [each.id for each in exported] == [each.id for each in truth[:PAIRS]]
    assert {(one.source, one.target, one.type) for one in exported[0].links} == {
        (one.source, one.target, one.type) for one in truth[0].links
    }
    assert [guideline_faults(each, many_to_many=False) for each in exported] == [[]] * PAIRS
    rows = list(csv.DictReader(b"".join(soft_links(study(*data), None)).decode().splitlines()))
    linked = [row for row in rows if row["source"] and row["target"]]
    assert all(0 <= float(row["model_linked"]) <= 1 for row in linked)
    unanimous = [float(row["model_linked"]) for row in linked if row["share"] == "1.000000"]
    assert min(unanimous) > 0.95
    assert all(0 <= float(row["model_score"]) <= 5 for row in linked)
    assert {row["model_linked"] for row in rows if not (row["source"] and row["target"])} == {""}
    types = dict(part.split(":") for part in linked[0]["model_types"].split())
    assert sum(map(float, types.values())) == pytest.approx(1, abs=0.001)


@pytest.mark.nightly
def test_a_system_is_scored_on_all_annotators_beside_the_final_annotations(data) -> None:
    truth = data[1]
    system = "".join(write_wa(truth[:PAIRS])).encode()
    found = evaluate(study(*data), system, {"name": "system.wa", "seed": 1, "resamples": 20})
    values = {each.name: each.value for each in found.measures}
    assert list(values)[4:] == ["Expected F1 Ali", "Expected F1 Type", "Expected F1 Score", "Expected F1 Typ+Sco"]
    assert values["F1 Ali"] > values["Expected F1 Ali"] > 0.5
    [held_out] = found.baselines
    assert values["Expected F1 Ali"] > held_out.measures[0].value, "the truth is closer than a single annotator"
    as_gold = evaluate(study(*data), system, {"name": "system.wa", "gold": "file"})
    assert (len(as_gold.measures), as_gold.baselines) == (4, [])


class TestCommand:
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path, monkeypatch, data):
        monkeypatch.chdir(tmp_path)
        annotated, truth = data
        for who, name in enumerate(NAMES):
            (tmp_path / f"{name}.wa").write_text("".join(write_wa(each.answers[who] for each in annotated)))
        together = [replace(each.answers[who], status=NAMES[who]) for who in range(3) for each in annotated]
        (tmp_path / "annotations.wa").write_text("".join(write_wa(together)))
        (tmp_path / "gold.wa").write_text("".join(write_wa(truth)))
        return tmp_path

    @staticmethod
    def run(*arguments: str):
        return CliRunner().invoke(main, ["ists", *arguments])

    def aggregate(self, *arguments: str):
        return self.run("aggregate", *arguments, "--version", "2015")

    @pytest.mark.nightly
    def test_one_file_per_annotator_and_the_file_of_a_study_give_the_same_result(self, data) -> None:
        annotated, _ = data
        for method in METHODS:
            files = self.aggregate("anna.wa", "ben.wa", "cem.wa", "--method", method)
            single = self.aggregate("annotations.wa", "--method", method)
            assert files.exit_code == single.exit_code == 0, files.output
            assert files.stdout == single.stdout
            combined = read_wa(files.stdout.encode(), name="out")
            assert [set(each.links) for each in combined] == [
                {replace(one, comment=link.comment) for one in expected.links for link in each.links
                 if (one.source, one.target) == (link.source, link.target)}
                for each, expected in zip(combined, aggregated(annotated, 3, method, many_to_many=False), strict=True)
            ]  # fmt: skip

    @pytest.mark.nightly
    def test_the_tables_of_annotators_and_of_links(self, folder) -> None:
        options = ("--method", "model", "--annotators", "people.csv", "--probabilities", "links.csv", "-o", "model.wa")
        done = self.aggregate("annotations.wa", "--initial", "gold.wa", *options)
        assert done.exit_code == 0, done.output
        people = list(csv.DictReader((folder / "people.csv").read_text().splitlines()))
        assert [row["annotator"] for row in people] == list(NAMES)
        assert (np.diff([float(row["type_accuracy"]) for row in people]) < 0).all()
        links = list(csv.DictReader((folder / "links.csv").read_text().splitlines()))
        assert all(1 <= int(row["drawn"]) <= int(row["annotators"]) == 3 for row in links)
        assert all(0 <= float(row["linked"]) <= 1 for row in links)

    def test_a_system_is_scored_on_all_annotators(self) -> None:
        scored = self.run("score", "anna.wa", "ben.wa", "--annotations", "annotations.wa", "--resamples", "20")
        assert scored.exit_code == 0, scored.output
        assert "expected over the annotators" in scored.stdout
        table = self.run("score", "anna.wa", "ben.wa", "--annotations", "annotations.wa", "--format", "csv")
        assert table.stdout.splitlines()[5].startswith("Expected Ali,")
        assert "--debug" in self.run("score", "anna.wa", "ben.wa", "--annotations", "annotations.wa", "--debug").output

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["anna.wa"], "the status does not contain the name of an annotator"),
            (["anna.wa", "anna.wa"], "You can specify each file only once"),
            (["anna.wa", "ben.wa", "--annotators", "x.csv"], "need --method model"),
            (["anna.wa", "other.wa"], "the sentences differ from those of another annotator"),
            (["anna.wa", "twice.wa"], "token 1 is in two chunks of the same sentence"),
            (["anna.wa", "repeated.wa"], "has already annotated this pair"),
            (["anna.wa", "ben.wa", "--initial", "other.wa"], "the sentences differ from those in the annotations"),
        ],
    )
    def test_bad_input_is_refused_with_a_reason(self, folder, data, arguments, message) -> None:
        first = data[0][0].answers[0]
        (folder / "other.wa").write_text("".join(write_wa([replace(first, source=("x", *first.source[1:]))])))
        doubled = replace(first.links[0], source=(0, 1), target=(), type="NOALI", score=None)
        (folder / "twice.wa").write_text("".join(write_wa([replace(first, links=(*first.links, doubled))])))
        (folder / "repeated.wa").write_text("".join(write_wa([first, first])))
        refused = self.aggregate(*arguments)
        assert refused.exit_code != 0
        assert message in refused.output
