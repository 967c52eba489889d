"""Replies at fixed times after a request, because the time of a reply would reveal gold questions: when an answer is
graded, the database also appends the counts of its question, which takes about 3% longer.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

INTERVAL = 0.025  # seconds. On an idle server, an answer is stored in less than half of this time.


@contextmanager
def at_fixed_times() -> Iterator[None]:
    """Wait at the end, also after an error, until a multiple of `INTERVAL` has passed since the beginning.

    Transactions must end inside, so that nobody waits for their locks. A connection that Django closes after a request
    is closed before the wait, because SQLite then moves the written pages into the database file, and a client's next
    request would wait for that.
    """
    began = time.perf_counter()
    try:
        yield
    finally:
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()
        time.sleep((began - time.perf_counter()) % INTERVAL)
