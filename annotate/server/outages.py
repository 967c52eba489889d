"""One line in the log when the database fails, one per minute while it stays unavailable, and one when it is back.

Every request and every task fails during an outage. Their separate log lines would hide the cause.
"""

from __future__ import annotations

import logging
import threading
import time

from django.core.cache import cache
from django.db import connection

from annotate.server.database_errors import BUSY, DISK_FULL, READ_ONLY, cause_of, state_of

REMEMBER = 60  # seconds for which all web processes know that PostgreSQL refused to write
REPEAT = 60.0  # seconds between two lines about the same cause
QUIET = 10.0  # seconds without an error after which a successful request ends an outage

_REFUSED = "database-refused-write"

log = logging.getLogger(__name__)


class Outage:
    """The outage of the database, as seen by this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._started_at: float | None = None
        self._failed_at = 0.0
        self._logged: dict[str, float] = {}  # causes, and the times of their last lines
        self._errors = 0
        self._ends_with_write = False

    @property
    def is_ongoing(self) -> bool:
        return self._started_at is not None

    def failed(self, error: BaseException) -> None:
        """Record an error, and log its cause unless the log shows the same cause already."""
        now, state = time.monotonic(), state_of(error)
        if state in (DISK_FULL, READ_ONLY):
            cache.set(_REFUSED, state, REMEMBER)
        with self._lock:
            if state != BUSY:
                self._count(now, state)
            if now - self._logged.get(state, -REPEAT) < REPEAT:
                return
            self._logged[state] = now
            errors = self._errors
        if state == BUSY:  # one statement waited too long, so its traceback matters
            log.error("%s ended a statement: %s", _service(), cause_of(error), exc_info=error)
        else:
            log.error("%s is unavailable: %s (error %d of this outage)", _service(), cause_of(error), errors)

    def succeeded(self, *, wrote: bool) -> None:
        """Record that a request or a task has used the database without an error."""
        now = time.monotonic()
        with self._lock:
            if self._started_at is None or (self._ends_with_write and not wrote):
                return
            if now - self._failed_at < QUIET:
                return
            seconds, self._started_at = now - self._started_at, None
            errors = self._errors
        cache.delete(_REFUSED)
        log.warning("%s is available again after %.0f s and %d errors", _service(), seconds, errors)

    def _count(self, now: float, state: str) -> None:
        if self._started_at is None:
            self._started_at, self._errors, self._logged = now, 0, {}
        self._failed_at, self._ends_with_write = now, state in (DISK_FULL, READ_ONLY)
        self._errors += 1


def refused_write() -> str | None:
    """Return the state of PostgreSQL if it refused to write within the last minute. PostgreSQL can read while its disk
    is full, so a query does not show this.
    """
    state: str | None = cache.get(_REFUSED)
    return state


def _service() -> str:
    return "SQLite" if connection.vendor == "sqlite" else "PostgreSQL"


database = Outage()
