"""Tests of results through the API: answers, annotators, reports, jobs, downloads and the audit log."""

from collections.abc import Callable

import pytest

from annotate.models import Study, User
from annotate.results.services import make_report
from annotate.tasks import run_job
from tests.api.conftest import Api, refused
from tests.factories import do_hit, make_annotator, make_study

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(make_shared_study)


@pytest.fixture
def study(shared_study: Study) -> str:
    return f"studies/{shared_study.public_id}"


@pytest.fixture
def user(shared_study: Study, db: None) -> User:
    return User.objects.get(memberships__study=shared_study)


def make_shared_study() -> Study:
    """Create a study in which two annotators have submitted three HITs, and one annotator has missed a gold
    question.
    """
    found = make_study(items=10, gold=4, judgements=2)
    first, second = make_annotator(found), make_annotator(found)
    for who, right in ((first, True), (first, True), (second, False)):
        do_hit(who, right=right)
    return found


def test_answers_come_under_pseudonyms(owner: Api, study: str) -> None:
    rows = owner.get(f"{study}/answers").json()["results"]
    assert len(rows) == 18
    assert {row["kind"] for row in rows} == {"regular", "gold"}
    people = owner.get(f"{study}/annotators").json()["results"]
    assert {row["annotator"] for row in rows} == {row["pseudonym"] for row in people}
    assert [row["tallies"] for row in people] == [{"right": 2, "wrong": 0}, {"right": 0, "wrong": 1}]
    assert all(row["answered_at"].endswith("Z") for row in rows)


def test_stopping_and_restoring(owner: Api, study: str) -> None:
    who = owner.get(f"{study}/annotators").json()["results"][0]["pseudonym"]
    path = f"{study}/annotators/{who}"
    refused(owner.post(f"{path}/restore", {"reason": "A mistake."}), 409, "not-stopped")
    refused(owner.post(f"{path}/stop", {}), 400, "invalid", "reason")
    refused(owner.post(f"{path}/stop", {"reason": "  "}), 400, "invalid", "reason")
    for _ in range(2):
        assert owner.post(f"{path}/stop", {"reason": "Robotic."}).status_code == 204
    states = {row["annotator"]: row["state"] for row in owner.get(f"{study}/answers").json()["results"]}
    assert sorted(states.values()) == ["done", "void"]
    assert owner.post(f"{path}/restore", {"reason": "A mistake."}).json() == {
        "counted": 2,
        "surplus": 0,
        "resumable": 0,
    }
    events = owner.get(f"{study}/events").json()["results"]
    assert [(row["verb"], row["reason"], row["annotator"]) for row in events[:2]] == [
        ("restored", "A mistake.", who),
        ("stopped", "Robotic.", who),
    ]
    refused(owner.post(f"{study}/annotators/nobody/stop", {"reason": "Why."}), 404, "unknown")


def test_an_annotator_needs_a_look_until_the_answers_are_reviewed(owner: Api, study: str) -> None:
    found = Study.objects.get(public_id=study.removeprefix("studies/"))
    who = owner.get(f"{study}/annotators").json()["results"][0]["pseudonym"]
    sign = {"title": "Agreement at chance", "detail": "The agreement is .26.", "p": 1e-9}
    people = [{"pseudonym": who, "agreement": 0.26, "flag": sign, "flags": [sign]}]
    found.reports.create(number=1, kind="results", seed=1, result={"people": people})
    assert owner.get(f"{study}/annotators/needing-a-look").json()["results"] == [
        {"pseudonym": who, "standing": "active", "signs": [sign], "agreement": 0.26, "median_seconds": None}
    ]
    refused(owner.post(f"{study}/annotators/{who}/review", {"text": ""}), 400, "invalid", "text")
    assert owner.post(f"{study}/annotators/{who}/notes", {"text": "Asked by e-mail."}).status_code == 204
    assert owner.get(f"{study}/annotators/needing-a-look").json()["count"] == 1
    assert owner.post(f"{study}/annotators/{who}/review", {"text": "All fine."}).status_code == 204
    assert owner.get(f"{study}/annotators/needing-a-look").json()["count"] == 0
    events = owner.get(f"{study}/events").json()["results"]
    assert [(row["verb"], row["reason"]) for row in events[:2]] == [
        ("reviewed", "All fine."),
        ("noted", "Asked by e-mail."),
    ]


def test_the_answers_of_one_annotator_have_their_figures(owner: Api, study: str) -> None:
    who = owner.get(f"{study}/annotators").json()["results"][0]["pseudonym"]
    third = make_annotator(Study.objects.get(public_id=study.removeprefix("studies/")))
    for _ in range(3):
        do_hit(third)
    rows = owner.get(f"{study}/annotators/{who}/answers").json()["results"]
    assert len(rows) == 12
    assert {row["annotator"] for row in rows} == {who}
    shared = next(row for row in rows if row["others"])
    assert 0 <= shared["agreement"] <= 1
    assert shared["usual_seconds"] == 2.5
    assert {row["reason_not_counted"] for row in rows} == {"", "gold"}
    gold = owner.get(f"{study}/annotators/{who}/answers?show=gold").json()
    assert [row["kind"] for row in gold["results"]] == ["gold"] * gold["count"] == ["gold"] * 2
    refused(owner.get(f"{study}/annotators/{who}/answers?show=all"), 400, "invalid", "show")
    refused(owner.get(f"{study}/annotators/nobody/answers"), 404, "unknown")


def test_excluding_and_including_an_answer(owner: Api, study: str) -> None:
    row = next(row for row in owner.get(f"{study}/answers").json()["results"] if row["kind"] == "regular")
    path = f"{study}/answers/{row['assignment']}/{row['position']}"
    refused(owner.post(f"{path}/include", {"reason": "A mistake."}), 409, "not-excluded")
    refused(owner.post(f"{path}/exclude", {"reason": " "}), 400, "invalid", "reason")
    assert owner.post(f"{path}/exclude", {"reason": "Upside down."}).status_code == 204
    excluded = [row for row in owner.get(f"{study}/answers").json()["results"] if row["excluded"]]
    assert [(each["assignment"], each["position"], each["excluded"]) for each in excluded] == [
        (row["assignment"], row["position"], "Upside down.")
    ]
    assert owner.post(f"{path}/include", {"reason": "A mistake."}).json() == {"withdrawn": True}
    refused(owner.post(f"{study}/answers/none/1/exclude", {"reason": "Why."}), 404, "unknown")


def test_a_report_is_asked_for_and_fetched(owner: Api, study: str) -> None:
    asked = owner.post(f"{study}/reports", {"kind": "results"})
    assert asked.status_code == 202
    job = asked.json()
    assert owner.post(f"{study}/reports", {"kind": "results"}).json()["id"] == job["id"]
    path = f"{study}/jobs/{job['id']}"
    assert owner.get(path).json()["state"] == "waiting"
    from annotate.models import Job

    run_job(Job.objects.get(public_id=job["id"]).pk)
    done = owner.get(path).json()
    assert (done["state"], done["progress"], done["report"]) == ("done", 1.0, {"kind": "results", "number": 1})
    assert owner.get(f"{study}/jobs").json()["results"][0]["id"] == job["id"]
    report = owner.get(f"{study}/reports/results/1").json()
    assert report["result"]["judgements"] == 15
    listed = owner.get(f"{study}/reports").json()["results"]
    assert {"result", "input"}.isdisjoint(listed[0])
    assert [row["kind"] for row in listed] == ["results", "design"]


def test_unknown_reports_and_jobs(owner: Api, study: str) -> None:
    for kind in ("horoscope", "round"):  # a round needs the permission to add judgements
        refused(owner.post(f"{study}/reports", {"kind": kind}), 400, "invalid", "kind")
    refused(owner.get(f"{study}/reports/results/1"), 404, "unknown")
    for path in ("reports/results/x", "reports/results/-1", "reports/results/99999999999999999999", "jobs/x"):
        response = owner.get(f"{study}/{path}")
        assert refused(response, 404, response.json()["code"])["code"] in ("unknown", "not_found")


@pytest.mark.nightly
def test_every_download_can_be_had(owner: Api, study: str, user: User) -> None:
    from annotate.models import Study

    found = Study.objects.get(public_id=study.split("/")[1])
    refused(owner.get(f"{study}/exports/scores.csv"), 409, "no-report")
    make_report(found.pk, kind="results", parameters={}, user=user, progress=lambda share, text: None)
    listed = owner.get(f"{study}/exports").json()
    names = {row["filename"] for row in listed}
    assert {"scores.csv", "tuples.tsv", "annotations.csv", "answers.jsonl"} <= names
    for row in listed:
        response = owner.get(f"{study}/exports/{row['filename']}")
        assert response.status_code == 200, row
        assert response["Content-Type"] == row["content_type"]
        assert response["Content-Disposition"] == f'attachment; filename="{row["filename"]}"'
        assert b"".join(response.streaming_content)
    refused(owner.get(f"{study}/exports/secrets.csv"), 404, "unknown")
