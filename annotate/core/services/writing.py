"""Transactions for writes.

SQLite allows one writer at a time. The lock makes the threads of a process wait here in order, because otherwise they
would poll inside SQLite until one of them fails with "database is locked".
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import connection, transaction

from annotate.server import clock

_one_writer = threading.RLock()


@contextmanager
def write() -> Iterator[None]:
    """Run the block in a transaction. A nested block joins the outer transaction, so that services can call other
    services.
    """
    if connection.vendor == "sqlite":
        with _one_writer, transaction.atomic():
            yield
    else:
        with transaction.atomic():
            yield


def database_now() -> datetime:
    """Return the database's time, so that processes on several machines agree on when a lease ends."""
    return clock.now()
