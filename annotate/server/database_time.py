"""Functions that count a request's database queries and measure the time spent waiting for them."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created


@dataclass
class DatabaseTime:
    """The number of queries since the start of the request, and the number of seconds spent on them."""

    queries: int = 0
    seconds: float = 0.0


_current: ContextVar[DatabaseTime | None] = ContextVar("database_time", default=None)


def start_measuring() -> DatabaseTime:
    """Start a new measurement for this thread or task. The measurement ends when the next one starts."""
    measured = DatabaseTime()
    _current.set(measured)
    return measured


def _measure(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
    measured = _current.get()
    if measured is None:
        return execute(sql, params, many, context)
    started = time.perf_counter()
    try:
        return execute(sql, params, many, context)
    finally:
        measured.queries += 1
        measured.seconds += time.perf_counter() - started


def _watch(connection: BaseDatabaseWrapper, **_: object) -> None:
    if _measure not in connection.execute_wrappers:  # the same wrapper object reconnects after a fault
        connection.execute_wrappers.append(_measure)


def watch_connections() -> None:
    """Measure the queries on all database connections that are opened from now on."""
    connection_created.connect(_watch, dispatch_uid="database_time")
