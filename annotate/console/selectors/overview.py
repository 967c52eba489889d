"""Figures over time and problems that need attention, as shown on a study's overview page."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate, groupby
from typing import Any

from django.db.models import Sum
from django.utils import timezone

from accord_core.numerics.intervals import wilson_interval, wilson_rank
from annotate.core.selectors.counts import Hour
from annotate.gold.selectors.disputes import disputes_by_question
from annotate.gold.selectors.gold import missed_by_most
from annotate.models import Answer, Event, GoldCount, Job, Participation, Question, Study

WINDOW = 100  # number of gold answers in the moving window
POINTS = 120  # maximum number of points in a line chart
FEW = 10_000  # maximum number of answers that a chart reads individually


@dataclass(frozen=True)
class CountAt:
    at: datetime
    count: int


@dataclass(frozen=True)
class ShareAt:
    """The share of correct gold answers at the time `at`, with its 95% confidence interval."""

    at: datetime
    answers: int
    share: float
    low: float
    high: float


def judgements_over_time(study: Study, worked: Sequence[Hour]) -> list[CountAt]:
    """Return the cumulative number of judgements over time, calculated from the study's `hours`.

    The steps are hours or days. For a study with few judgements, the answers are read in one query, and the steps can
    be seconds or minutes.
    """
    worked = [hour for hour in worked if hour.judgements]
    if not worked:
        return []
    if sum(hour.judgements for hour in worked) > FEW:
        times = [(hour.at, hour.judgements) for hour in worked]
        end = min(worked[-1].at + timedelta(hours=1), timezone.now())
    else:
        times = [(at, 1) for at in _times_given(study)]
        end = times[-1][0]
    start = times[0][0]
    step = _step(end - start)
    points = [CountAt(start, 0)]
    for at, group in groupby(times, key=lambda entry: _truncated(entry[0], step)):
        last = points[-1]
        if at > last.at:
            points.append(CountAt(at, last.count))  # no judgements in between
        points.append(CountAt(min(at + step, end), last.count + sum(number for _, number in group)))
    return points


def _times_given(study: Study) -> list[datetime]:
    counted = Answer.objects.counting().filter(assignment__study=study)
    return [at for at in counted.order_by("given_at").values_list("given_at", flat=True) if at]


def _step(span: timedelta) -> timedelta:
    if span <= timedelta(minutes=10):
        return timedelta(seconds=1)
    if span <= timedelta(hours=6):
        return timedelta(minutes=1)
    return timedelta(hours=1) if span <= timedelta(days=21) else timedelta(days=1)


def _truncated(at: datetime, step: timedelta) -> datetime:
    return at - (at - datetime(2000, 1, 1, tzinfo=UTC)) % step


def gold_over_time(study: Study, worked: Sequence[Hour]) -> list[ShareAt]:
    """Return the share of correct gold answers in a moving window, for up to `POINTS` points in time.

    The window is the last `WINDOW` answers. In a large study, the window is the last full hours with at least as many
    answers.
    """
    if sum(hour.gold_given for hour in worked) > FEW:
        return share_by_hour(worked)
    rows = (
        Answer.objects.filter(
            participation__in=study.participations.annotators(),
            question__in=study.questions.filter(kind=Question.Kind.GOLD),
            tally__isnull=False,
            given_at__isnull=False,  # imported HITs can contain unanswered gold questions
        )
        .order_by("given_at", "pk")
        .values_list("given_at", "passed")
    )
    return moving_share(rows)


def share_by_hour(worked: Iterable[Hour]) -> list[ShareAt]:
    """For each hour, return the share of correct answers in the shortest series of hours up to this one with at least
    `WINDOW` gold answers. The result always includes the last hour.
    """
    window: deque[Hour] = deque()
    answers = right = 0
    points = []
    for hour in worked:
        if not hour.gold_given:
            continue
        window.append(hour)
        answers, right = answers + hour.gold_given, right + hour.gold_right
        while answers - window[0].gold_given >= WINDOW:
            oldest = window.popleft()
            answers, right = answers - oldest.gold_given, right - oldest.gold_right
        interval = wilson_interval(right, answers)
        if interval:
            points.append(ShareAt(hour.at + timedelta(hours=1), answers, right / answers, *interval))
    stride = max(1, -(-len(points) // POINTS))
    return points[(len(points) - 1) % stride :: stride] if points else []


def moving_share(rows: Iterable[tuple[Any, bool | None]]) -> list[ShareAt]:
    """Return the share of correct answers in a moving window that ends at evenly spaced answers. The result always
    includes the last answer.
    """
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
class DoubtfulGold:
    """An active gold question, with the numbers of its answers, of unexpected answers, and of open disputes about the
    expected answer.
    """

    public_id: str
    ref: str
    given: int
    missed: int
    disputes: int

    @property
    def is_missed(self) -> bool:
        """Return whether at least five annotators answered the question and most of them missed it, so that the
        expected answer may be wrong.
        """
        return missed_by_most(self.given, self.missed)


def doubtful_gold(study: Study) -> list[DoubtfulGold]:
    """Return the active gold questions that are disputed or missed by most annotators, ranked by `wilson_rank`.
    Needs one query, and up to two more if there have been disputes.
    """
    rows: Any = (
        GoldCount.objects.filter(question__study=study, question__kind=Question.Kind.GOLD)
        .values_list("question", "question__public_id", "question__ref")
        .annotate(Sum("given"), Sum("missed"), Sum("disputed"))
    )
    disputes = disputes_by_question(study) if any(row[-1] for row in rows) else Counter[int]()
    counted = (
        DoubtfulGold(public_id, ref, given, missed, disputes[pk]) for pk, public_id, ref, given, missed, _ in rows
    )
    doubtful = [gold for gold in counted if gold.is_missed or gold.disputes]
    return sorted(doubtful, key=lambda gold: (-wilson_rank(gold.missed, gold.given), gold.ref))


def stopped_since(study: Study, hours: int = 24) -> list[Event]:
    """Return the log entries about annotators who were stopped recently and are still stopped, newest first. Needs one
    query.
    """
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
    """For each kind of job, return the latest job if it has failed. Needs one query."""
    latest: dict[str, Job] = {}
    for job in study.jobs.order_by("pk"):
        latest[job.kind] = job
    return [job for job in latest.values() if job.state == Job.State.FAILED]
