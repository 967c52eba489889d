"""Archived studies cannot be changed: every write is refused with the same error.

The log refuses entries about an archived study, and with the entry the deed, which is in the same transaction.
Services that log nothing ask here themselves. Personal data can still be removed.

On PostgreSQL, writes share a lock on the row of the study (`FOR KEY SHARE`, as foreign keys do) until they end, and
archiving takes the one lock that excludes it (`FOR UPDATE`). Archiving therefore waits for open writes, and later
writes wait for archiving and are then refused. SQLite has only one writer at a time.
"""

from __future__ import annotations

from django.db import connection
from django.db.models.expressions import Combinable, F, RawSQL

from annotate.models import Study
from annotate.refusals import Refused

# What may happen to an archived study; archiving itself is logged after it has happened.
STILL_POSSIBLE = frozenset([Study.State.ARCHIVED.value, "erased person", "removed personal data"])


def refuse_archived(study: Study) -> None:
    """Raise `Refused` (`archived`) if the study, as it was loaded, is archived."""
    if study.state == Study.State.ARCHIVED:
        raise Refused("archived", "This study is archived, so it cannot be changed.")


def refuse_if_archived(study_id: int) -> None:
    """Raise `Refused` if the study is archived, and prevent it from being archived until the transaction ends."""
    locked = "FOR KEY SHARE" if connection.vendor == "postgresql" else ""
    for study in Study.objects.raw(f"SELECT id, state FROM annotate_study WHERE id = %s {locked}", [study_id]):  # noqa: S608
        refuse_archived(study)


def shared_state() -> Combinable:
    """An expression for the state of a participation's study, which also locks the study against archiving."""
    if connection.vendor != "postgresql":
        return F("study__state")
    return RawSQL(
        "(SELECT s.state FROM annotate_study s WHERE s.id = annotate_participation.study_id FOR KEY SHARE)", []
    )
