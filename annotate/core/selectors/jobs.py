"""A study's jobs and their reports, the names of job kinds, and figures about the job queue."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, DurationField, ExpressionWrapper, F, Min, QuerySet, Sum, TextField, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Concat, StrIndex, Substr
from django.utils import timezone

from annotate.models import Job, Study
from annotate.tasktypes import extensions

LONGEST_NAME = 20  # Other kinds of jobs do not contain a file ID.
NAMES = {
    "import-items": "Import of items",
    "import-gold": "Import of gold questions",
    "import-practice": "Import of practice questions",
    "copy": "Copy of a study",
    "design": "Design",
    "extension": "Additional items in the design",
    "unopened": "Update of unopened questions",
    "extension-plan": "Cost of additional items",
    "figures": "Agreement per question",
    "links": "E-mails with personal links",
    "integrity": "Integrity indicators",
    "prolific-draft": "Draft on Prolific",
    "prolific-pause": "Pause on Prolific",
    "prolific-submissions": "Submissions from Prolific",
    "prolific-approvals": "Approvals on Prolific",
    "simulate": "Simulated annotators",
    "report-results": "Results",
    "report-progress": "Progress figures",
    "report-round": "Questions of the next round",
}


def jobs_with_reports(study: Study) -> QuerySet[Job]:
    """Return a study's jobs, newest first, with their reports but without the reports' contents."""
    contents = ("report__input", "report__result", "report__people")
    return study.jobs.select_related("created_by", "report").defer(*contents).order_by("-pk")


def job_name(kind: str) -> str:
    """Return the name of a job kind, such as “Import of items” for `import-items`."""
    if kind.startswith("preview-"):
        return "Preview of a file"
    if kind.startswith("prolific-bonuses-"):
        return f"Payment of bonus list {kind.removeprefix('prolific-bonuses-')}"
    if kind.startswith("regrade-"):
        return "Quality rule after a changed expected answer"
    if kind.startswith("results-") and len(kind) > LONGEST_NAME:
        return "Results file of another host"
    return (
        NAMES.get(kind)
        or _of_work(kind, "title")
        or kind.replace("-", " ").replace("_", " ").strip().capitalize()
        or "Job"
    )


def job_page(kind: str) -> str:
    """Return the path below `<study>/` of the page with the result of the job, or an empty string."""
    return _of_work(kind, "page")


def _of_work(kind: str, attribute: str) -> str:
    """Return an attribute of the registered work for jobs of this kind, or an empty string."""
    works = (item for extension in extensions.registered() for item in extension.jobs.items())
    own = (work for name, work in works if kind == name or kind.startswith(f"{name}-"))
    return next(filter(None, (getattr(work, attribute) for work in own)), "")


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
