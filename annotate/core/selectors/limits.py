"""The limits on joining a study and on claiming HITs, including the limits for Prolific, and the explanations for
people who are too late.
"""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.formats import date_format

from annotate.core.selectors.waiting import people_ahead
from annotate.models import Annotator, Participation, ProlificSettings, Study
from annotate.server import clock

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
    """Return whether the study is full. `waiting` is the public ID of a person on the waiting list. Free places go
    first to the people ahead of that person. Without a maximum number of annotators, no query is needed.
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


def prolific_settings(study: Study) -> ProlificSettings:
    """Return the study's Prolific settings, or the default settings without completion codes if the study has never
    recruited on Prolific.
    """
    return ProlificSettings.objects.filter(study=study).first() or ProlificSettings(study=study)


def comes_from_prolific(participation: Participation) -> bool:
    """Return whether the annotator joined from Prolific and the study still recruits there."""
    recruits = participation.study.recruitment == Study.Recruitment.PROLIFIC
    return recruits and participation.annotator.platform == Annotator.Platform.PROLIFIC


def first_hit_limit(study: Study) -> int | None:
    """Return the maximum number of HITs that a new annotator can submit, or None if there is no limit. For participants
    from Prolific, this is the maximum for the first submission.
    """
    if study.recruitment != Study.Recruitment.PROLIFIC:
        return study.hits_per_annotator
    return _lower(study.hits_per_annotator, prolific_settings(study).hits_per_submission)


def lasting_hit_limit(study: Study) -> int | None:
    """Return the maximum number of HITs that an annotator can submit, or None if there is no limit. For participants
    from Prolific, this is the maximum for all submissions.
    """
    if study.recruitment != Study.Recruitment.PROLIFIC:
        return study.hits_per_annotator
    settings = prolific_settings(study)
    hits = settings.hits_per_submission
    return _lower(study.hits_per_annotator, hits and hits * settings.submissions_per_participant)


def hit_limit(participation: Participation) -> int | None:
    """Return the maximum number of HITs that the annotator can submit, or None if there is no limit.

    For participants from Prolific, each submission adds a fixed number of HITs.
    """
    limit = participation.study.hits_per_annotator
    if not comes_from_prolific(participation):
        return limit
    per_submission = prolific_settings(participation.study).hits_per_submission
    if per_submission is None:
        return limit
    # Participants who joined before Accord recorded submissions count as having one submission.
    own = per_submission * max(1, participation.prolific_submissions.count())
    return _lower(limit, own)


def _lower(first: int | None, second: int | None) -> int | None:
    """Return the lower of two limits. None means no limit."""
    return min((limit for limit in (first, second) if limit is not None), default=None)
