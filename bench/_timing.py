"""The CPU time of calculations."""

from __future__ import annotations

import time
from collections.abc import Callable


def best_of_three(run: Callable[[], object]) -> float:
    return min(seconds_of(run) for _ in range(3))


def seconds_of(run: Callable[[], object]) -> float:
    started = time.process_time()
    run()
    return time.process_time() - started


class Clock:
    """Print the duration of each step, in CPU time and in elapsed time."""

    def __init__(self) -> None:
        self.before = time.process_time(), time.perf_counter()

    def lap(self, what: str) -> None:
        now = time.process_time(), time.perf_counter()
        computing, waiting = (after - before for before, after in zip(self.before, now, strict=True))
        print(f"{computing:7.1f} s ({waiting:.1f} s elapsed)  {what}", flush=True)
        self.before = now
