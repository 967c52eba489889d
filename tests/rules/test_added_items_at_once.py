"""Rule: adding items to an open study, and undoing the addition, never deadlocks with the work of annotators."""

import threading
import time
from typing import Any

import pytest
from django.db import connection

from annotate.core.permissions import SYSTEM
from annotate.core.services import slots
from annotate.core.services.returns import return_hit
from annotate.data.services.extension import add_items, undo_extension
from annotate.data.services.imports import import_file
from annotate.models import Study
from annotate.server.refusals import Refused
from tests.factories import make_annotator, make_study, take

pytestmark = [pytest.mark.rules, pytest.mark.django_db(transaction=True)]


def add_three_items(study: Study) -> None:
    data = "id,text\n" + "".join(f"new-{n},A boat {n}.\n" for n in range(3))
    import_file(study, purpose="items", filename="more.csv", data=data.encode(), user=SYSTEM)
    add_items(study.pk, user=SYSTEM)


def wait_for_waiting_transaction() -> None:
    """Wait until another transaction waits for a lock. On SQLite, writers wait outside the database."""
    end = time.monotonic() + 10
    while connection.vendor == "postgresql" and time.monotonic() < end:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
            )
            if cursor.fetchone()[0]:
                return
        time.sleep(0.02)


def test_an_undone_addition_waits_for_a_hit_that_is_being_returned(at_once: Any, monkeypatch: pytest.MonkeyPatch):
    study = make_study(items=8, judgements=1)
    study.slots.update(open=0)
    add_three_items(study)
    annotator = make_annotator(study)
    claimed = take(annotator)
    slot_is_locked = threading.Event()
    note_opened_slots = slots.note_opened_slots

    def increase_supply_later(returned_to: Study) -> None:
        slot_is_locked.set()
        wait_for_waiting_transaction()
        note_opened_slots(returned_to)

    monkeypatch.setattr(slots, "note_opened_slots", increase_supply_later)

    def undo() -> str:
        assert slot_is_locked.wait(30)
        with pytest.raises(Refused) as refusal:
            undo_extension(study.pk, user=SYSTEM)
        return refusal.value.code

    codes = at_once([lambda: return_hit(annotator.pk, claimed.public_id), undo])
    assert codes == [None, "claimed"]
