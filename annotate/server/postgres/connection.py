"""Connections that stop waiting for a PostgreSQL server that hangs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.errors import _WaitTimeout

from .limits import limits
from .server import NotResponding, server

Result = TypeVar("Result")
INTERVAL = 0.1  # seconds between two checks for Ctrl-C, as in psycopg


class Connection(psycopg.Connection[Any]):
    """A connection whose statements fail if the server does not respond."""

    parameters: Mapping[str, Any]

    @classmethod
    def open(cls, parameters: Mapping[str, Any]) -> Self:
        """Connect with these parameters. Raises `NotResponding` immediately if the server did not respond recently."""
        server.refuse_if_silent(parameters)
        # A pooler that moves statements between connections rejects these options.
        own = limits.get().options if parameters.get("prepare_threshold") is not None else ""
        options = f"{parameters.get('options', '')} {own}".strip()
        arguments: dict[str, Any] = {**parameters, "options": options} if options else {**parameters}
        try:
            connection = cls.connect(**arguments)
        except psycopg.errors.ConnectionTimeout:
            server.responds(parameters)
            raise
        connection.parameters = parameters
        return connection

    def wait(self, gen: PQGen[Result], interval: float = INTERVAL, timeout: float | None = None) -> Result:
        """Wait for a reply. If the server does not respond, close the connection and raise `NotResponding`."""
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        patience = limits.get().patience
        while True:
            try:
                return super().wait(gen, interval, patience)
            except _WaitTimeout:
                if not server.responds(self.parameters):
                    gen.close()
                    self.close()
                    raise NotResponding(f"PostgreSQL has not responded for {patience:g} s") from None
