"""Replies to answers at fixed times, which do not depend on the server's work."""

import time

import pytest
from django.test import Client

from annotate.annotator.api import reply_times
from annotate.core.services.credentials import participation_token
from tests.factories import make_annotator, make_study, raw_answer, take

pytestmark = pytest.mark.django_db


def seconds(work: float) -> float:
    began = time.perf_counter()
    with reply_times.at_fixed_times():
        time.sleep(work)
    return time.perf_counter() - began


def test_work_of_different_lengths_takes_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reply_times, "INTERVAL", 0.1)
    assert [round(seconds(work), 1) for work in (0, 0.02, 0.04)] == [0.1, 0.1, 0.1]
    assert round(seconds(0.12), 1) == 0.2


def test_an_answer_and_a_refusal_take_the_same_time(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reply_times, "INTERVAL", 0.3)
    participation = make_annotator(make_study())
    assignment = take(participation)
    answer = assignment.answers.select_related("question").get(position=1)
    token = {"authorization": f"Participation {participation_token(participation)}"}
    for value, status in (raw_answer(answer), 200), ({}, 400):
        began = time.perf_counter()
        path = f"/api/v1/assignments/{assignment.public_id}/answers/1"
        reply = client.put(path, {"value": value}, content_type="application/json", headers=token)
        assert reply.status_code == status
        assert time.perf_counter() - began >= reply_times.INTERVAL
