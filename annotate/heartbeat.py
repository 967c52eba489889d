"""A sign of life that workers leave in the cache whenever they carry out a task that beat has sent."""

from django.core.cache import cache

SECONDS = 180  # beat sends a task every minute, so that three in a row must be missed
_KEY = "worker-heartbeat"


def beat() -> None:
    """Leave a sign of life."""
    cache.set(_KEY, True, SECONDS)


def heard_from() -> bool:
    """Whether a worker has left a sign of life within the last `SECONDS`."""
    return bool(cache.get(_KEY))
