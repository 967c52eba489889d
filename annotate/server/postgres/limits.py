"""How long this thread waits for PostgreSQL. Requests set it on every database, so this module needs no psycopg."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """How long a thread waits for PostgreSQL."""

    patience: float  # seconds without a reply before the thread checks whether the server responds
    options: str  # limits that the server itself enforces, as command-line options


BACKGROUND = Limits(patience=30, options="")  # jobs, migrations and backups can wait for locks and for long statements
# A statement ends before the proxy gives up after 120 seconds.
REQUEST = Limits(patience=4, options="-c lock_timeout=8s -c statement_timeout=110s")

limits: ContextVar[Limits] = ContextVar("limits", default=BACKGROUND)
