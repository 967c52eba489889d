"""Tests of the log lines and of `/readyz` during outages of the database."""

import logging

import psycopg
import pytest
from django.core.cache import cache
from django.db import OperationalError

from annotate.server import outages
from annotate.server.database_errors import BUSY, DISK_FULL, SILENT, STARTING, TOO_MANY, UNREACHABLE, cause_of, state_of
from annotate.server.postgres.server import NotResponding


def django_error(driver: psycopg.Error) -> OperationalError:
    """Return the error as Django raises it."""
    error = OperationalError(*driver.args)
    error.__cause__ = driver
    return error


@pytest.mark.parametrize(
    ("driver", "state"),
    [
        (psycopg.errors.DiskFull("could not extend file: No space left on device"), DISK_FULL),
        (psycopg.errors.TooManyConnections("sorry"), TOO_MANY),
        (psycopg.errors.CannotConnectNow("the database system is starting up"), STARTING),
        (psycopg.errors.LockNotAvailable("canceling statement due to lock timeout"), BUSY),
        (psycopg.OperationalError("connection failed: Connection refused"), UNREACHABLE),
        (NotResponding("PostgreSQL does not respond"), SILENT),
    ],
)
def test_the_state_is_the_cause_that_the_driver_reports(driver: psycopg.Error, state: str) -> None:
    assert state_of(django_error(driver)) == state


def test_the_cause_does_not_quote_stored_values() -> None:
    driver = psycopg.errors.DiskFull("could not extend file\nDETAIL: the answer was 42")
    assert cause_of(django_error(driver)) == "could not extend file"


def test_an_outage_is_one_line_at_its_start_and_one_at_its_end(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    outage, now = outages.Outage(), [1000.0]
    monkeypatch.setattr(outages.time, "monotonic", lambda: now[0])
    refused = django_error(psycopg.OperationalError("Connection refused"))
    with caplog.at_level(logging.WARNING):
        for _ in range(50):
            outage.failed(refused)
            now[0] += 0.5
        outage.succeeded(wrote=False)  # too soon after the last error
        assert len(caplog.records) == 1
        now[0] += outages.QUIET
        outage.succeeded(wrote=False)
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]
    assert "Connection refused" in caplog.text


def test_a_full_disk_is_not_over_until_a_write_succeeds(monkeypatch: pytest.MonkeyPatch) -> None:
    outage, now = outages.Outage(), [1000.0]
    monkeypatch.setattr(outages.time, "monotonic", lambda: now[0])
    outage.failed(django_error(psycopg.errors.DiskFull("could not extend file")))
    now[0] += 2 * outages.QUIET
    assert outages.refused_write() == DISK_FULL
    outage.succeeded(wrote=False)
    assert outage.is_ongoing
    outage.succeeded(wrote=True)
    assert not outage.is_ongoing
    assert outages.refused_write() is None
    cache.clear()
