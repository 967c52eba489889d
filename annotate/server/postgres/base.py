"""The database backend for `ENGINE = "annotate.server.postgres"`, `CONN_MAX_AGE = None` and
`CONN_HEALTH_CHECKS = True`.

Each thread keeps one connection. A server that restarts closes its side of every connection, and the operating system
reports this without a round trip: an idle connection is readable only if the server has closed it. Django's own health
check is an extra query per request. A pool (psycopg_pool) also detects a restart only with a query, and while
PostgreSQL is not available, it makes every request wait for its timeout. Here a refused connection is detected
immediately. A server that accepts connections but does not reply is detected by `connection.py`.
"""

from __future__ import annotations

import select
from typing import Any

from django.db.backends.postgresql import base
from django.db.backends.postgresql.psycopg_any import IsolationLevel
from psycopg.types.string import TextLoader

from .connection import Connection
from .operations import DatabaseOperations
from .server import server


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that can detect, without a query, whether the server has closed the connection, and that does not
    wait for a server that hangs.
    """

    data_types = base.DatabaseWrapper.data_types | {"JSONField": "json"}
    ops_class = DatabaseOperations

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection:
        self.isolation_level = IsolationLevel.READ_COMMITTED
        connection = Connection.open(conn_params)
        connection.adapters.register_loader("json", TextLoader)  # Django decodes JSON itself
        return connection

    def is_usable(self) -> bool:
        if self.connection is None or self.connection.closed or server.is_silent:
            return False
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        return not poll.poll(0)
