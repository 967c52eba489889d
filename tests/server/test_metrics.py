"""Tests of the metrics for Prometheus: counts of requests, claims, submissions and rejections, and figures
about jobs.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from annotate.core.services.credentials import participation_token
from annotate.models import Job
from tests import factories

pytestmark = pytest.mark.django_db
TOKEN = "a token for Prometheus"


@pytest.fixture(autouse=True)
def _token(settings: object) -> None:
    settings.METRICS_TOKEN = TOKEN  # type: ignore[attr-defined]


def test_metrics_need_their_token(client: Client, settings: object) -> None:
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"authorization": "Bearer another"}).status_code == 404
    settings.METRICS_TOKEN = ""  # type: ignore[attr-defined]
    assert client.get("/metrics", headers={"authorization": "Bearer "}).status_code == 404


@pytest.mark.nightly
def test_requests_are_counted_by_route(client: Client) -> None:
    labels = {"route": "healthz", "method": "GET", "status": "200"}
    before = _value(client, "accord_request_seconds_count", **labels)
    client.get("/healthz?secret=1")
    assert _value(client, "accord_request_seconds_count", **labels) == before + 1


@pytest.mark.nightly
def test_database_time_is_measured(client: Client) -> None:
    before = _value(client, "accord_database_queries_total")
    client.get("/readyz")
    assert _value(client, "accord_database_queries_total") > before


@pytest.mark.nightly
def test_claims_submissions_and_refusals_are_counted(client: Client) -> None:
    annotator = factories.make_annotator(factories.make_study())
    key = {"authorization": f"Participation {participation_token(annotator)}"}
    counted = (
        ("accord_claims_total", {"outcome": "leased"}),
        ("accord_submissions_total", {"state": "done"}),
        ("accord_refusals_total", {"code": "incomplete"}),
    )
    before = [_value(client, name, **labels) for name, labels in counted]
    assignment = client.post("/api/v1/claims", headers=key).json()["assignment"]
    path = f"/api/v1/assignments/{assignment['id']}/submission"
    assert client.post(path, {"answers": []}, "application/json", headers=key).status_code == 409
    answers = [{"position": q["position"], "value": {"best": 1, "worst": 2}} for q in assignment["questions"]]
    assert client.post(path, {"answers": answers}, "application/json", headers=key).status_code == 200
    assert [_value(client, name, **labels) for name, labels in counted] == [count + 1 for count in before]


@pytest.mark.nightly
def test_length_and_age_of_the_queue(client: Client) -> None:
    study = factories.make_study()
    assert _value(client, "accord_job_age_seconds") == 0
    job = Job.objects.create(study=study, kind="design")
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(minutes=5))
    assert _value(client, "accord_jobs", state="waiting") == 1
    assert 299 < _value(client, "accord_job_age_seconds") < 400


@pytest.mark.nightly
def test_seconds_of_jobs_by_kind_and_outcome(client: Client) -> None:
    study, now = factories.make_study(), timezone.now()
    Job.objects.create(
        study=study,
        kind="design",
        parameters={"work": "design"},
        state=Job.State.DONE,
        started_at=now,
        finished_at=now + timedelta(seconds=7),
    )
    assert _value(client, "accord_job_seconds_sum", kind="design", state="done") == 7
    assert _value(client, "accord_job_seconds_count", kind="design", state="done") == 1


@pytest.mark.nightly
def test_ids_and_words_of_clients_are_not_labels(client: Client) -> None:
    """Each combination of labels needs memory and is stored by Prometheus, so their number must be limited."""
    study, now = factories.make_study(), timezone.now()
    for upload in ("gUIx6PHNT2qn", "x7c9Rk2LmNop"):
        Job.objects.create(
            study=study,
            kind=f"preview-{upload}",
            parameters={"work": f"preview:{upload}"},
            state=Job.State.DONE,
            started_at=now,
            finished_at=now + timedelta(seconds=2),
        )
    client.generic("MADE-UP-METHOD", "/join/made-up-token/")
    text = client.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"}).content.decode()
    assert _value(client, "accord_job_seconds_count", kind="preview", state="done") == 2
    assert not [word for word in ("gUIx6PHNT2qn", "x7c9Rk2LmNop", "MADE-UP", "made-up") if word in text]


def _value(client: Client, name: str, **labels: str) -> float:
    text = client.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"}).content.decode()
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.name == name and sample.labels == labels:
                return sample.value
    return 0.0
