# ruff: noqa: T201 (a command; what it prints is its result)
"""The main program of `script/walks`, which follows requests and jobs through the code of Accord.

A *walk* lists the functions of this project that a request or job calls, each once, in the order of their first calls.
A reader who follows the request meets them in this order. The walk begins with the page, operation or job in its room,
and ends with the view. Middleware, sign-in and access run before and after it. They are the same for all requests of
a kind and have rows of their own. A walk contains neither Django nor libraries. Comprehensions and lambdas belong to
the functions that contain them. A generator counts once, when it first runs.

A *room* is a folder of `annotate/` with a topic, a task type, or `evaluation`, `reporting` or `releases`. The folders
in `SHARED` are not rooms, because all rooms use them as they use Django: a reader looks a function up there. Their
functions and files count, but not as rooms. The same holds for files that are directly in `annotate/`, such as the
URLs, and for the parts of `core` in `FRAME`, which surround every write and every job: permissions, the transaction,
the log and the queue of jobs.

A *return* is a step of the walk into a room that the walk has left before. The table also shows the returns to all
folders, including `SHARED` and with all of `core` as one folder.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from inspect import CO_NEWLOCALS
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import django
from django.core.handlers.base import BaseHandler
from django.core.management import call_command
from django.test.utils import setup_test_environment

ROOT = Path(__file__).parent.parent
SHARED = (
    *("annotate", "web", "templatetags", "help", "models", "tasktypes", "toolkit", "cli", "server", "exchange"),
    "numerics",
)
HEADINGS = ("functions", "files", "rooms", "returns", "all")


MIDDLEWARE = "every request, around the view"
FRAME = ("permissions", "writing", "log", "archived", "jobs", "job_leases")  # files of `core`
CALLS_VIEW = BaseHandler._get_response.__code__  # type: ignore[attr-defined]  # and all middleware calls this function


@dataclass(frozen=True)
class Walk:
    """The functions that a request calls: the file and the name of each, in the order of their first calls."""

    name: str
    functions: tuple[tuple[str, str], ...]

    @property
    def rooms(self) -> list[str]:
        """The rooms in the order of their first functions."""
        return list(dict.fromkeys(self._room_of_each()))

    @property
    def returns(self) -> int:
        return _returns(self._room_of_each())

    @property
    def row(self) -> str:
        """The row of the table in ARCHITECTURE.md."""
        files = [file for file, _ in self.functions]
        figures = [len(files), len(set(files)), self.returns, _returns([_folder(file) for file in files])]
        rooms = ", ".join(f"`{room}`" for room in self.rooms)
        return f"| {self.name} | {' | '.join(map(str, figures))} | {rooms} |"

    def _room_of_each(self) -> list[str]:
        return [_folder(file) for file, _ in self.functions if _is_in_room(file)]


def _returns(folders: Iterable[str]) -> int:
    """Return how often a list of folders comes back to a folder that it has left."""
    steps = [folder for folder, before in zip(folders, ["", *folders], strict=False) if folder != before]
    return len(steps) - len(set(steps))


def _folder(file: str) -> str:
    """Return the name of a folder of `annotate/`, of `accord_core/`, of a task type or of another application."""
    first, *others = Path(file.removeprefix("packages/core/accord_core/")).parts[:-1]
    return others[0] if first in ("annotate", "alignment_ui") and others else first


def _is_in_room(file: str) -> bool:
    folder = _folder(file)
    return folder not in SHARED and not (folder == "core" and Path(file).stem in FRAME)


class Tracer:
    """Records the functions of this project that requests and jobs call."""

    def __init__(self) -> None:
        self.walks: list[Walk] = []
        self.around_views: dict[tuple[str, str], None] = {}
        self.around_jobs: dict[tuple[str, str], None] = {}

    @contextmanager
    def walk(self, name: str, *, job: bool = False) -> Iterator[None]:
        """Record one walk."""
        around = self.around_jobs if job else self.around_views
        inside: dict[tuple[str, str], None] = {}
        running = job

        def note(frame: FrameType, event: str, _: Any) -> None:
            nonlocal running
            if frame.f_code is CALLS_VIEW and event in ("call", "return"):
                running = event == "call"
            elif event == "call" and (function := _own_function(frame.f_code)):
                of_middleware = frame.f_code.co_name == "process_view"  # runs inside `CALLS_VIEW`, before the view
                begun = inside or (_folder(function[0]) not in (*SHARED, "core") and not of_middleware)
                (inside if running and begun else around).setdefault(function)

        sys.setprofile(note)
        try:
            yield
        finally:
            sys.setprofile(None)
        self.walks.append(Walk(name, tuple(inside)))


@cache
def _own_function(code: CodeType) -> tuple[str, str] | None:
    """Return the file and the name of a function of this project, and None for all other code."""
    file = code.co_filename.removeprefix(f"{ROOT}/")
    own = not file.startswith(("/", "<", ".venv/", "tests/")) and code.co_flags & CO_NEWLOCALS
    return (file, code.co_qualname) if own and not code.co_name.startswith("<") else None


def main(names: list[str]) -> int:
    """Print the table, or the functions of the walks whose names contain one of the arguments."""
    for server in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(server, None)
    with tempfile.TemporaryDirectory(prefix="accord-walks-") as folder:
        os.environ |= {"ACCORD_DATA": folder, "DJANGO_SETTINGS_MODULE": "annotate.settings"}
        django.setup()
        setup_test_environment()
        call_command("migrate", verbosity=0)
        from tests.walked_requests import walks

        for walk in walks():
            if any(name in walk.name for name in names):
                print(walk.name, *(f"  {file}: {function}" for file, function in walk.functions), sep="\n")
            elif not names:
                print(walk.row)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
