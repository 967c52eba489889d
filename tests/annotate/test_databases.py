"""Tests that the triggers of the test databases reject the same changes as in production, even after a test has emptied
the database.
"""

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


def logged() -> Event:
    """Return an event in a new study."""
    study = Study.objects.create(task_type="best-worst", title="T")
    return Event.objects.create(study=study, verb="opened")
