"""Tests of the client's methods against the application itself, without a server between them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from accord_client import Accord, AccordError, Skip, Study, client, operations
from annotate.core.services import jobs
from annotate.core.services.credentials import new_api_token
from annotate.models import Job, User
from annotate.wsgi import application
from tests.factories import UserFactory, do_hit, make_annotator, make_study

pytestmark = pytest.mark.django_db
ITEMS = "id,text\n" + "".join(f"w{n},word {n}\n" for n in range(1, 9))


@pytest.fixture(autouse=True)
def _one_connection(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep requests on the test's database connection. While the client waits, its jobs are carried out."""
    monkeypatch.setattr(client, "time", SimpleNamespace(sleep=lambda seconds: run_jobs()))
    request_started.disconnect(close_old_connections)
    request_finished.disconnect(close_old_connections)
    yield
    request_started.connect(close_old_connections)
    request_finished.connect(close_old_connections)


def run_jobs() -> None:
    for job in Job.objects.filter(state=Job.State.WAITING):
        jobs.run(job.pk)


@pytest.fixture
def accord() -> Accord:
    return connected(UserFactory())


def connected(user: User) -> Accord:
    token = new_api_token(user, "script")[1]
    return Accord("http://localhost", token, transport=httpx.WSGITransport(application))


def first_best(question: Any) -> Any:
    return {"best": 1, "worst": len(question["items"])}


@pytest.fixture
def study(accord: Accord) -> Study:
    return opened(accord)


def opened(accord: Accord, **settings: Any) -> Study:
    study = accord.create_study(title="Words", task_type="bws", judgements=2, gold_block=0, **settings)
    study.import_file("items", ITEMS.encode())
    study.build()
    study.set_state("open")
    return study


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


def test_a_program_answers_and_skips_until_there_are_no_more_hits(study: Study) -> None:
    answered = study.annotate("first", first_best)
    assert answered.why == "nothing"
    assert answered.hits > 0
    assert study.annotate("first", first_best).hits == 0
    values = [answer["value"] for answer in study.answers(programs=True)]
    assert len(values) == len(list(study.questions()))


def test_a_program_can_skip_if_the_study_allows_it(accord: Accord) -> None:
    study = opened(accord, skips=True)
    assert study.annotate("shy", lambda question: Skip("too hard")).hits > 0
    assert {answer.get("skipped") for answer in study.answers(programs=True)} == {"too hard"}


def test_a_program_joins_again_when_its_token_has_expired(study: Study) -> None:
    expired = httpx.Response(401, json={"code": "authentication_failed", "message": "Expired.", "fields": {}})
    lost = [expired]

    class Expiring(httpx.WSGITransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            is_lost = lost and request.url.path.endswith("/submission")
            return lost.pop() if is_lost else super().handle_request(request)

    token = study.accord.session.authorization.removeprefix("Token ")
    program = Accord("http://localhost", token, transport=Expiring(application)).study(study.id)
    assert program.annotate("first", first_best).why == "nothing"
    assert not lost
    assert len({answer["annotator"] for answer in study.answers(programs=True)}) == 1


def test_awaitable_answers_need_the_asynchronous_client(study: Study) -> None:
    async def answer(question: Any) -> Any:
        return first_best(question)

    with pytest.warns(RuntimeWarning, match="never awaited"), pytest.raises(TypeError, match="Use AsyncAccord"):
        study.annotate("first", answer)


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
