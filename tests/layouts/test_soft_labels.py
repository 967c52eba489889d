"""Tests of soft labels in layout studies, and of systems that predict a field."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from django.core.files.uploadedfile import SimpleUploadedFile

from accord_core.exchange.faults import TableError
from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.questions.selectors.data import study_data
from annotate.tasktypes import StudyData
from evaluation.cli.labels import labels as evaluate_labels
from evaluation.selectors.systems import history
from layouts.exports import EXPORTS
from layouts.systems import compare, evaluate
from tests.console_study import browser_of, page_of
from tests.layout_study import layout_study
from tests.markup import markup
from tests.scored_systems import do_jobs, draw_few

pytestmark = pytest.mark.django_db
SETTINGS = {"seed": 1, "resamples": 20, "only": None}
BATCH = "id,text,place\n" + "".join(f"i{n},Sentence {n},Town {n}\n" for n in range(6))


def make_data() -> StudyData:
    study = layout_study(batch=BATCH, judgements=3)
    simulate(study, user=SYSTEM, annotators=4, seed=3)
    return study_data(study)


@pytest.fixture(scope="module")
def data(share: Any) -> StudyData:
    made: StudyData = share(make_data)
    return made


def table(data: StudyData) -> bytes:
    export = next(each for each in EXPORTS if each.filename == "soft-labels.csv")
    return b"".join(export.write(data, None))


def rows(data: StudyData, field: str) -> list[dict[str, str]]:
    found = csv.DictReader(io.StringIO(table(data).decode()))
    return [row for row in found if row["field"] == field]


def shares(data: StudyData, field: str) -> bytes:
    """Return the vote shares of a field as the predictions of a system."""
    lines = [f"{row['item']},{row['label']},{row['share']}\n" for row in rows(data, field)]
    return "".join(["item,label,probability\n", *lines]).encode()


def test_votes_on_each_choice_are_counted_from_the_answers(data: StudyData) -> None:
    items = {question.ref: question.payload["item"] for question in data.questions}
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for answer in data.answers:
        votes[items[answer.ref]][answer.value["fields"]["topic"]] += 1
    topics = rows(data, "topic")
    assert {row["item"] for row in topics} == set(votes) == {f"i{n}" for n in range(6)}
    for row in topics:
        assert int(row["votes"]) == votes[row["item"]][row["label"]]
        assert float(row["share"]) == pytest.approx(int(row["votes"]) / 3, abs=1e-6)
    assert {row["label"] for row in rows(data, "certain")} == {"no", "yes"}
    assert rows(data, "length") == rows(data, "comment") == []


def test_a_system_that_predicts_the_vote_shares_has_no_divergence(data: StudyData) -> None:
    found = evaluate(data, shares(data, "topic"), {**SETTINGS, "name": "shares.csv", "field": "topic"})
    assert [measure.name for measure in found.measures][3:5] == ["Jensen–Shannon divergence", "Manhattan distance"]
    assert [measure.value for measure in found.measures[3:5]] == pytest.approx([0, 0], abs=1e-5)
    one = b"item,label\n" + b"".join(f"i{n},sports\n".encode() for n in range(6))
    both = {**SETTINGS, "names": ["one", "other"], "field": "topic", "permutations": 20}
    assert compare(data, (shares(data, "topic"), one), both)[3].value < 0
    some = evaluate(data, one, {**SETTINGS, "name": "one", "field": "topic", "only": {"i1", "i4"}})
    assert some.own == {"items": 2}


def test_a_field_must_be_chosen_if_there_are_several(data: StudyData) -> None:
    for field, message in (("", "Choose a field. The fields with choices are topic, certain"), ("x", "no field “x”")):
        with pytest.raises(TableError, match=message):
            evaluate(data, b"item,label\n", {**SETTINGS, "name": "f", "field": field})


@pytest.mark.nightly
def test_systems_for_different_fields_are_compared_with_the_baselines_of_their_own_field(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draw_few(monkeypatch)
    study = layout_study(batch=BATCH, judgements=3)
    simulate(study, user=SYSTEM, annotators=4, seed=3)
    client, url = browser_of(study), page_of(study, "x/systems/")
    assert '<option value="topic">topic</option>' in client.get(url).content.decode()

    def upload(name: str, field: str) -> int:
        file = SimpleUploadedFile("system.csv", shares(study_data(study), field or "topic"))
        sent = {"system": name, "file": file, "option_field": field}
        return int(client.post(url, sent).status_code)

    assert upload("none", "") == 422
    assert upload("one", "topic") == 302
    do_jobs(study)
    assert "with 95% bootstrap intervals. Predicted field: topic." in markup(client.get(url))
    assert upload("other", "certain") == 302
    do_jobs(study)
    page = markup(client.get(url))
    assert page.count("Predicted field: topic") == page.count("Predicted field: certain")
    table = history(study)
    values = {row.setting: row.figures for row in table.baselines if row.name == "The votes themselves"}
    assert values.keys() == {"Predicted field: topic", "Predicted field: certain"}
    assert values["Predicted field: topic"] != values["Predicted field: certain"]


def test_the_command_scores_one_field_of_the_download(data: StudyData, tmp_path: Path) -> None:
    gold, system = tmp_path / "soft-labels.csv", tmp_path / "system.csv"
    gold.write_bytes(table(data))
    system.write_bytes(shares(data, "certain"))

    def run(*arguments: str) -> Any:
        return CliRunner().invoke(evaluate_labels, [str(system), str(gold), "--resamples", "0", *arguments])

    found = json.loads(run("--field", "certain", "--json").stdout)
    study = evaluate(data, shares(data, "certain"), {**SETTINGS, "resamples": 0, "name": "f", "field": "certain"})
    assert [each["value"] for each in found["system"].values()] == pytest.approx(
        [measure.value for measure in study.measures], abs=1e-5
    )
    assert "soft labels of the fields topic, certain. Choose one of them with --field" in str(run().exception)
    assert "but not of “length”" in str(run("--field", "length").exception)
    gold.write_text("item,annotator,label\ni0,a,no\n")
    assert "Only files of soft labels can have several fields" in str(run("--field", "certain").exception)
