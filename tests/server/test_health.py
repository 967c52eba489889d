"""Tests of the health checks for load balancers and monitoring."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client

from annotate.models import installed_triggers
from annotate.server import heartbeat
from annotate.server.pages import health

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_worker() -> None:
    cache.clear()


def test_alive_without_a_database(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "cursor", _unreachable)
    assert client.get("/healthz").json() == {"status": "ok"}


def test_ready_when_everything_is_there(client: Client) -> None:
    heartbeat.beat()
    response = client.get("/readyz?all")
    assert response.status_code == 200
    assert response.json() == {
        "status": "ok",
        "database": "ok",
        "migrations": "ok",
        "redis": "ok",
        "worker": "ok",
    }


def test_not_ready_without_the_database(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "cursor", _unreachable)
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["database"] == "unreachable"


def test_not_ready_while_a_migration_is_missing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    health._all_applied.cache_clear()
    monkeypatch.setattr(health.MigrationExecutor, "migration_plan", lambda *_: ["one that is not applied"])
    response = client.get("/readyz")
    assert (response.status_code, response.json()["migrations"]) == (503, "missing")
    monkeypatch.undo()
    assert client.get("/readyz").json()["migrations"] == "ok"  # without a restart


def test_not_ready_while_a_trigger_is_missing(client: Client) -> None:
    health._all_applied.cache_clear()
    installed_triggers.drop(connection)
    response = client.get("/readyz")
    assert (response.status_code, response.json()["migrations"]) == (503, "missing")


def test_a_missing_worker_takes_no_web_process_out_of_service(client: Client) -> None:
    response = client.get("/readyz")
    assert (response.status_code, response.json()["status"]) == (200, "degraded")
    assert response.json()["worker"] == "not heard from"
    assert client.get("/readyz?all").status_code == 503  # for monitors


def test_redis_that_refuses_is_reported(client: Client, settings: object) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"  # type: ignore[attr-defined]
    response = client.get("/readyz")
    assert (response.status_code, response.json()["redis"]) == (200, "unreachable")


def _unreachable(*_: object) -> None:
    raise OperationalError("connection refused")
