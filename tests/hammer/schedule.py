"""The faults in an order that the seed determines. Each kind occurs once before any kind is drawn again."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from random import Random

from tests import faults
from tests.installation import Installation

from .tally import Tally

HUNG_FOR = 3.0  # seconds


class Schedule(threading.Thread):
    """A thread that injects one fault after another until `end` is called."""

    def __init__(self, running: Installation, tally: Tally, dice: Random, every: tuple[float, float]) -> None:
        super().__init__(name="faults")
        self.running, self.tally, self.dice, self.every = running, tally, dice, every
        self.over = threading.Event()
        self.each_kind_injected = threading.Event()
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            for name, fault in self._shuffled_faults():
                if self.over.wait(self.dice.uniform(*self.every)):
                    return
                fault()
                self.tally.faults[name] += 1
                if self.tally.faults.keys() >= self._kinds().keys():
                    self.each_kind_injected.set()
        except BaseException as error:  # noqa: BLE001 (raised again by `end`, in the thread that waits)
            self.failure = error

    def end(self) -> None:
        """Let the fault in progress end and inject no more."""
        self.over.set()
        if self.is_alive():
            self.join()
        if self.failure is not None:
            raise self.failure

    def _shuffled_faults(self) -> Iterator[tuple[str, Callable[[], None]]]:
        kinds = list(self._kinds().items())
        while True:
            self.dice.shuffle(kinds)
            yield from kinds

    def _kinds(self) -> dict[str, Callable[[], None]]:
        kinds = {
            "one web process killed": self._kill_web_process,
            "web server killed": lambda: self._kill("web"),
            "half-sent requests": self._half_sent,
        }
        if "worker" in self.running.commands:
            postgres, redis = self.running.postgres, self.running.redis
            kinds |= {
                "worker killed": lambda: self._kill("worker"),
                "PostgreSQL restarted": lambda: postgres.restart(signal.SIGINT),
                "PostgreSQL crashed": lambda: postgres.restart(signal.SIGQUIT),
                "Redis hung": self._hang_redis,
                "Redis restarted empty": lambda: redis.restart(signal.SIGKILL),
            }
        return kinds

    def _kill_web_process(self) -> None:
        """Kill one web process, which its parent then replaces."""
        children = faults.process_tree(self.running.processes["web"].pid)[1:]
        if children:
            faults.kill(self.dice.choice(children))

    def _kill(self, service: str) -> None:
        faults.kill(self.running.processes[service].pid)

    def _hang_redis(self) -> None:
        with self.running.redis.hung():
            time.sleep(HUNG_FOR)

    def _half_sent(self) -> None:
        try:
            with faults.half_sent_requests("127.0.0.1", self.running.port):
                time.sleep(HUNG_FOR)
        except OSError:
            return  # the server is still recovering from the fault before
