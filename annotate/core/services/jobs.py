"""Services that start and run background jobs. Each job is a row in the database, and the queue only notifies
workers.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from kombu.exceptions import KombuError

from annotate.core.permissions import SYSTEM, Action, Actor, refuse_state, require, researcher
from annotate.models import Job, Study
from annotate.server.breaker import Breaker
from annotate.server.refusals import Refused
from annotate.server.unavailable import is_unavailable
from annotate.tasktypes import extensions
from annotate.tasktypes.extensions import Work

from . import job_leases
from .archived import refuse_archived, refuse_if_archived
from .writing import write

log = logging.getLogger(__name__)

RUN_JOB = "annotate.tasks.run_job"  # services send the task by its name, because tasks import services
NOTIFY_SECONDS = 1.0  # longest time that a request waits for the queue
NOTIFY_EXPIRES = 60.0  # seconds; Celery beat sends another notification before then
_queue = Breaker("The queue of jobs", 5.0)
INTERNAL = "An internal error ended this job. The server log contains the details, under this job’s ID."


def request_job(study: Study, kind: str, *, parameters: Mapping[str, Any] | None = None, user: Actor) -> Job:
    """Create a job and notify a worker, or return the unfinished job for the same work.

    Raises `Refused` with the code `not-allowed`, `state` if the study's state does not allow the work, or `busy` if the
    study has an unfinished job of this kind with other parameters.
    """
    action = work_of(kind).action
    require(study, user, action)
    refuse_archived(study)
    refuse_state(study, action)
    slug, work = kind.replace(":", "-"), {**(parameters or {}), "work": kind}
    with write():
        refuse_if_archived(study.pk)
        job = _unfinished(study, slug)
        if job is None:
            try:
                with transaction.atomic():
                    job = Job.objects.create(study=study, kind=slug, parameters=work, created_by=researcher(user))
            except IntegrityError:
                job = _unfinished(study, slug)  # another request created it at the same time
        if job is None or job.parameters != work:
            name = kind.partition(":")[0]
            raise Refused(
                "busy",
                f"Another {name} job for this study has not finished yet. Try again after that job has finished.",
            )
        transaction.on_commit(lambda: notify_worker(job.pk, kind))
    return job


def _unfinished(study: Study, slug: str) -> Job | None:
    return Job.objects.filter(study=study, kind=slug, state__in=[Job.State.WAITING, Job.State.RUNNING]).first()


def notify_worker(job_id: int, kind: str) -> None:
    """Notify a worker for this kind of job. If the queue is unavailable, the job stays in the database, and Celery beat
    notifies workers later.
    """
    _queue.call(lambda: _publish(job_id, queue_of(kind)), otherwise=None, errors=_queue_errors())


def _queue_errors() -> tuple[type[Exception], ...]:
    if settings.EMBEDDED:
        return KombuError, OSError
    from redis.exceptions import RedisError

    return KombuError, RedisError, OSError


def queue_of(kind: str) -> str:
    """Return the queue for jobs of this kind. Long jobs have a queue of their own."""
    work = _registered(kind)
    return settings.LONG_QUEUE if work and work.is_long else settings.CELERY_TASK_DEFAULT_QUEUE


def _publish(job_id: int, queue: str) -> None:
    from annotate.celery import app

    options = {"socket_timeout": NOTIFY_SECONDS, "socket_connect_timeout": NOTIFY_SECONDS, "max_retries": 0}
    with app.connection_for_write(connect_timeout=NOTIFY_SECONDS, transport_options=options) as connection:
        app.send_task(
            RUN_JOB, (job_id,), connection=connection, queue=queue, expires=NOTIFY_EXPIRES, ignore_result=True
        )


def notify_waiting() -> int:
    """Notify workers of all waiting jobs, and of running jobs whose worker was lost. Return the number of these
    jobs.
    """
    job_leases.take_back()
    return _notify_all()


def start_again_after_restart() -> int:
    """Notify workers of all unfinished jobs, because the in-memory queue and its worker do not survive a restart."""
    job_leases.take_back(all_are_lost=True)
    return _notify_all()


def _notify_all() -> int:
    waiting = job_leases.waiting()
    for job_id, kind in waiting:
        notify_worker(job_id, kind)
    return len(waiting)


def run(job_id: int) -> None:
    """Run a waiting job. After an error in the installation, such as an unavailable database, the job returns to the
    waiting state. After any other error, the job counts as failed.
    """
    job = job_leases.take(job_id)
    if job is None:
        return  # another worker has started the job
    with job_leases.held(job) as lease:
        try:
            work = work_of(job.parameters["work"])
            require(job.study, requester(job), work.action)  # the role may have changed since the request
            report = work.run(job, _reporter(lease))
        except Refused as refusal:
            job_leases.finish(job, Job.State.FAILED, error=refusal.message)
        except job_leases.Lost:
            log.warning("job %s was started by another worker, because this worker had not renewed its lease", job_id)
        except Exception as error:
            if is_unavailable(error):
                job_leases.interrupt(job, error)
                return
            log.exception("job %s (%s) failed", job.public_id, job.kind)
            job_leases.finish(job, Job.State.FAILED, error=INTERNAL)
            raise
        else:
            job_leases.finish(job, Job.State.DONE, report=report)


def _reporter(lease: job_leases.Lease) -> Callable[[float, str], None]:
    """Return a function that stores the job's progress at most once per second, and always its end."""
    last = -1.0

    def report_progress(share: float, message: str) -> None:
        nonlocal last
        if last < 0 or share >= 1 or time.monotonic() - last >= 1:
            last = time.monotonic()
            lease.report_progress(share, message)

    return report_progress


def requester(job: Job) -> Actor:
    """Return the researcher who requested a job. Jobs without a requester run as the system."""
    return job.created_by or SYSTEM


def action_of(job: Job) -> Action | None:
    """Return the action that permits restarting the job, or None if no application runs it."""
    kind = job.parameters.get("work", "")
    work = _registered(kind)
    return work.action if work else None


def work_of(kind: str) -> Work:
    """Return the function that runs jobs of this kind, which a room or an application has registered.

    Raises `Refused` (`invalid`).
    """
    work = _registered(kind)
    if work is None:
        raise Refused("invalid", f"Accord has no jobs of kind “{kind}”.", status=400)
    return work


def _registered(kind: str) -> Work | None:
    name = kind.partition(":")[0]
    return extensions.work_of(name)
