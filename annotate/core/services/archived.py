"""Functions that reject writes to archived studies, always with the same error.

The log refuses entries about an archived study, which also rolls back the action in the same transaction. Services that
do not write to the log must call this module. Personal data can still be removed, and links to reports can still be
revoked.

On PostgreSQL, writes share a lock on the row of the study (`FOR KEY SHARE`, as foreign keys do) until they end, and
archiving takes the lock that excludes them (`FOR UPDATE`). Archiving therefore waits for open writes. Later writes wait
for archiving and are then refused, until an owner unarchives the study. SQLite has only one writer at a time.
"""

from __future__ import annotations

from django.db import connection
from django.db.models.expressions import Combinable, F, RawSQL
from django.utils.translation import gettext as _

from annotate.models import Study
from annotate.models.event import REMOVED_PERSONAL_DATA
from annotate.server.refusals import Refused

# The log of an archived study accepts only entries with the following verbs. The log entry for the archiving itself is
# written after the state has changed.
REVOKED_REPORT_LINK = "revoked report link"
STILL_POSSIBLE = frozenset([Study.State.ARCHIVED.value, REMOVED_PERSONAL_DATA, REVOKED_REPORT_LINK])


def refuse_archived(study: Study) -> None:
    """Raise `Refused` (`archived`) if the loaded study is archived. The function does not reload the study from the
    database.
    """
    if study.state == Study.State.ARCHIVED:
        raise Refused("archived", _("This study is archived, so it cannot be changed."))


def refuse_if_archived(study_id: int) -> None:
    """Raise `Refused` if the study is archived. If the study is not archived, prevent archiving until the transaction
    ends.
    """
    locked = "FOR KEY SHARE" if connection.vendor == "postgresql" else ""
    for study in Study.objects.raw(f"SELECT id, state FROM annotate_study WHERE id = %s {locked}", [study_id]):  # noqa: S608
        refuse_archived(study)


def shared_state() -> Combinable:
    """Return an expression for the state of a participation's study. On PostgreSQL, reading the state also prevents
    archiving until the transaction ends.
    """
    if connection.vendor != "postgresql":
        return F("study__state")
    return RawSQL(
        "(SELECT s.state FROM annotate_study s WHERE s.id = annotate_participation.study_id FOR KEY SHARE)", []
    )
