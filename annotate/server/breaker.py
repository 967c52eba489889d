"""A circuit breaker that pauses calls to a service after a failure, so that few requests have to wait for an
unavailable service.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

log = logging.getLogger(__name__)


class Breaker:
    """A circuit breaker. After a failed call, the breaker allows one call every `pause` seconds until a call
    succeeds.
    """

    def __init__(self, service: str, pause: float) -> None:
        self._service, self._pause = service, pause
        self._lock = threading.Lock()
        self._failing, self._try_at = False, 0.0

    def call(
        self, operation: Callable[[], Result], *, otherwise: Result, errors: tuple[type[Exception], ...]
    ) -> Result:
        """Return the operation's result, or `otherwise` if calls are paused or the operation raises one of `errors`."""
        with self._lock:
            if self._failing:
                if time.monotonic() < self._try_at:
                    return otherwise
                self._try_at = time.monotonic() + self._pause
        try:
            result = operation()
        except errors as error:
            self._failed(error)
            return otherwise
        if self._failing:
            self.reset()
            log.warning("%s is available again", self._service)
        return result

    def reset(self) -> None:
        """Allow the next call."""
        with self._lock:
            self._failing = False

    def _failed(self, error: Exception) -> None:
        with self._lock:
            if not self._failing:
                log.warning("%s is not available and is tried every %g s: %s", self._service, self._pause, error)
            self._failing, self._try_at = True, time.monotonic() + self._pause
