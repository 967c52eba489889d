"""Tests of the connection between workers and Redis."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from annotate.celery import Connection
from tests import servers


@pytest.fixture
def connection() -> Iterator[Connection]:
    with servers.redis_server() as redis, Connection(redis.url) as connection:
        yield connection


def test_a_channel_that_outlives_its_connection_fails_as_a_lost_connection(connection: Connection) -> None:
    """A worker reconnects after an error in `connection_errors`, and ends after any other. After a restart of Redis,
    it can use a channel whose connection is gone already.
    """
    channel = connection.channel()
    errors = connection.connection_errors
    connection.collect()
    for use in (lambda: channel.pool, lambda: channel.async_pool, channel.conn_or_acquire().__enter__):
        with pytest.raises(errors):
            use()
