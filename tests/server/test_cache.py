"""Tests of the cache without Redis: requests do not fail or wait for long, and Redis is used again when it is
available.
"""

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache

from annotate.server import cache
from annotate.server.breaker import Breaker
from tests import servers
from tests.conftest import wait_until


@pytest.fixture(scope="module")
def server() -> Iterator[servers.Server]:
    with servers.redis_server() as running:
        yield running


@pytest.fixture
def on_redis(server: servers.Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[cache.FailOpenRedisCache]:
    monkeypatch.setattr(cache, "breaker", Breaker("Redis", 0.6))
    backend = {"BACKEND": "annotate.server.cache.FailOpenRedisCache", "LOCATION": server.url}
    monkeypatch.setitem(caches.settings, "faulty", backend)
    connection = caches.create_connection("faulty")
    yield connection
    for pool in connection._cache._pools.values():
        pool.disconnect()


def test_every_operation_goes_on_without_redis(server: servers.Server, on_redis: cache.FailOpenRedisCache) -> None:
    on_redis.set("known", 1)
    with server.away():
        assert on_redis.get("known") is None
        assert on_redis.get("known", 5) == 5
        assert on_redis.get_many(["known"]) == {}
        assert on_redis.get_or_set("known", 7) == 7
        assert not on_redis.has_key("known")
        assert on_redis.add("known", 2)
        assert on_redis.incr("known") == 1
        assert on_redis.set_many({"known": 3}) == ["known"]
        assert not on_redis.touch("known")
        assert not on_redis.delete("known")
        on_redis.set("known", 4)
        on_redis.delete_many(["known"])
        on_redis.clear()


def test_a_redis_that_hangs_costs_one_short_wait(server: servers.Server, on_redis: cache.FailOpenRedisCache) -> None:
    on_redis.set("known", 1)
    with server.hung():
        started = time.monotonic()
        on_redis.get("known")
        assert cache.TIMEOUT * 0.9 < time.monotonic() - started < cache.TIMEOUT * 10  # other processes share the cores
        started = time.monotonic()
        for _ in range(100):
            on_redis.get("known")
        assert time.monotonic() - started < cache.TIMEOUT * 10  # a hundred calls that wait take ten times as long


@pytest.mark.nightly
def test_of_many_threads_one_tries_whether_redis_is_back(
    server: servers.Server, on_redis: cache.FailOpenRedisCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[str] = []
    together = threading.Barrier(8)
    call_redis = RedisCache.get

    def spy(cache: RedisCache, key: str, *arguments: Any) -> Any:
        tries.append(key)
        return call_redis(cache, key, *arguments)

    def look() -> None:
        together.wait()
        on_redis.get("known")

    with server.hung():
        on_redis.get("known")
        time.sleep(0.7)
        monkeypatch.setattr(RedisCache, "get", spy)
        monkeypatch.setattr(cache.breaker, "_pause", 60)  # a thread can be late on a busy machine
        threads = [threading.Thread(target=look) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert tries == ["known"]


@pytest.mark.parametrize("fault", ["hung", "away"])
def test_a_redis_that_is_back_is_used_again(
    server: servers.Server, on_redis: cache.FailOpenRedisCache, fault: str
) -> None:
    with getattr(server, fault)():
        on_redis.set("known", 1)

    def works() -> bool:
        on_redis.set("known", 2)
        return on_redis.get("known") == 2

    wait_until(works)


def test_after_a_restart_an_old_connection_costs_nothing(
    server: servers.Server, on_redis: cache.FailOpenRedisCache
) -> None:
    on_redis.set("known", 1)
    server.restart()
    on_redis.set("known", 2)
    assert on_redis.get("known") == 2
