"""Long work. The row is the truth about it; the queue is only a bell, rung best effort and rung again by beat."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from annotate import extensions
from annotate.models import Job, Report, Study, Upload, User
from annotate.refusals import Refused

from .design import build_design
from .reports import make_report
from .uploads import import_upload
from .writing import write

if TYPE_CHECKING:
    from annotate.extensions import Work

log = logging.getLogger(__name__)

SILENT = timedelta(minutes=10)  # a running job without a sign of life for so long has lost its worker
ATTEMPTS = 3
INTERNAL = "An internal error ended this job. The server log has the details under this job’s ID."


def ask_for(study: Study, kind: str, *, parameters: Mapping[str, Any] | None = None, user: User | None) -> Job:
    """Write down a job and ring for it. The same work waiting or running already is returned as it is.

    Raises `Refused` (`busy`) while other work of this kind is under way for the study.
    """
    if _work_of(kind) is None:
        raise Refused("invalid", f"There is no job {kind}.", status=400)
    slug, wanted = kind.replace(":", "-"), {**(parameters or {}), "work": kind}
    with write():
        job = _unfinished(study, slug)
        if job is None:
            try:
                with transaction.atomic():
                    job = Job.objects.create(study=study, kind=slug, parameters=wanted, created_by=user)
            except IntegrityError:
                job = _unfinished(study, slug)  # somebody asked at the same time
        if job is None or job.parameters != wanted:
            what = kind.partition(":")[0]
            raise Refused("busy", f"Another {what} of this study is under way; ask again when it is done.")
        transaction.on_commit(lambda: ring(job.pk))
    return job


def _unfinished(study: Study, slug: str) -> Job | None:
    return Job.objects.filter(study=study, kind=slug, state__in=[Job.State.WAITING, Job.State.RUNNING]).first()


def ring(job_id: int) -> None:
    """Tell a worker. If the broker is away the row still stands, and beat rings again."""
    from annotate.tasks import run_job

    try:
        run_job.delay(job_id)
    except Exception as error:  # noqa: BLE001 - whatever the broker's client raises, the write has succeeded
        log.warning("job %s waits: the queue cannot be reached (%s)", job_id, error)


def ring_waiting() -> int:
    """Ring for every job that waits, and for running ones whose worker has fallen silent; returns how many."""
    now = timezone.now()
    silent = Q(state=Job.State.RUNNING) & (Q(beat_at__lt=now - SILENT) | Q(beat_at=None))
    with write():
        lost = Job.objects.filter(silent)
        lost.filter(attempts__gte=ATTEMPTS).update(
            state=Job.State.FAILED, finished_at=now, error="The worker disappeared three times while at it."
        )
        Job.objects.filter(silent).update(state=Job.State.WAITING)
    waiting = list(Job.objects.filter(state=Job.State.WAITING).values_list("pk", flat=True))
    for job_id in waiting:
        ring(job_id)
    return len(waiting)


def start_again_after_restart() -> int:
    """With the in-memory queue nothing survives a restart: all unfinished jobs wait again."""
    with write():
        Job.objects.filter(state=Job.State.RUNNING).update(state=Job.State.WAITING)
    return ring_waiting()


def run(job_id: int) -> None:
    """Do a job. One conditional update starts it, so that of several workers one does."""
    with write():
        now = timezone.now()
        started = Job.objects.filter(pk=job_id, state=Job.State.WAITING).update(
            state=Job.State.RUNNING, started_at=now, beat_at=now, attempts=F("attempts") + 1, error="", progress=0
        )
    if not started:
        return  # another worker got there first
    job = Job.objects.select_related("study").get(pk=job_id)
    try:
        report = _doing(job.parameters["work"])(job, _reporter(job_id))
    except Refused as refusal:
        _finish(job, Job.State.FAILED, error=refusal.message)
    except Exception:
        log.exception("job %s (%s) failed", job.public_id, job.kind)
        _finish(job, Job.State.FAILED, error=INTERNAL)
        raise
    else:
        _finish(job, Job.State.DONE, report=report)


def _finish(job: Job, state: str, *, error: str = "", report: Report | None = None) -> None:
    progress: dict[str, float] = {"progress": 1.0} if state == Job.State.DONE else {}
    with write():
        # Not when the job was taken for lost meanwhile and is another worker's now.
        mine = Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, attempts=job.attempts)
        mine.update(state=state, error=error, report=report, finished_at=timezone.now(), **progress)


def _reporter(job_id: int) -> Callable[[float, str], None]:
    """Writes progress at most once a second: a sign of life, not a load."""
    last = timezone.now() - timedelta(seconds=2)

    def say(share: float, message: str) -> None:
        nonlocal last
        now = timezone.now()
        if now - last < timedelta(seconds=1):
            return
        last = now
        with write():
            Job.objects.filter(pk=job_id).update(progress=min(max(share, 0.0), 1.0), message=message[:500], beat_at=now)

    return say


def _import(job: Job, say: Callable[[float, str], None]) -> None:
    upload = Upload.objects.get(study=job.study, public_id=job.parameters["upload"])
    import_upload(upload.pk, user=job.created_by, progress=say)


def _design(job: Job, say: Callable[[float, str], None]) -> Report:
    return build_design(job.study_id, user=job.created_by, progress=say)


def _report(job: Job, say: Callable[[float, str], None]) -> Report:
    parameters = {name: value for name, value in job.parameters.items() if name != "work"}
    kind = job.parameters["work"].partition(":")[2] or "results"
    return make_report(job.study_id, kind=kind, parameters=parameters, user=job.created_by, progress=say)


WORK: dict[str, Work] = {"import": _import, "design": _design, "report": _report}


def _work_of(kind: str) -> Work | None:
    """Who does work of this kind: the core, or an application that registered for it."""
    name = kind.partition(":")[0]
    return WORK.get(name) or extensions.work_of(name)


def _doing(kind: str) -> Work:
    work = _work_of(kind)
    if work is None:
        raise Refused("invalid", f"No application that is installed does jobs of the kind {kind}.")
    return work
