"""One transaction for each write.

On SQLite a process has one writer at a time: the lock makes its threads queue here, in order, instead of polling
inside SQLite until one of them gives up with "database is locked".
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import connection, transaction

from annotate import clock

_one_writer = threading.RLock()


@contextmanager
def write() -> Iterator[None]:
    """A transaction; nested uses join the outer one, so that services can be built from services."""
    if connection.vendor == "sqlite":
        with _one_writer, transaction.atomic():
            yield
    else:
        with transaction.atomic():
            yield


def database_now() -> datetime:
    """The database's clock: web processes on several machines must agree on when a lease ends."""
    return clock.now()
