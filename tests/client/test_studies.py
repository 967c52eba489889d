"""Tests of the client's methods against the application itself, without a server between them."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from accord_client import Accord, AccordError, Study, operations
from annotate.models import User
from tests.client.fixtures import accord, connected, one_connection, study
from tests.factories import do_hit, make_annotator, make_study

__all__ = ["accord", "one_connection", "study"]

pytestmark = pytest.mark.django_db


@pytest.mark.nightly
def test_a_study_from_its_file_to_its_scores(study: Study) -> None:
    states: list[Any] = []
    done = study.simulate(3)
    study.wait(done, states.append)
    assert [job["state"] for job in states] == ["done"]
    progress = study.progress()
    assert progress["judgements"] == progress["judgements_planned"] > 0
    reports: list[Any] = []
    assert study.watch(reports.append) == reports[0]
    assert study.calculate_results()["kind"] == "results"
    scores = study.rows("scores.csv")
    assert {row["item"] for row in scores} == {f"w{n}" for n in range(1, 9)}
    frame = study.frame("scores.csv")
    assert list(frame["item"]) == [row["item"] for row in scores]
    assert [float(row["score"]) for row in scores] == list(frame["score"])
    assert len(study.rows("answers.jsonl")) == progress["judgements"] == len(list(study.answers(page_size=3)))
    assert study.release(creators="Ada Lovelace")[:2] == b"PK"


def test_faulty_files_import_nothing_and_list_all_errors(accord: Accord) -> None:
    study = accord.create_study(title="Words", task_type="bws")
    with pytest.raises(AccordError) as error:
        study.import_file("items", b"id,text\na,one\na,two\nb,\n", filename="words.csv")
    assert error.value.code == "faults"
    assert len(error.value.fields) == 2
    assert "words.csv contains errors" in str(error.value)
    assert "line 4" in str(error.value)
    assert list(accord.rows(operations.items_list(study.id))) == []


def test_a_layout_changes_how_a_table_is_read(accord: Accord) -> None:
    study = accord.create_study(title="Words", task_type="bws")
    upload = study.import_file("items", b"word;number\nsea;1\nsky;2\n", layout={"columns": {"word": "text"}})
    assert upload["rows"] == 2
    assert upload["layout"]
    assert upload["layout"].get("columns") == {"word": "text"}


@pytest.mark.usefixtures("one_connection")
def test_pay_records_the_balances() -> None:
    study = make_study(items=10, gold=4, judgements=2)
    annotator = make_annotator(study)
    do_hit(annotator)
    ours = connected(User.objects.get(memberships__study=study)).study(study.public_id)
    owed = {row["annotator"]: row["owed"] for row in ours.balances()}
    payment = ours.pay("Transfer 1", date(2026, 11, 30))
    assert {entry["annotator"]: entry["amount"] for entry in payment["entries"]} == owed
    assert [float(row["owed"]) for row in ours.balances()] == [0]


def test_decisions_are_recorded(study: Study) -> None:
    study.simulate(3)
    ref = next(study.undecided())["question"]
    assert study.decide(ref, keep_both=True, note="Both fit.")["keep_both"] is True
    assert [decision["question"] for decision in study.decisions()] == [ref]


def test_a_change_of_an_old_version_is_rejected(accord: Accord, study: Study) -> None:
    _, etag = accord.with_etag(operations.studies_retrieve(study.id))
    study.change({"title": "Words 2"}, if_match=etag)
    with pytest.raises(AccordError) as error:
        study.change({"title": "Words 3"}, if_match=etag)
    assert (error.value.status, error.value.code) == (412, "changed")


def test_only_tables_have_rows(study: Study) -> None:
    with pytest.raises(AccordError, match="does not exist"):
        study.rows("nothing.csv")
