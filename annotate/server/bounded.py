"""Functions that process a file in a child process with limits on memory and CPU time, so that a large file can neither
crash nor block the server.

    summary = run_in_child(ChildLimits(memory=1 << 30, seconds=60), summarise, task, data, filename)

The function and its arguments are pickled. The function must not use the database or Django.
"""

from __future__ import annotations

import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple, ParamSpec, TypeVar, cast

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
ROOT = Path(__file__).resolve().parents[2]

_one_child = threading.Lock()  # per server process: several children at the same time would multiply the limit


class OutOfMemory(Exception):
    """Error raised if the work exceeds its memory limit."""


class OutOfTime(Exception):
    """Error raised if the work exceeds its limit on CPU time."""


class ChildLimits(NamedTuple):
    """The limits of a child process: its address space in bytes, and its CPU time in seconds."""

    memory: int
    seconds: int


def run_in_child(
    limits: ChildLimits, work: Callable[Arguments, Result], /, *arguments: Arguments.args, **named: Arguments.kwargs
) -> Result:
    """Run `work` with its arguments in a process with these limits, and return the result.

    Only one such process runs at a time. Raises `OutOfMemory` or `OutOfTime` at a limit, and every exception of `work`.
    """
    value, *_ = _values(limits, work, arguments, named)
    return cast(Result, value)


def iterate_in_child(
    limits: ChildLimits,
    work: Callable[Arguments, Iterator[Result]],
    /,
    *arguments: Arguments.args,
    **named: Arguments.kwargs,
) -> Generator[Result]:
    """Run a generator in a child process and yield its values one by one, so that the values are never all in memory.

    The process ends with the iteration. Close the generator if you stop early.
    """
    yield from _values(limits, work, arguments, named)


def _values(
    limits: ChildLimits, work: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]
) -> Generator[Any]:
    # Each process uses one thread, because OpenBLAS reserves address space for every thread.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "annotate.server.bounded"]
    with (
        _one_child,
        subprocess.Popen(  # noqa: S603 - our own module
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=environment
        ) as child,
    ):
        assert child.stdin  # noqa: S101 - for the type checker
        assert child.stdout  # noqa: S101
        try:
            pickle.dump((limits, work, arguments, named), child.stdin)
            child.stdin.close()
            while True:
                outcome, value = _next(child.stdout)
                if outcome == "end":
                    return
                if outcome == "failed":  # the interpreter failed, or the system killed it
                    raise OutOfTime if child.wait() == -signal.SIGXCPU else OutOfMemory
                if outcome == "out of memory":
                    raise OutOfMemory
                if outcome == "raised":
                    raise value
                yield value
        finally:
            child.kill()


def _next(stream: IO[bytes]) -> tuple[str, Any]:
    try:
        return cast("tuple[str, Any]", pickle.load(stream))  # noqa: S301 - written by our own process
    except (EOFError, pickle.UnpicklingError):
        return "failed", None


def _main() -> None:
    limits, work, arguments, named = pickle.load(sys.stdin.buffer)  # noqa: S301 - written by our own process
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of the work must not mix with the result
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
    resource.setrlimit(resource.RLIMIT_CPU, (limits.seconds, limits.seconds + 1))  # SIGXCPU at the first limit
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # SIGXCPU would write the memory to a file
    for outcome in _outcomes(work, arguments, named):
        answers.write(outcome)
    answers.close()


def _outcomes(work: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> Iterator[bytes]:
    try:
        result = work(*arguments, **named)
        for value in result if isinstance(result, Generator) else [result]:
            yield pickle.dumps(("value", value))
        yield pickle.dumps(("end", None))
    except MemoryError:
        yield pickle.dumps(("out of memory", None))
    except Exception as error:  # noqa: BLE001 - raised again in the parent process
        yield pickle.dumps(("raised", error))


if __name__ == "__main__":
    _main()
