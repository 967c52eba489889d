"""A Redis cache that lets requests continue if Redis is unavailable or does not respond.

The cache only contains rate limits, heartbeats, sizes of files, the lengths of to-do lists, the median time of HITs in
large studies, and rows removed from drafts. Losing this data for a while is better than rejecting an annotator. Calls
time out after `TIMEOUT`. After a failure, this process does not call Redis for `PAUSE`, so a Redis that hangs costs one
short wait every few seconds instead of one wait per request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

from annotate.server.breaker import Breaker

TIMEOUT = 0.3  # seconds, for a connection and for each reply
PAUSE = 5.0  # seconds

breaker = Breaker("Redis (request limits)", PAUSE)  # shared by all threads; Django creates a cache object per thread
Result = TypeVar("Result")


class FailOpenRedisCache(RedisCache):
    """Django's Redis cache. If Redis is unavailable, every key counts as missing and every write is dropped."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        timeouts = {"socket_timeout": TIMEOUT, "socket_connect_timeout": TIMEOUT}
        super().__init__(server, {**params, "OPTIONS": {**timeouts, **params.get("OPTIONS", {})}})

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        return _or(default, super().get, key, default, version)

    def get_many(self, keys: Iterable[str], version: int | None = None) -> dict[str, Any]:
        return _or({}, super().get_many, list(keys), version)

    def has_key(self, key: str, version: int | None = None) -> bool:
        return _or(False, super().has_key, key, version)

    def set(self, key: str, value: Any, *args: Any, **kwargs: Any) -> None:
        _or(None, super().set, key, value, *args, **kwargs)

    def set_many(self, data: dict[str, Any], *args: Any, **kwargs: Any) -> list[str]:
        return _or(list(data), super().set_many, data, *args, **kwargs)

    def add(self, key: str, value: Any, *args: Any, **kwargs: Any) -> bool:
        """Add a key. If Redis is unavailable, return True as if the key were missing, so that locks in the cache are
        granted.
        """
        return _or(True, super().add, key, value, *args, **kwargs)

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Increment a counter. If Redis is unavailable, return `delta`, as if the counter were new."""
        return _or(delta, super().incr, key, delta, version)

    def touch(self, key: str, *args: Any, **kwargs: Any) -> bool:
        return _or(False, super().touch, key, *args, **kwargs)

    def delete(self, key: str, version: int | None = None) -> bool:
        return _or(False, super().delete, key, version)

    def delete_many(self, keys: Iterable[str], version: int | None = None) -> None:
        _or(None, super().delete_many, list(keys), version)

    def clear(self) -> None:
        _or(None, super().clear)


def _or(otherwise: Result, operation: Callable[..., Result], *args: Any, **kwargs: Any) -> Result:
    return breaker.call(lambda: operation(*args, **kwargs), otherwise=otherwise, errors=(RedisError,))
