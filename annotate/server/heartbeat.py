"""A heartbeat that workers store in the cache whenever they run a periodic task."""

from django.core.cache import cache

SECONDS = 180  # beat sends a task every minute, so three tasks in a row must be missed
_KEY = "worker-heartbeat"


def beat() -> None:
    """Store a heartbeat."""
    cache.set(_KEY, True, SECONDS)


def heard_from() -> bool:
    """Return True if a worker has stored a heartbeat within the last `SECONDS`."""
    return bool(cache.get(_KEY))
