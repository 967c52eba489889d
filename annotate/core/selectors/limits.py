"""The limits on joining a study and claiming HITs, and the explanations shown to people who are too late."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.formats import date_format

from annotate.models import Participation, Study
from annotate.server import clock

from .waiting import people_ahead

ENDED = (Participation.Standing.STOPPED, Participation.Standing.WITHDRAWN)


def claiming_is_over(study: Study) -> bool:
    """Return whether the deadline for starting HITs has passed."""
    return study.claiming_ends_at is not None and study.claiming_ends_at <= clock.now()


def joining_is_over(study: Study) -> bool:
    """Return whether a deadline for joining has passed. After the deadline for starting HITs, nobody can join, because
    new annotators would get no HITs.
    """
    ends_at = joining_ends_at(study)
    return ends_at is not None and ends_at <= clock.now()


def joining_ends_at(study: Study) -> datetime | None:
    """Return the time after which nobody can join, or None if there is no deadline."""
    deadlines = [moment for moment in (study.joining_ends_at, study.claiming_ends_at) if moment]
    return min(deadlines, default=None)


def places_taken(study: Study) -> int:
    """Return the number of annotators who count towards the maximum. Simulated annotators do not count, and stopped or
    withdrawn annotators free their places.
    """
    return study.participations.people().exclude(standing__in=ENDED).count()


def free_places(study: Study) -> int | None:
    """Return the number of free places, or None if the study has no maximum number of annotators."""
    return None if study.annotator_limit is None else max(0, study.annotator_limit - places_taken(study))


def is_full(study: Study, waiting: str = "") -> bool:
    """Return whether there is no free place for a person. `waiting` is the public ID of a person on the waiting list,
    whose free places belong first to the people who are ahead of that person. Without a maximum number of annotators,
    no query is needed.
    """
    free = free_places(study)
    return free is not None and (free == 0 or free <= people_ahead(study, waiting))


def in_time_zone(study: Study, moment: datetime | None) -> str:
    """Return the time as text in the study's time zone and the page's language, including the name of the time zone.
    For None, return an empty string.
    """
    if moment is None:
        return ""
    local = moment.astimezone(ZoneInfo(study.time_zone)).replace(tzinfo=None)
    return f"{date_format(local, 'DATETIME_FORMAT')} ({study.time_zone})"
