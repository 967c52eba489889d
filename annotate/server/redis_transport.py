"""Kombu's transport for Redis, which a worker needs only if its broker is Redis."""

from typing import Any

from kombu.transport import redis
from redis.exceptions import ConnectionError as RedisConnectionError


class Channel(redis.Channel):  # type: ignore[misc, unused-ignore]
    """A channel that reports a closed connection as an error of the connection.

    While a worker closes its channels after a restart of Redis, kombu can already have removed the connection. kombu
    then raises an `AttributeError`, which ends the worker (https://github.com/celery/kombu/issues/582).
    """

    def _connparams(self, asynchronous: bool = False) -> Any:
        if self.connection is None or self.connection.client is None:
            raise RedisConnectionError("the connection of this channel is closed")
        return super()._connparams(asynchronous)


class RedisTransport(redis.Transport):  # type: ignore[misc, unused-ignore]
    Channel = Channel
