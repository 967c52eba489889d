"""An open study's pace: recent judgements, judgements by hour of the day, annotators at work, and the expected end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q

from accord_core.numerics.pace import SHORTEST, Forecast, hours_needed
from annotate.core.selectors.counts import Hour
from annotate.core.selectors.pilot import Pilot
from annotate.models import Answer, Assignment, HourCount, Study
from annotate.server import clock

WINDOW = timedelta(days=7)  # the forecast compares the hours of the last seven days
AT_WORK = timedelta(minutes=15)
HOUR = timedelta(hours=1)


@dataclass(frozen=True)
class Finish:
    """The expected end of a study or of its pilot, with the limits of the 90% interval. A time more than a year away is
    replaced with None, and so are both limits in the first five days of work.
    """

    at: datetime | None
    low: datetime | None
    high: datetime | None


@dataclass(frozen=True)
class Pace:
    """The judgements in the last 24 full hours, those in the last seven days by hour of the day (UTC) including the
    current hour, and the expected end. `finish` is None if the end cannot be forecast. If there is not enough data yet,
    `forecast_at` is the time of the first forecast.
    """

    last_day: int
    by_hour: list[int]
    finish: Finish | None
    forecast_at: datetime | None = None

    @property
    def per_hour(self) -> float:
        return self.last_day / 24


def pace_of(study: Study, worked: Sequence[Hour], assignments_left: int, pilot: Pilot | None) -> Pace:
    """Return the pace from the study's `hours`, without queries.

    The forecast counts assignments. During the pilot, it is a forecast for the pilot. A study that is not open has no
    forecast.
    """
    now = clock.now()
    until = now.replace(minute=0, second=0, microsecond=0)
    recent = [hour for hour in worked if until - WINDOW <= hour.at < until]
    by_hour = [0] * 24
    for hour in worked:
        if hour.at > until - WINDOW:
            by_hour[hour.at.hour] += hour.judgements
    left = pilot.assignments - pilot.done if pilot else assignments_left
    expects_end = study.is_open and left > 0
    forecast = hours_needed(_by_hour(worked, until), left) if expects_end else None
    started_at = min((hour.at for hour in worked if hour.judgements or hour.hits), default=None)
    first_forecast = started_at + SHORTEST * HOUR if started_at and expects_end else None
    return Pace(
        last_day=sum(hour.judgements for hour in recent if hour.at >= until - timedelta(hours=24)),
        by_hour=by_hour,
        finish=_finish(now, forecast),
        forecast_at=first_forecast if first_forecast and first_forecast > now else None,
    )


def why_no_end(study: Study, pace: Pace, worked: Sequence[Hour], *, affordable: bool) -> str:
    """Return the reason why the overview of an unfinished open study shows no expected end, or an empty string if the
    overview shows one. `affordable` states whether the budget cap covers all remaining assignments.
    """
    if not affordable:
        return "There is no forecast, because the budget cap does not allow all remaining assignments."
    if pace.finish:
        return ""
    if pace.forecast_at:
        at = f"{pace.forecast_at:%a} {pace.forecast_at.day} {pace.forecast_at:%b, %H:%M} UTC"
        return f"The first forecast will be available on {at}, after {SHORTEST} hours of work."
    if not any(hour.judgements or hour.hits for hour in worked):
        return f"The first forecast will be available {SHORTEST} hours after the first judgement."
    return "There is no forecast, because no assignment was completed in the last seven days."


def _by_hour(worked: Sequence[Hour], until: datetime) -> list[int]:
    """Return the number of assignments completed in each hour since work began or since the start of the window.

    Assignments that no longer count can make a sum negative. Such a sum is 0.
    """
    active = {hour.at: max(0, hour.hits) for hour in worked if hour.judgements or hour.hits}
    if not active:
        return []
    first = max(min(active), until - WINDOW)
    return [active.get(first + HOUR * number, 0) for number in range(int((until - first) / HOUR))]


def _finish(now: datetime, forecast: Forecast | None) -> Finish | None:
    if forecast is None:
        return None
    low, at, high = (
        None if hours is None else now + timedelta(hours=hours)
        for hours in (forecast.low, forecast.expected, forecast.high)
    )
    return Finish(at, low, high)


def annotators_at_work(study: Study) -> int:
    """Return the number of people who have claimed or submitted a HIT, or answered a question, in the last 15 minutes.
    Needs two queries.

    Only open HITs and HITs of annotators with counts in these hours are read, because there is no index on the time of
    an answer or a submission.
    """
    since = clock.now() - AT_WORK
    regular = study.assignments.filter(kind=Assignment.Kind.REGULAR).order_by()
    regular = regular.exclude(participation__in=study.participations.simulated())
    answered = Answer.objects.filter(assignment=OuterRef("pk"), given_at__gte=since)
    held = regular.filter(Q(claimed_at__gte=since) | Exists(answered), state=Assignment.State.LEASED)
    counted = HourCount.objects.filter(study=study, hour__gte=since - HOUR).values("participation")
    submitted = regular.filter(participation__in=counted, submitted_at__gte=since)
    return len({*held.values_list("participation", flat=True), *submitted.values_list("participation", flat=True)})
