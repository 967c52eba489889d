"""Clients of the application itself, without a server between them."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from accord_client import Accord, Study, client
from annotate.core.services import jobs
from annotate.core.services.credentials import new_api_token
from annotate.models import Job, User
from annotate.wsgi import application
from tests.factories import UserFactory

ITEMS = "id,text\n" + "".join(f"w{n},word {n}\n" for n in range(1, 9))


@pytest.fixture
def one_connection(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
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
def accord(one_connection: None) -> Accord:
    return connected(UserFactory())


def connected(user: User) -> Accord:
    token = new_api_token(user, "script")[1]
    return Accord("http://localhost", token, transport=httpx.WSGITransport(application))


@pytest.fixture
def study(accord: Accord) -> Study:
    return opened(accord)


def opened(accord: Accord, **settings: Any) -> Study:
    study = accord.create_study(title="Words", task_type="bws", judgements=2, gold_block=0, **settings)
    study.import_file("items", ITEMS.encode())
    study.build()
    study.set_state("open")
    return study
