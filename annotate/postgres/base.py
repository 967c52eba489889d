"""The database backend for `ENGINE = "annotate.postgres"`, `CONN_MAX_AGE = None` and `CONN_HEALTH_CHECKS = True`.

Each thread keeps one connection. A server that restarts closes its side of every connection, and the operating system
reports this without a round trip: an idle connection is readable only if the server has closed it. Django's own health
check is an extra query per request. A pool (psycopg_pool) also detects a restart only with a query, and while
PostgreSQL is not available, it makes every request wait for its timeout. Here a refused connection is detected
immediately.
"""

from __future__ import annotations

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that can detect, without a query, whether the server has closed the connection."""

    def is_usable(self) -> bool:
        if self.connection is None or self.connection.closed:
            return False
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        return not poll.poll(0)
