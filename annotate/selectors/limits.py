"""The limits on joining a study and on claiming HITs, and the reasons that latecomers see."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.formats import date_format

from annotate import clock
from annotate.models import Participation, Study

ENDED = (Participation.Standing.STOPPED, Participation.Standing.WITHDRAWN)


def claiming_is_over(study: Study) -> bool:
    """Return whether the deadline for starting HITs has passed."""
    return study.claiming_ends_at is not None and study.claiming_ends_at <= clock.now()


def joining_is_over(study: Study) -> bool:
    """Return whether a deadline for joining has passed. After the deadline for starting HITs, nobody can join either,
    because new annotators would get no HITs.
    """
    ends_at = joining_ends_at(study)
    return ends_at is not None and ends_at <= clock.now()


def joining_ends_at(study: Study) -> datetime | None:
    """Return the time after which nobody can join, or None if there is no deadline."""
    deadlines = [moment for moment in (study.joining_ends_at, study.claiming_ends_at) if moment]
    return min(deadlines, default=None)


def places_taken(study: Study) -> int:
    """Return the number of annotators who count towards the maximum. Simulated annotators do not count, and the places
    of stopped and withdrawn annotators are free again.
    """
    return study.participations.people().exclude(standing__in=ENDED).count()


def is_full(study: Study) -> bool:
    """Return whether all places are taken. Without a maximum number of annotators, no query is needed."""
    return study.annotator_limit is not None and places_taken(study) >= study.annotator_limit


def in_time_zone(study: Study, moment: datetime | None) -> str:
    """Return the time as text in the study's time zone and in the language of the page, with the name of the time
    zone. Return an empty string for None.
    """
    if moment is None:
        return ""
    local = moment.astimezone(ZoneInfo(study.time_zone)).replace(tzinfo=None)
    return f"{date_format(local, 'DATETIME_FORMAT')} ({study.time_zone})"
