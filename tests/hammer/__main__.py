"""`script/hammer`: run annotators, researchers and faults against real servers, then compare ledger and database."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

import click

from tests.installation import Installation
from tests.project.test_production_shape import ROOT

from .annotator import Person, Seat
from .client import Client, Stuck
from .ledger import Ledger
from .researcher import Researcher
from .schedule import Schedule
from .site import people_of, site
from .tally import Tally, clean, report, sum_of

SEATS = {"postgresql": 16, "sqlite": 8}
PEOPLE = 12  # at each seat
BROKEN = {"DJANGO_SETTINGS_MODULE": "tests.hammer.broken", "PYTHONPATH": str(ROOT)}
STUCK_AFTER = 90.0  # seconds without a reply after which somebody would have to look at the server
LONG = 20_000  # requests from which on the study is large and faults are rarer
ITEMS = {"postgresql": 12_000, "sqlite": 4_000}  # of large studies; every job on SQLite must fit between two kills
JOBS_WITHIN = 300.0  # seconds for the last jobs to end by themselves


@click.command()
@click.option("--database", type=click.Choice(list(SEATS)), default="postgresql", show_default=True)
@click.option(
    "--seconds",
    type=click.FloatRange(1),
    help="End after this time and after a fault of each kind.  [default: 30 without --requests]",
)
@click.option("--requests", type=click.IntRange(1), help="End after this number of requests, over all sessions.")
@click.option("--seed", type=int, default=1, show_default=True, help="Fixes behaviour and the order of faults.")
@click.option("--resume", type=click.Path(path_type=Path), help="Continue the run in this folder, or begin one there.")
@click.option("--no-faults", is_flag=True, help="Kill, hang and cut nothing.")
@click.option("--fault", "chosen", multiple=True, help="Inject only this fault. Repeat the option for more faults.")
@click.option("--hang", type=click.FloatRange(1), default=3, show_default=True, help="Seconds of a hung PostgreSQL.")
@click.option("--broken", type=click.Choice(["answer", "slot", "credit"]), help="A deliberate fault of the servers.")
def main(
    database: str,
    seconds: float | None,
    requests: int | None,
    seed: int,
    resume: Path | None,
    no_faults: bool,
    chosen: tuple[str, ...],
    hang: float,
    broken: str | None,
) -> None:
    """Let annotators work while the servers fail, and compare the acknowledged data with the database.

    The exit code is 1 if acknowledged data is lost, a HIT has too many assignments, the installation needs manual
    intervention, or a response has status 500. docs/testing.md describes the tally.
    """
    folder = (resume or Path(tempfile.mkdtemp(prefix="accord-hammer-"))).resolve()
    run = Run(folder, database, seed, faults=not no_faults, chosen=chosen, hang=hang, broken=broken)
    ok = run.session(seconds or (None if requests else 30.0), requests)
    click.echo(f"Data, ledger and logs are in {folder}")
    sys.exit(0 if ok else 1)


class Run:
    """The sessions in one folder."""

    def __init__(
        self,
        folder: Path,
        database: str,
        seed: int,
        *,
        faults: bool,
        chosen: tuple[str, ...],
        hang: float,
        broken: str | None,
    ) -> None:
        self.folder, self.database, self.faults, self.chosen, self.hang = folder, database, faults, chosen, hang
        self.settings = BROKEN | {"HAMMER_FAULT": broken} if broken else {}
        folder.mkdir(parents=True, exist_ok=True)
        self.number = len(list(folder.glob("tally-*.json"))) + 1
        self.dice = Random(f"{seed} {self.number}")
        self.before = sum_of(folder)
        self.tally = Tally()

    def session(self, seconds: float | None, requests: int | None) -> bool:
        """Run until the time has passed or enough requests have been sent, and return whether no errors occurred."""
        large = (requests or 0) >= LONG or (seconds or 0) > 300
        with site(self.folder, self.database, self.settings, self.chosen) as running:
            prepared = people_of(
                running, items=ITEMS[self.database] if large else 400, people=SEATS[self.database] * PEOPLE
            )
            self.limits = (time.monotonic() + seconds if seconds else None, requests)
            self.began = time.monotonic()
            every = (20.0, 40.0) if large else (0.5, 1.5)
            dice = Random(self.dice.random())
            schedule = Schedule(running, self.tally, dice, every=every, hang=self.hang, chosen=self.chosen)
            if self.faults:
                schedule.start()
            try:
                asyncio.run(self._work(running, prepared, schedule))
            except* Stuck as stuck:
                self.tally.stuck += len(stuck.exceptions)
                click.echo(f"Not recovered: {stuck.exceptions[0]}")
            finally:
                schedule.end()
            self._save()
            comparison = self._compare_after_jobs(running)
        total = sum_of(self.folder)
        click.echo(report(total, comparison))
        return clean(total, comparison)

    async def _work(self, running: Installation, prepared: dict[str, Any], schedule: Schedule) -> None:
        ledger = Ledger(self.folder / "ledger", self.number)
        stop = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)

        def over() -> bool:
            return stop.is_set()

        def client() -> Client:
            stuck_after = STUCK_AFTER + self.hang
            return Client(running.port, self.tally, self._dice(), mishaps=self.faults, stuck_after=stuck_after)

        researcher = Researcher(running, prepared, client(), ledger, self.tally, self._dice(), over, self.number)
        people = [Person(*person) for person in prepared["people"]]
        seats = [
            Seat(
                people[at :: SEATS[self.database]],
                client(),
                ledger,
                self.tally,
                self._dice(),
                over,
                researcher.note_stopped,
                researcher.note_dry,
            )
            for at in range(SEATS[self.database])
        ]
        async with asyncio.TaskGroup() as group:
            for seat in seats:
                group.create_task(seat.run())
            group.create_task(researcher.run())
            group.create_task(self._watch(stop, schedule))
        ledger.close()

    def _dice(self) -> Random:
        return Random(self.dice.random())

    async def _watch(self, stop: asyncio.Event, schedule: Schedule) -> None:
        """Report the progress every minute, and decide when to end. The last requests are sent without
        further faults.
        """
        until, requests = self.limits
        next_report = time.monotonic() + 60
        while not stop.is_set():
            await asyncio.sleep(0.5)
            self._save()
            done = self.before.requests + self.tally.requests
            complete = schedule.each_kind_injected.is_set() or not schedule.is_alive()
            if (until and time.monotonic() > until and complete) or (requests and done >= requests):
                break
            if time.monotonic() > next_report:
                next_report += 60
                self._print_progress(done)
        await asyncio.to_thread(schedule.end)
        stop.set()

    def _print_progress(self, done: int) -> None:
        until, requests = self.limits
        rate = self.tally.requests / (time.monotonic() - self.began)
        left = max(until - time.monotonic() if until else 0.0, (requests - done) / rate if requests and rate else 0.0)
        click.echo(
            f"{time.strftime('%H:%M:%S')}  {done:,} requests, {rate:,.0f} per second; {self.tally.hits:,} HITs, "
            f"{self.tally.faults.total():,} faults, {self.tally.errors:,} replies with status 500; "
            f"about {left / 60:,.0f} minutes left"
        )

    def _save(self) -> None:
        self.tally.seconds = time.monotonic() - self.began
        self.tally.save(self.folder, self.number)

    def _compare_after_jobs(self, running: Installation) -> dict[str, Any]:
        """Compare when all jobs have ended. The schedule can start a job between this moment and the comparison, which
        is then made again.
        """
        code = "from annotate.models import Job; print(Job.objects.filter(state__in=['waiting', 'running']).count())"
        until = time.monotonic() + JOBS_WITHIN
        while True:
            while running.python(code) != "0" and time.monotonic() < until:
                time.sleep(2)
            comparison = self._compare(running)
            if not comparison["jobs_open"] or time.monotonic() > until:
                return comparison

    def _compare(self, running: Installation) -> dict[str, Any]:
        command = [sys.executable, "-m", "tests.hammer.comparison", str(self.folder)]
        environment = running.environment | {"DJANGO_SETTINGS_MODULE": "annotate.settings"}
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    main()
