"""Functions that read uploaded files, either in this process or, if the files are large, in a process with a memory
limit.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from django.conf import settings

from annotate.bounded import OutOfMemory, iterate_in_child, run_in_child
from annotate.refusals import Refused

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

    If the files are large, `work` must not use Django. Raises `Refused` (`memory`) if `work` needs more memory than
    `ACCORD_LIMIT_PREVIEW_MEMORY`, and every exception of `work`.
    """
    if not is_large(size):
        return work(*arguments, **named)
    with _memory_refused(name):
        return run_in_child(settings.LIMIT_PREVIEW_MEMORY, work, *arguments, **named)


def iterate_bounded(
    name: str,
    size: int,
    work: Callable[Arguments, Generator[Result]],
    *arguments: Arguments.args,
    **named: Arguments.kwargs,
) -> Generator[Result]:
    """Yield the values of a generator function. The memory limit of `read_bounded` applies, and only one value is in
    memory at a time.
    """
    if not is_large(size):
        yield from work(*arguments, **named)
        return
    with _memory_refused(name):
        yield from iterate_in_child(settings.LIMIT_PREVIEW_MEMORY, work, *arguments, **named)


@contextmanager
def _memory_refused(name: str) -> Iterator[None]:
    try:
        yield
    except OutOfMemory:
        limit = settings.LIMIT_PREVIEW_MEMORY
        message = f"Reading {name} requires more than {limit >> 20:,} MiB of memory. Split the file into smaller files."
        raise Refused("memory", message, status=400) from None
