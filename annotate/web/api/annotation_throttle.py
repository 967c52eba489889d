"""The rate limit of the annotation API."""

from __future__ import annotations

import threading
import time
from functools import cache
from typing import ClassVar

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from annotate.server.addresses import client_network


class AnnotateThrottle(BaseThrottle):
    """A rate limit that people never reach, but that stops a faulty script.

    Requests are counted in this process, because a count in Redis would cost as much as several answers. A new window
    starts after the period of the rate.
    """

    _counts: ClassVar[dict[str, int]] = {}
    _window: ClassVar[float] = 0.0
    _lock = threading.Lock()

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count the request. Return False if the annotator has sent too many requests in this time window."""
        most, seconds = _rate(settings.THROTTLE_ANNOTATE)
        window = time.monotonic() // seconds
        with self._lock:
            if window != AnnotateThrottle._window:
                AnnotateThrottle._window = window
                self._counts.clear()
            who = str(request.auth or client_network(request))
            self._counts[who] = count = self._counts.get(who, 0) + 1
        return count <= most

    def wait(self) -> float:
        """Return the number of seconds until the next window starts."""
        _, seconds = _rate(settings.THROTTLE_ANNOTATE)
        return seconds - time.monotonic() % seconds


@cache
def _rate(text: str) -> tuple[int, int]:
    """Return the number of requests and the number of seconds in a rate such as `1200/min`."""
    number, _, unit = text.partition("/")
    return int(number), {"s": 1, "m": 60, "h": 3600, "d": 86400}[unit[0]]
