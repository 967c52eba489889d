"""Figures about the job queue, such as the numbers, waiting times and durations of jobs."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, DurationField, ExpressionWrapper, F, Min, Sum, TextField, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Concat, StrIndex, Substr
from django.utils import timezone

from annotate.models import Job


@dataclass(frozen=True)
class JobTime:
    """The number and total duration in seconds of finished jobs of the same kind and outcome."""

    kind: str
    state: str
    count: int
    seconds: float


def unfinished_jobs() -> dict[str, int]:
    """Return the numbers of waiting and running jobs."""
    states = [Job.State.WAITING, Job.State.RUNNING]
    counted = dict(Job.objects.filter(state__in=states).values_list("state").annotate(Count("pk")))
    return {state: counted.get(state, 0) for state in states}


def oldest_waiting_seconds() -> float:
    """Return the age of the oldest waiting job in seconds, or 0 if no job is waiting."""
    oldest = Job.objects.filter(state=Job.State.WAITING).aggregate(at=Min("created_at"))["at"]
    return (timezone.now() - oldest).total_seconds() if oldest else 0.0


def job_times() -> list[JobTime]:
    """Return the numbers and durations of finished jobs by kind and outcome.

    The kind is the name of the work, such as `preview`, without the ID of the file or report that the job is about.
    """
    work = Concat(KeyTextTransform("work", "parameters"), Value(":"), output_field=TextField())
    name = Substr(work, 1, StrIndex(work, Value(":")) - 1)
    took = ExpressionWrapper(F("finished_at") - F("started_at"), output_field=DurationField())
    ended = Job.objects.filter(started_at__isnull=False, finished_at__isnull=False)
    named = ended.annotate(name=name).values_list("name", "state")
    rows = named.annotate(count=Count("pk"), total=Sum(took)).order_by("name", "state")
    return [JobTime(kind, state, count, total.total_seconds()) for kind, state, count, total in rows]
