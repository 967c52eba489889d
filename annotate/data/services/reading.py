"""Services that read uploaded files: small files in this process, large ones in a job and a process with limits."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from django.conf import settings

from annotate.core.permissions import Actor
from annotate.core.services.jobs import request_job
from annotate.models import Job, Upload
from annotate.server.bounded import ChildLimits, OutOfMemory, OutOfTime, iterate_in_child, run_in_child
from annotate.server.refusals import Refused

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

BYTES_PER_ROW = 120  # enough for two sentences and an ID


def is_large(size: int) -> bool:
    """Return whether reading a file of `size` bytes needs a separate process, estimated from `ACCORD_ROWS_AT_ONCE`."""
    return size > settings.ROWS_AT_ONCE * BYTES_PER_ROW


def read_bounded(
    name: str, size: int, work: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs
) -> Result:
    """Call `work(*arguments, **named)`, which reads files of `size` bytes in total, and return its result. `name` is
    the name of the files in error messages.

    If the files are large, `work` must not use Django. Raises `Refused` (`memory` or `time`) if `work` exceeds
    `ACCORD_LIMIT_PREVIEW_MEMORY` or `ACCORD_LIMIT_PREVIEW_SECONDS`, and every exception of `work`.
    """
    if not is_large(size):
        return work(*arguments, **named)
    with _limits(name) as limits:
        return run_in_child(limits, work, *arguments, **named)


def iterate_bounded(
    name: str,
    size: int,
    work: Callable[Arguments, Generator[Result]],
    *arguments: Arguments.args,
    **named: Arguments.kwargs,
) -> Generator[Result]:
    """Yield the values of a generator function. The limits of `read_bounded` apply, and only one value is in
    memory at a time.
    """
    if not is_large(size):
        yield from work(*arguments, **named)
        return
    with _limits(name) as limits:
        yield from iterate_in_child(limits, work, *arguments, **named)


@contextmanager
def _limits(name: str) -> Iterator[ChildLimits]:
    limits = ChildLimits(settings.LIMIT_PREVIEW_MEMORY, settings.LIMIT_PREVIEW_SECONDS)
    try:
        yield limits
    except OutOfMemory:
        message = f"Reading {name} requires more than {limits.memory >> 20:,} MiB of memory."
        raise Refused("memory", f"{message} Split the file into smaller files.", status=400) from None
    except OutOfTime:
        message = f"Reading {name} takes more than {limits.seconds:,} seconds of CPU time."
        raise Refused("time", f"{message} Split the file into smaller files.", status=400) from None


def preview_job(upload: Upload, *, user: Actor) -> Job:
    """Return the latest job for reading a large upload. Create a job if there is none, or if the file's layout has
    changed since the latest job.
    """
    kind = f"preview:{upload.public_id}"
    jobs = Job.objects.filter(study=upload.study_id, kind=kind.replace(":", "-"))
    latest = jobs.order_by("-pk").first()
    outdated = latest is not None and latest.state == Job.State.DONE and not upload.preview
    if latest is None or outdated:
        return request_job(upload.study, kind, parameters={"upload": upload.public_id}, user=user)
    return latest
