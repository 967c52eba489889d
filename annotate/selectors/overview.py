"""What the overview of a study shows beside its progress: figures over time, and what needs somebody."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Any

from django.db.models import Count, F, Max, Min, Q
from django.db.models.functions import TruncDay, TruncHour, TruncMinute, TruncSecond
from django.utils import timezone

from annotate.models import Annotator, Answer, Assignment, Event, Job, Participation, Question, Study
from annotate.numerics.intervals import wilson_interval

WINDOW = 100  # gold answers that the moving share looks back on
POINTS = 120  # in a line of a chart
FEWEST_ON_GOLD = 5  # answers before a gold question is said to be missed by most


@dataclass(frozen=True)
class CountAt:
    at: datetime
    count: int


@dataclass(frozen=True)
class ShareAt:
    """A share of the gold answers up to `at`, with its 95 % interval."""

    at: datetime
    answers: int
    share: float
    low: float
    high: float


def judgements_over_time(study: Study) -> list[CountAt]:
    """Cumulative counted judgements, by second, minute, hour or day as the time they span asks for; two queries."""
    counted = Answer.objects.filter(
        assignment__study=study,
        assignment__state=Assignment.State.DONE,
        assignment__kind=Assignment.Kind.REGULAR,
        question__kind=Question.Kind.REGULAR,
        repeat=False,
        given_at__isnull=False,
    )
    ends = counted.aggregate(first=Min("given_at"), last=Max("given_at"))
    if ends["first"] is None:
        return []
    truncate, step = _grain(ends["last"] - ends["first"])
    rows = counted.annotate(at=truncate("given_at")).values_list("at").annotate(Count("pk")).order_by("at")
    points = [CountAt(ends["first"], 0)]
    for at, count in rows:
        last = points[-1]
        if at > last.at:
            points.append(CountAt(at, last.count))  # nothing came in between
        points.append(CountAt(min(at + step, ends["last"]), last.count + count))
    return points


def _grain(span: timedelta) -> tuple[type[TruncSecond | TruncMinute | TruncHour | TruncDay], timedelta]:
    if span <= timedelta(minutes=10):
        return TruncSecond, timedelta(seconds=1)
    if span <= timedelta(hours=6):
        return TruncMinute, timedelta(minutes=1)
    if span <= timedelta(days=21):
        return TruncHour, timedelta(hours=1)
    return TruncDay, timedelta(days=1)


def gold_over_time(study: Study) -> list[ShareAt]:
    """Share of the last `WINDOW` gold answers that were as expected, at `POINTS` moments at most; one query."""
    rows = (
        Answer.objects.filter(
            participation__study=study, question__kind=Question.Kind.GOLD, tally__isnull=False, given_at__isnull=False
        )
        .exclude(participation__annotator__platform=Annotator.Platform.TRY)
        .order_by("given_at", "pk")
        .values_list("given_at", "passed")
    )
    return moving_share(rows)


def moving_share(rows: Iterable[tuple[Any, bool | None]]) -> list[ShareAt]:
    """The share over a moving window, thinned evenly; the last answer is always among the points."""
    answers = list(rows)
    sums = [0, *accumulate(int(bool(passed)) for _, passed in answers)]
    fewest = min(10, len(answers))
    places = range(fewest, len(answers) + 1) if answers else range(0)
    stride = max(1, -(-len(places) // POINTS))
    chosen = [place for place in places if (len(answers) - place) % stride == 0]
    points = []
    for place in chosen:
        size = min(WINDOW, place)
        right = sums[place] - sums[place - size]
        interval = wilson_interval(right, size)
        if interval:
            points.append(ShareAt(answers[place - 1][0], size, right / size, *interval))
    return points


@dataclass(frozen=True)
class MissedGold:
    public_id: str
    ref: str
    given: int
    missed: int


def missed_gold(study: Study) -> list[MissedGold]:
    """Gold questions that more than half of at least five annotators missed: the key may be wrong. One query."""
    rows = (
        Answer.objects.filter(participation__study=study, question__kind=Question.Kind.GOLD, tally__isnull=False)
        .exclude(participation__annotator__platform=Annotator.Platform.TRY)
        .values("question__public_id", "question__ref")
        .annotate(given=Count("pk"), missed=Count("pk", filter=Q(passed=False)))
        .filter(given__gte=FEWEST_ON_GOLD, missed__gt=F("given") / 2.0)
        .order_by("-missed", "question__ref")
    )
    return [MissedGold(row["question__public_id"], row["question__ref"], row["given"], row["missed"]) for row in rows]


@dataclass(frozen=True)
class Disputed:
    public_id: str
    ref: str
    disputes: int


def disputed_gold(study: Study) -> list[Disputed]:
    """Gold questions whose expected answer annotators see differently; set aside ones are settled. One query."""
    rows = (
        Answer.objects.filter(participation__study=study, question__kind=Question.Kind.GOLD, disputed=True)
        .values("question__public_id", "question__ref")
        .annotate(disputes=Count("pk"))
        .order_by("-disputes", "question__ref")
    )
    return [Disputed(row["question__public_id"], row["question__ref"], row["disputes"]) for row in rows]


def stopped_since(study: Study, hours: int = 24) -> list[Event]:
    """The stops of the last hours that still stand, newest first. One query."""
    return list(
        study.events.filter(
            verb="stopped",
            at__gte=timezone.now() - timedelta(hours=hours),
            participation__standing=Participation.Standing.STOPPED,
        )
        .select_related("participation")
        .order_by("-at")
    )


def failed_jobs(study: Study) -> list[Job]:
    """The latest job of each kind, where it failed. One query."""
    latest: dict[str, Job] = {}
    for job in study.jobs.order_by("pk"):
        latest[job.kind] = job
    return [job for job in latest.values() if job.state == Job.State.FAILED]
