"""Archived studies do not change: every write in one is refused with the same error.

The log refuses entries about an archived study, and with the entry the deed, which is in the same transaction.
Services that log nothing ask here themselves. Personal data can still be removed.
"""

from __future__ import annotations

from annotate.models import Study
from annotate.refusals import Refused

# What may happen to an archived study; archiving itself is logged after it has happened.
STILL_POSSIBLE = frozenset([Study.State.ARCHIVED.value, "erased person", "removed personal data"])


def refuse_archived(study: Study) -> None:
    """Raise `Refused` (`archived`) if the study, as it was loaded, is archived."""
    if study.state == Study.State.ARCHIVED:
        raise Refused("archived", "This study is archived, so it cannot be changed.")


def refuse_if_archived(study_id: int) -> None:
    """The same by the study's present state in the database."""
    for study in Study.objects.only("state").filter(pk=study_id, state=Study.State.ARCHIVED):
        refuse_archived(study)
