"""Work on a file in a process of its own with a memory limit, so that a large file cannot take the server down.

    summary = run_in_child(1 << 30, summarise, task, data, filename)

The function and its arguments are pickled; it must not use the database or Django.
"""

from __future__ import annotations

import os
import pickle
import resource
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
ROOT = Path(__file__).resolve().parent.parent

_one_child = threading.Lock()  # of this server process: as many children would multiply the limit


class OutOfMemory(Exception):
    """The work needed more memory than its limit."""


def run_in_child(
    memory: int, work: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs
) -> Result:
    """What `work(*arguments, **named)` returns or raises, in a process with at most `memory` bytes of address space.

    One such process runs at a time. Raises OutOfMemory if the limit is reached.
    """
    call = pickle.dumps((memory, work, arguments, named))
    # One thread each: OpenBLAS reserves address space for every thread.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    with _one_child:
        child = subprocess.run(
            [sys.executable, "-m", "annotate.bounded"], input=call, stdout=subprocess.PIPE, cwd=ROOT, env=environment,
            check=False,
        )  # fmt: skip
    if child.returncode != 0:  # the interpreter itself could not go on, or the system ended it
        raise OutOfMemory
    outcome, value = pickle.loads(child.stdout)  # noqa: S301 - written by our own process
    if outcome == "out of memory":
        raise OutOfMemory
    if outcome == "raised":
        raise value
    return cast(Result, value)


def _main() -> None:
    memory, work, arguments, named = pickle.load(sys.stdin.buffer)  # noqa: S301 - written by our own process
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the work prints is no answer
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    answers.write(_outcome(work, arguments, named))
    answers.close()


def _outcome(work: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> bytes:
    try:
        return pickle.dumps(("returned", work(*arguments, **named)))
    except MemoryError:
        return pickle.dumps(("out of memory", None))
    except Exception as error:  # noqa: BLE001 - raised again by the process that asked
        return pickle.dumps(("raised", error))


if __name__ == "__main__":
    _main()
