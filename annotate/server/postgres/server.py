"""Whether the PostgreSQL server responds, as last seen by this process.

A server that hangs keeps its connections open and accepts new ones, so neither TCP nor a long statement reveals the
hang. A thread that has waited for its `patience` therefore opens a second connection. If the server does not answer
this connection either, the waiting statement fails. On a healthy server, long statements are not interrupted here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import Any

import psycopg

PROBE_SECONDS = 3  # longest time that the server has to accept a second connection
PROBE_PAUSE = 1.0  # seconds between two probes


class NotResponding(psycopg.OperationalError):
    """Error raised if PostgreSQL accepts connections but does not reply."""


class Server:
    """The state of the server. All threads of the process share one object, and at most one of them probes the server
    at a time.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._probed_at = -PROBE_PAUSE
        self.is_silent = False

    def responds(self, parameters: Mapping[str, Any]) -> bool:
        """Return whether the server answers a new connection. Threads that wait for another thread's probe use its
        result.
        """
        with self._lock:
            self._probe_if_due(parameters)
        return not self.is_silent

    def refuse_if_silent(self, parameters: Mapping[str, Any]) -> None:
        """Raise `NotResponding` if the server did not respond recently. One thread per second probes the server."""
        if not self.is_silent:
            return
        if self._lock.acquire(blocking=False):
            try:
                self._probe_if_due(parameters)
            finally:
                self._lock.release()
        if self.is_silent:
            raise NotResponding("PostgreSQL does not respond")

    def _probe_if_due(self, parameters: Mapping[str, Any]) -> None:
        if time.monotonic() - self._probed_at >= PROBE_PAUSE:
            self.is_silent = not _answers(parameters)
            self._probed_at = time.monotonic()


def _answers(parameters: Mapping[str, Any]) -> bool:
    try:
        psycopg.connect(**{**parameters, "connect_timeout": PROBE_SECONDS}).close()
    except psycopg.OperationalError as error:
        return "FATAL" in str(error)  # a server that rejects a connection responds
    return True


server = Server()
