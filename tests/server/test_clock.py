"""Tests that leases, tokens and recorded times use the clock of the database, even if the clock of the process is
wrong.
"""

import time

import pytest
from django.db import connection

from annotate.core.services.credentials import participation_token, read_participation_token
from annotate.server import clock
from annotate.server.refusals import Refused
from tests.factories import make_annotator, make_study

pytestmark = pytest.mark.django_db


def test_a_signature_is_valid_for_its_time_only(monkeypatch):
    token = participation_token(make_annotator(make_study()))
    assert read_participation_token(token)
    now = clock.seconds()
    monkeypatch.setattr(clock, "seconds", lambda: now + 13 * 3600)
    with pytest.raises(Refused, match="open for too long"):
        read_participation_token(token)
    for forged in (token[:-1] + ("A" if token[-1] != "A" else "B"), "a", "a:b", "a:-:b", ""):
        with pytest.raises(Refused):
            read_participation_token(forged)


@pytest.mark.parametrize("hours", [13, -13])
def test_a_clock_that_is_set_to_another_time_is_measured_again_and_only_then(
    monkeypatch, hours, django_assert_num_queries
):
    if connection.vendor == "sqlite":
        pytest.fail("SQLite has no clock of its own; script/test runs this test on PostgreSQL")
    right = time.time
    database = clock.DatabaseClock()
    assert abs(database.seconds() - right()) < 5
    with django_assert_num_queries(0):
        database.seconds()
    monkeypatch.setattr(time, "time", lambda: right() + 3600 * hours)
    with django_assert_num_queries(1):
        assert abs(database.seconds() - right()) < 5
        assert abs(database.seconds() - right()) < 5
