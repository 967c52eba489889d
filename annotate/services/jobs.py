"""Long work. The row is the truth about it; the queue is only a bell, rung best effort and rung again by beat."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from kombu.exceptions import KombuError
from redis.exceptions import RedisError

from annotate import extensions
from annotate.breaker import Breaker
from annotate.models import Job, Report, Study, Upload, User
from annotate.refusals import Refused
from annotate.unavailable import is_unavailable

from . import job_leases
from .archived import refuse_if_archived
from .design import build_design
from .reports import make_report
from .uploads import import_upload, store_preview
from .writing import write

if TYPE_CHECKING:
    from annotate.extensions import Work

log = logging.getLogger(__name__)

BELL_SECONDS = 1.0  # longest wait of a request for the queue
BELL_EXPIRES = 60.0  # seconds; beat has notified workers again by then
_queue = Breaker("The queue of jobs", 5.0)
INTERNAL = "An internal error ended this job. The server log has the details under this job’s ID."


def ask_for(study: Study, kind: str, *, parameters: Mapping[str, Any] | None = None, user: User | None) -> Job:
    """Write down a job and ring for it. The same work waiting or running already is returned as it is.

    Raises `Refused` (`busy`) while other work of this kind is under way for the study.
    """
    if _work_of(kind) is None:
        raise Refused("invalid", f"There is no job {kind}.", status=400)
    slug, wanted = kind.replace(":", "-"), {**(parameters or {}), "work": kind}
    with write():
        refuse_if_archived(study.pk)
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


def preview_job(upload: Upload, *, user: User | None) -> Job:
    """The latest job that reads a large upload, created if needed."""
    kind = f"preview:{upload.public_id}"
    jobs = Job.objects.filter(study=upload.study_id, kind=kind.replace(":", "-"))
    return jobs.order_by("-pk").first() or ask_for(
        upload.study, kind, parameters={"upload": upload.public_id}, user=user
    )


def _unfinished(study: Study, slug: str) -> Job | None:
    return Job.objects.filter(study=study, kind=slug, state__in=[Job.State.WAITING, Job.State.RUNNING]).first()


def ring(job_id: int) -> None:
    """Notify a worker. If the queue is not available or hangs, the job stays in its row, and beat notifies again."""
    _queue.call(lambda: _publish(job_id), otherwise=None, errors=(KombuError, RedisError, OSError))


def _publish(job_id: int) -> None:
    from annotate.celery import app
    from annotate.tasks import run_job

    options = {"socket_timeout": BELL_SECONDS, "socket_connect_timeout": BELL_SECONDS, "max_retries": 0}
    with app.connection_for_write(connect_timeout=BELL_SECONDS, transport_options=options) as connection:
        run_job.apply_async((job_id,), connection=connection, expires=BELL_EXPIRES)


def ring_waiting() -> int:
    """Notify workers of all waiting jobs, and of running jobs whose worker is lost. Returns the number of jobs."""
    job_leases.take_back()
    return _ring_all()


def start_again_after_restart() -> int:
    """Notify workers of all unfinished jobs, because the in-memory queue and its worker do not survive a restart."""
    job_leases.take_back(all_are_lost=True)
    return _ring_all()


def _ring_all() -> int:
    waiting = job_leases.waiting()
    for job_id in waiting:
        ring(job_id)
    return len(waiting)


def run(job_id: int) -> None:
    """Run a waiting job. After a fault of the installation, the job waits again. Any other error fails the job."""
    job = job_leases.take(job_id)
    if job is None:
        return  # another worker has taken the job
    with job_leases.held(job):
        try:
            report = _doing(job.parameters["work"])(job, _reporter(job))
        except Refused as refusal:
            job_leases.finish(job, Job.State.FAILED, error=refusal.message)
        except job_leases.Lost:
            log.warning("job %s was given to another worker, because this one had not renewed its lease", job_id)
        except Exception as error:
            if is_unavailable(error):
                job_leases.interrupt(job, error)
                return
            log.exception("job %s (%s) failed", job.public_id, job.kind)
            job_leases.finish(job, Job.State.FAILED, error=INTERNAL)
            raise
        else:
            job_leases.finish(job, Job.State.DONE, report=report)


def _reporter(job: Job) -> Callable[[float, str], None]:
    """Stores progress at most once per second."""
    last = -1.0

    def say(share: float, message: str) -> None:
        nonlocal last
        if last < 0 or time.monotonic() - last >= 1:
            last = time.monotonic()
            job_leases.report_progress(job, share, message)

    return say


def _import(job: Job, say: Callable[[float, str], None]) -> None:
    upload = Upload.objects.get(study=job.study, public_id=job.parameters["upload"])
    import_upload(upload.pk, user=job.created_by, progress=say)


def _preview(job: Job, say: Callable[[float, str], None]) -> None:
    store_preview(Upload.objects.select_related("study").get(study=job.study, public_id=job.parameters["upload"]))


def _design(job: Job, say: Callable[[float, str], None]) -> Report:
    return build_design(job.study_id, user=job.created_by, progress=say)


def _report(job: Job, say: Callable[[float, str], None]) -> Report:
    parameters = {name: value for name, value in job.parameters.items() if name != "work"}
    kind = job.parameters["work"].partition(":")[2] or "results"
    return make_report(job.study_id, kind=kind, parameters=parameters, user=job.created_by, progress=say)


WORK: dict[str, Work] = {"import": _import, "preview": _preview, "design": _design, "report": _report}


def _work_of(kind: str) -> Work | None:
    """Who does work of this kind: the core, or an application that registered for it."""
    name = kind.partition(":")[0]
    return WORK.get(name) or extensions.work_of(name)


def _doing(kind: str) -> Work:
    work = _work_of(kind)
    if work is None:
        raise Refused("invalid", f"No application that is installed does jobs of the kind {kind}.")
    return work
