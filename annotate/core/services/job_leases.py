"""Leases on jobs. A job's lease determines which worker runs the job, and the database clock decides when it ends.

A thread of the worker renews the lease every few seconds, independently of the job's progress, so that a killed worker
is noticed within `LEASE`. The number of attempts distinguishes holders: a worker that was disconnected for longer than
its lease can no longer change the job. An error in the installation (`annotate.server.unavailable`) does not count as a
failure of the job: the job waits for `REST` and runs again. A job whose worker process ends three times fails.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.db import Error, connection, connections
from django.db.models import F, Q, QuerySet

from annotate.models import Job, Report
from annotate.server.database_errors import cause_of
from annotate.server.unavailable import is_unavailable

from .writing import database_now, write

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=16)
BEAT = 4.0  # seconds between two renewals
REST = timedelta(seconds=10)  # between an interruption and the next attempt
LOSSES = 3  # worker processes that may end during one job
INTERRUPTIONS = 20  # maximum number of interruptions after which a job runs again
PATIENCE = 300.0  # seconds that a worker tries to store a result while the database is away

LOST_TOO_OFTEN = (
    f"The worker process ended {LOSSES} times during this job. The job may need more memory than the machine has."
)
INTERRUPTED_TOO_OFTEN = (
    f"The database failed {INTERRUPTIONS} times during this job. The server log contains the details, under this job’s "
    "ID."
)


class Lost(Exception):
    """Error raised if a lease has ended, because another worker may have started the job."""


def take(job_id: int) -> Job | None:
    """Start a waiting job with one conditional update, so that only one of several workers can start it."""
    with write():
        now = database_now()
        started = Job.objects.filter(pk=job_id, state=Job.State.WAITING).update(
            state=Job.State.RUNNING, started_at=now, beat_at=now, attempts=F("attempts") + 1, error="", progress=0
        )
    return Job.objects.select_related("study").get(pk=job_id) if started else None


class Lease:
    """A worker's lease on a running job. A separate thread renews the lease, using its own connection."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._over, self._wake = threading.Event(), threading.Event()
        self._progress: tuple[float, str] | None = None  # progress that the thread must store

    def report_progress(self, share: float, message: str) -> None:
        """Store the job's progress. Raises `Lost` if the lease has ended.

        During a transaction of the job, the thread stores the progress, because a row that the transaction has changed
        is not visible before its end. On SQLite, the thread waits for the transaction, which is the only writer.
        """
        if connection.in_atomic_block:
            self._progress = share, message
            self._wake.set()
        else:
            self._progress = None
            report_progress(self.job, share, message)

    def renew(self) -> None:
        """Renew the lease and store the latest progress until `end` is called."""
        try:
            while not self._over.is_set():
                self._wake.wait(BEAT)
                self._wake.clear()
                if not self._over.is_set():
                    self._renew_once()
        finally:
            connections.close_all()  # the connections of this thread

    def end(self) -> None:
        """Stop the renewal."""
        self._over.set()
        self._wake.set()

    def _renew_once(self) -> None:
        try:
            with write():
                changes: dict[str, Any] = {"beat_at": database_now()}
                if progress := self._progress:  # read after waiting for the lock, so that it is the latest
                    changes |= _progress(*progress)
                _own(self.job).update(**changes)
        except Error as error:
            log.warning("the lease of job %s was not renewed: %s", self.job.pk, cause_of(error))
            connection.close()  # the next renewal opens a new connection


@contextmanager
def held(job: Job) -> Iterator[Lease]:
    """Renew the job's lease from a separate thread while the block runs."""
    lease = Lease(job)
    thread = threading.Thread(target=lease.renew, name=f"lease-of-job-{job.pk}", daemon=True)
    thread.start()
    try:
        yield lease
    finally:
        lease.end()
        thread.join()


def report_progress(job: Job, share: float, message: str) -> None:
    """Store the job's progress. Raises `Lost` if the lease has ended."""
    with write():
        if not _own(job).update(**_progress(share, message), beat_at=database_now()):
            raise Lost


def _progress(share: float, message: str) -> dict[str, Any]:
    return {"progress": min(max(share, 0.0), 1.0), "message": message[:500]}


def finish(job: Job, state: str, *, error: str = "", report: Report | None = None) -> None:
    """Store a job's outcome, and retry while the database is unavailable. If the job's lease has ended, nothing is
    stored.
    """
    progress: dict[str, float] = {"progress": 1.0} if state == Job.State.DONE else {}
    _patiently(
        lambda: _own(job).update(state=state, error=error, report=report, finished_at=database_now(), **progress)
    )


def interrupt(job: Job, error: BaseException) -> None:
    """Return an interrupted job to the waiting state after an error in the installation."""
    log.warning("job %s (%s) was interrupted: %s", job.public_id, job.kind, cause_of(error))
    if job.interruptions + 1 >= INTERRUPTIONS:
        finish(job, Job.State.FAILED, error=INTERRUPTED_TOO_OFTEN)
    else:
        _patiently(lambda: _release(_own(job), "waiting after a database fault"))


def release_all() -> None:
    """Return running jobs to the waiting state, because their only worker is shutting down."""
    with write():
        _release(Job.objects.filter(state=Job.State.RUNNING), "waiting for the server to restart")


def take_back(*, all_are_lost: bool = False) -> None:
    """Return jobs with an expired lease to the waiting state, and mark jobs as failed if they have lost too many
    workers.
    """
    with write():
        now = database_now()
        lost = Q(state=Job.State.RUNNING)
        if not all_are_lost:
            lost &= Q(beat_at__lt=now - LEASE) | Q(beat_at=None)
        too_often = Job.objects.filter(lost, attempts__gte=F("interruptions") + LOSSES)
        too_often.update(state=Job.State.FAILED, finished_at=now, error=LOST_TOO_OFTEN)
        Job.objects.filter(lost).update(state=Job.State.WAITING, beat_at=None)


def waiting() -> list[tuple[int, str]]:
    """Return the keys and kinds of waiting jobs, except jobs that were interrupted within the last `REST` period."""
    rested = Q(beat_at=None) | Q(beat_at__lt=database_now() - REST)
    jobs = Job.objects.filter(rested, state=Job.State.WAITING).order_by("pk")
    return [(job_id, parameters.get("work", "")) for job_id, parameters in jobs.values_list("pk", "parameters")]


def _own(job: Job) -> QuerySet[Job]:
    return Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, attempts=job.attempts)


def _release(jobs: QuerySet[Job], message: str) -> int:
    return jobs.update(
        state=Job.State.WAITING, beat_at=database_now(), message=message, interruptions=F("interruptions") + 1
    )


def _patiently(store: Callable[[], int]) -> None:
    """Call `store`, and retry while the database is unavailable. After `PATIENCE` seconds, the function raises the last
    error.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with write():
                store()
        except Error as error:
            if not is_unavailable(error) or time.monotonic() > deadline:
                raise
            connection.close_if_unusable_or_obsolete()
            time.sleep(0.5)
        else:
            return
