"""The backend: `ENGINE = "annotate.postgres"` with `CONN_MAX_AGE = None` and `CONN_HEALTH_CHECKS = True`.

Each thread keeps one connection. A server that restarts closes its side of every connection, which the operating
system reports without a round trip: an idle connection has something to read only if the server said goodbye. Django's
own test is a query before each request's first. A pool (psycopg_pool) finds a restart only by such a query, too, and
while PostgreSQL is away it makes every request wait for its timeout; here the refused connection is known at once.
"""

from __future__ import annotations

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that knows whether its server has gone."""

    def is_usable(self) -> bool:
        if self.connection is None or self.connection.closed:
            return False
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        return not poll.poll(0)
