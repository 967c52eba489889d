"""A Redis cache that lets the request go on when Redis is away.

Only rate limits live in it. Losing them for a while is better than turning an annotator away.
"""

import logging
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = logging.getLogger(__name__)


class FailOpenRedisCache(RedisCache):
    """Django's Redis cache; a failed look-up is a miss, a failed write is logged."""

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        try:
            return super().get(key, default, version)
        except RedisError as error:
            log.warning("cache unavailable, limits are not kept: %s", error)
            return default

    def set(self, key: str, value: Any, *args: Any, **kwargs: Any) -> None:
        try:
            super().set(key, value, *args, **kwargs)
        except RedisError as error:
            log.warning("cache unavailable, limits are not kept: %s", error)

    def add(self, key: str, value: Any, *args: Any, **kwargs: Any) -> bool:
        try:
            return super().add(key, value, *args, **kwargs)
        except RedisError as error:
            log.warning("cache unavailable, limits are not kept: %s", error)
            return True

    def delete(self, key: str, version: int | None = None) -> bool:
        try:
            return super().delete(key, version)
        except RedisError as error:
            log.warning("cache unavailable, limits are not kept: %s", error)
            return False

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        try:
            return int(super().incr(key, delta, version))
        except RedisError as error:
            log.warning("cache unavailable, limits are not kept: %s", error)
            return delta
