"""Actions of researchers during the run: stops, restorations, further judgements, imports, exports, reports and expired
leases.
"""

from __future__ import annotations

import asyncio
import math
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from random import Random

import psycopg

from tests.installation import Installation
from tests.project.test_production_shape import ROOT, installed

from .client import Client
from .ledger import Ledger
from .tally import Tally

STOPPED_FOR = (0.5, 3.0)  # seconds
FOREVER = 0.1  # share of stops that are not followed by a restoration, which would credit submitted HITs again
MOST_FOREVER = 0.25  # share of the annotators
ROWS = 20  # in an import
GROWTH = 1.25  # of the study from one report to the next
LATE = """UPDATE annotate_assignment SET lease_until = '2020-01-01 00:00:00+00:00' WHERE id IN (
    SELECT id FROM annotate_assignment WHERE state = 'leased' ORDER BY id DESC LIMIT 6)"""


class Researcher:
    """A thread that carries out actions on the study until the end of the run. Every action is drawn from the random
    generator.
    """

    def __init__(
        self,
        running: Installation,
        prepared: dict,
        client: Client,
        ledger: Ledger,
        tally: Tally,
        dice: Random,
        over: Callable[[], bool],
        session: int,
    ) -> None:
        self.running, self.client, self.ledger, self.tally = running, client, ledger, tally
        self.dice, self.over, self.session = dice, over, session
        self.study, self.imports = f"studies/{prepared['study']}", f"studies/{prepared['imports']}"
        self.study_id, self.groups = prepared["study"], prepared["groups"]
        self.authorization = f"Token {prepared['key']}"
        self.people = [pseudonym for pseudonym, _ in prepared["people"]]
        self.stopped: dict[str, float] = {}  # pseudonym: when to restore
        self.is_dry = False
        self.files = 0
        self.export_after = 0.0
        self.reported = 0  # HITs at the last report

    def note_stopped(self, pseudonym: str) -> None:
        if pseudonym in self.stopped:
            return
        forever = sum(due == math.inf for due in self.stopped.values())
        if forever < MOST_FOREVER * len(self.people) and self.dice.random() < FOREVER:
            self.stopped[pseudonym] = math.inf
        else:
            self.stopped[pseudonym] = time.monotonic() + self.dice.uniform(*STOPPED_FOR)

    def note_dry(self) -> None:
        self.is_dry = True

    async def run(self) -> None:
        actions = [self._stop, self._stop, self._expire, self._import, self._export, self._report]
        while not self.over():
            self.dice.shuffle(actions)
            for action in actions:
                await action()
                await self._restore_due()
                if self.is_dry:
                    await self._add_judgements()
                await asyncio.sleep(self.dice.uniform(0.2, 0.8))
                if self.over():
                    break
        self.client.close()

    async def _stop(self) -> None:
        pseudonym = self.dice.choice(self.people)
        if (await self._send("POST", f"{self.study}/annotators/{pseudonym}/stop", {"reason": "random clicks"})).ok:
            self.tally.actions["annotators stopped"] += 1
            self.note_stopped(pseudonym)

    async def _restore_due(self) -> None:
        for pseudonym, due in list(self.stopped.items()):
            if time.monotonic() > due:
                del self.stopped[pseudonym]
                path = f"{self.study}/annotators/{pseudonym}/restore"
                if (await self._send("POST", path, {"reason": "a mistake"})).ok:
                    self.tally.actions["annotators restored"] += 1

    async def _expire(self) -> None:
        """Move the newest leases into the past, so that their annotators submit late or other annotators take the
        slots.
        """
        try:
            late = await asyncio.to_thread(_execute, self.running.environment, LATE)
        except (psycopg.OperationalError, sqlite3.OperationalError):
            return  # a fault of the schedule; the next attempt comes soon
        self.tally.actions["leases expired"] += late

    async def _import(self) -> None:
        first = f"s{self.session}f{self.files}i"
        self.files += 1
        rows = "".join(f"{first}{n},A sentence {n}.,Another sentence {n}.\n" for n in range(ROWS))
        body = {"purpose": "items", "filename": f"{first}.csv", "content": f"id,sentence1,sentence2\n{rows}"}
        upload = await self._send("POST", f"{self.imports}/uploads", body, headers=f"Idempotency-Key: {first}\r\n")
        if upload.ok:
            done = await self._send("POST", f"{self.imports}/uploads/{upload.body['id']}/import", mishaps=False)
            if done.ok:
                self.ledger.write("import", first, ROWS)
                self.tally.actions["files imported"] += 1

    async def _export(self) -> None:
        """Download every judgement. In larger studies, this action is rarer."""
        began = time.monotonic()
        if began < self.export_after:
            return
        reply = await self._send("GET", f"{self.study}/exports/annotations.csv", download=True)
        if reply.ok:
            self.tally.actions["exports" if reply.whole else "exports cut by a fault"] += 1
        self.export_after = time.monotonic() + 20 * (time.monotonic() - began)

    async def _report(self) -> None:
        """Request a report of the study. As with exports, this action is rarer in larger studies."""
        if self.tally.hits < GROWTH * self.reported:
            return
        self.reported = self.tally.hits
        if (await self._send("POST", f"{self.study}/reports", {"kind": "progress"})).ok:
            self.tally.actions["reports asked for"] += 1

    async def _add_judgements(self) -> None:
        """Request one more judgement from a group for every HIT with `accord study add-judgements`."""
        self.is_dry = False
        group = self.dice.choice(self.groups)
        arguments = ["accord", "study", "add-judgements", self.study_id, "--per-question", "1", "--group", group]
        command = installed(arguments)
        done = await asyncio.to_thread(
            subprocess.run, command, cwd=ROOT, env=self.running.environment, capture_output=True, check=False
        )
        self.is_dry = done.returncode != 0
        self.tally.actions["further judgements"] += done.returncode == 0

    async def _send(self, method: str, path: str, body: object = None, **options):
        return await self.client.send(method, path, body, authorization=self.authorization, **options)


def _execute(environment: dict[str, str], statement: str) -> int:
    """Run an SQL statement outside the services, and return the number of changed rows."""
    if "DATABASE_URL" in environment:
        with closing(psycopg.connect(environment["DATABASE_URL"], autocommit=True, connect_timeout=5)) as connection:
            return connection.execute(statement).rowcount  # type: ignore[arg-type]
    file = f"{environment['ACCORD_DATA']}/accord.sqlite3"
    with closing(sqlite3.connect(file, timeout=30, isolation_level=None)) as connection:
        return connection.execute(statement).rowcount
