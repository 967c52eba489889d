"""The faults in an order that the seed determines. Each kind occurs once before any kind is drawn again.

The faults in `PREPARED` need an installation on a small disk or with another clock, so they occur only on request.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import click

from tests import faults
from tests.installation import Installation

from .tally import Tally

HUNG_FOR = 3.0  # seconds
FULL_FOR = 10.0
CLOCK_WRONG_FOR = 10.0
DISK_FULL, CLOCK_JUMPS = "disk full", "clock jumps"
PREPARED = (DISK_FULL, CLOCK_JUMPS)


def disk_of(folder: Path) -> Path:
    """Return the folder of the data that the fault `disk full` concerns."""
    return folder / "disk"


def clock_of(folder: Path) -> Path:
    """Return the file with the offset of the installation's clock."""
    return folder / "clock"


def set_clock(folder: Path, offset: str) -> None:
    """Change the offset of the clock. The processes never read a half-written file."""
    new = folder / "clock.new"
    new.write_text(f"{offset}\n")
    new.replace(clock_of(folder))


class Schedule(threading.Thread):
    """A thread that injects one fault after another until `end` is called: the chosen faults, or all usual faults.

    `every` is the shortest and the longest time between two faults, and `hang` the time for which PostgreSQL does not
    respond, in seconds.
    """

    def __init__(
        self,
        running: Installation,
        tally: Tally,
        dice: Random,
        *,
        every: tuple[float, float],
        hang: float,
        chosen: Sequence[str],
    ) -> None:
        super().__init__(name="faults")
        self.running, self.tally, self.dice, self.every, self.hang = running, tally, dice, every, hang
        kinds = self._kinds()
        if unknown := [name for name in chosen if name not in kinds]:
            raise click.UsageError(f"unknown fault {unknown[0]!r}; the faults are {', '.join(kinds)}")
        self.kinds = {name: fault for name, fault in kinds.items() if name in (chosen or kinds.keys() - PREPARED)}
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
                if self.tally.faults.keys() >= self.kinds.keys():
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
        kinds = list(self.kinds.items())
        while True:
            self.dice.shuffle(kinds)
            yield from kinds

    def _kinds(self) -> dict[str, Callable[[], None]]:
        kinds = {
            "one web process killed": self._kill_web_process,
            "web server killed": lambda: self._kill("web"),
            "half-sent requests": self._half_sent,
            DISK_FULL: self._fill_disk,
            CLOCK_JUMPS: self._jump,
        }
        if "worker" in self.running.commands:
            postgres, redis = self.running.postgres, self.running.redis
            kinds |= {
                "worker killed": lambda: self._kill("worker"),
                "PostgreSQL restarted": lambda: postgres.restart(signal.SIGINT),
                "PostgreSQL crashed": lambda: postgres.restart(signal.SIGQUIT),
                "PostgreSQL hung": self._hang_postgres,
                "Redis hung": self._hang_redis,
                "Redis restarted empty": lambda: redis.restart(signal.SIGKILL),
                "everything killed": self._kill_everything,
            }
        return kinds

    def _kill_web_process(self) -> None:
        """Kill one web process, which its parent then replaces."""
        children = faults.process_tree(self.running.processes["web"].pid)[1:]
        if children:
            faults.kill(self.dice.choice(children))

    def _kill(self, service: str) -> None:
        faults.kill(self.running.processes[service].pid)

    def _kill_everything(self) -> None:
        """Kill every process at once, like a power failure, start the servers again, and wait for the services, which
        the supervisor of the site starts again.
        """
        servers = [self.running.postgres, self.running.redis]
        for process in [*self.running.processes.values(), *servers]:
            faults.kill(process.pid)
        for server in servers:
            server.restart()
        self.running.wait(self.running.answers)

    def _hang_redis(self) -> None:
        with self.running.redis.hung():
            time.sleep(HUNG_FOR)

    def _hang_postgres(self) -> None:
        with self.running.postgres.hung():
            time.sleep(self.hang)

    def _fill_disk(self) -> None:
        """Fill the disk of the data. If PostgreSQL has ended, start it again when there is space."""
        with faults.filled(disk_of(self.running.folder)):
            time.sleep(FULL_FOR)
        if self.running.postgres:
            self.running.postgres.start_again()

    def _jump(self) -> None:
        """Let the clock of all processes jump by two hours and back."""
        set_clock(self.running.folder, self.dice.choice(["+2h", "-2h"]))
        time.sleep(CLOCK_WRONG_FOR)
        set_clock(self.running.folder, "+0")

    def _half_sent(self) -> None:
        try:
            with faults.half_sent_requests("127.0.0.1", self.running.port):
                time.sleep(HUNG_FOR)
        except OSError:
            return  # the server is still recovering from the fault before
