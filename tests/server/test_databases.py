"""Tests that test databases have the same triggers as in production, even after a test has emptied them, and that
a remaining connection does not prevent their removal.
"""

import secrets
from contextlib import closing
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, connection

from annotate.models import Event, Study
from tests.emptying import empty_tables


@pytest.mark.rules
@pytest.mark.django_db(transaction=True)
def test_emptying_the_database_leaves_its_triggers_in_place() -> None:
    logged()
    empty_tables()
    assert not Event.objects.exists()

    event = logged()
    with pytest.raises(DatabaseError, match="append-only"):
        event.delete()


@pytest.mark.rules
@pytest.mark.django_db(transaction=True)
def test_sqlite_is_a_file_that_threads_share() -> None:
    name = str(connection.settings_dict["NAME"])
    assert connection.vendor == "postgresql" or ("memory" not in name and name.endswith(".sqlite3"))


@pytest.mark.django_db
def test_a_database_in_use_is_removed() -> None:
    name = f"in_use_{secrets.token_hex(6)}"
    with connection.creation._nodb_cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")

    with closing(other_connection(name)) as other:
        other.execute("SELECT 1")
        connection.creation._destroy_test_db(name, verbosity=0)
        with pytest.raises(psycopg.errors.AdminShutdown):
            other.execute("SELECT 1")

    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_database WHERE datname = %s", [name])
        assert cursor.fetchone() == (0,)


def other_connection(database: str) -> psycopg.Connection[Any]:
    """Connect to another database of the same server."""
    return psycopg.connect(**connection.get_connection_params() | {"dbname": database})


def logged() -> Event:
    """Return an event in a new study."""
    study = Study.objects.create(task_type="best-worst", title="T")
    return Event.objects.create(study=study, verb="opened")
