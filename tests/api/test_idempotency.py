"""Tests that a write request of a researcher that is sent twice with the same key is carried out once."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from annotate.models import IdempotencyKey, Study, Upload, User
from tests.api.conftest import Api, refused
from tests.factories import UserFactory

BODY = {"title": "Relatedness", "task_type": "bws"}


@pytest.mark.django_db
def test_the_same_key_makes_one_study(owner: Api) -> None:
    first, second = (owner.post("studies", BODY, Idempotency_Key="k1") for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert owner.post("studies", BODY, Idempotency_Key="k2").json()["id"] != first.json()["id"]
    assert Study.objects.count() == 2
    for _ in range(2):
        owner.post("studies", BODY)  # without a key, every one counts
    assert Study.objects.count() == 4


@pytest.mark.django_db
def test_another_request_under_the_same_key_is_refused(owner: Api) -> None:
    study = owner.post("studies", BODY, Idempotency_Key="k1").json()["id"]
    refused(owner.post("studies", BODY | {"title": "Other"}, Idempotency_Key="k1"), 422, "key-reused")
    sent = {"purpose": "items", "filename": "i.csv", "content": "id,text\na,b\n"}
    refused(owner.post(f"studies/{study}/uploads", sent, Idempotency_Key="k1"), 422, "key-reused")
    assert Study.objects.count() == 1
    assert not Upload.objects.exists()


@pytest.mark.django_db
def test_uploads_are_taken_once(owner: Api) -> None:
    study = owner.post("studies", BODY).json()["id"]
    sent = {"purpose": "items", "filename": "i.csv", "content": "id,text\na,b\n"}
    first, second = (owner.post(f"studies/{study}/uploads", sent, Idempotency_Key="up") for _ in range(2))
    assert first.json() == second.json()
    assert Upload.objects.count() == 1


@pytest.mark.django_db
def test_a_write_that_failed_may_be_tried_again(owner: Api) -> None:
    refused(
        owner.post("studies", BODY | {"options": {"size": 99}}, Idempotency_Key="k1"), 400, "invalid", "options.size"
    )
    assert owner.post("studies", BODY, Idempotency_Key="k1").status_code == 201


@pytest.mark.django_db
def test_keys_are_each_researchers_own_and_forgotten_after_a_day(owner: Api, script: Any) -> None:
    mine = owner.post("studies", BODY, Idempotency_Key="k1").json()["id"]
    theirs = script(UserFactory()).post("studies", BODY, Idempotency_Key="k1").json()["id"]
    assert mine != theirs
    IdempotencyKey.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert owner.post("studies", BODY | {"title": "Later"}, Idempotency_Key="k1").json()["title"] == "Later"


@pytest.mark.django_db(transaction=True)
def test_at_the_same_moment_there_is_still_one(owner: Api, user: User) -> None:
    together = threading.Barrier(6)

    def send(number: int) -> tuple[int, Any]:
        api = Api(owner.headers["Authorization"])
        try:
            together.wait(30)
            response = api.post("studies", BODY, Idempotency_Key="k1")
            return response.status_code, response.json()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(send, range(6)))
    assert {status for status, _ in answers} == {201}, answers
    assert len({answer["id"] for _, answer in answers}) == 1
    assert Study.objects.count() == 1
