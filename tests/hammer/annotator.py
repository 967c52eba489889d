"""A seat at which consecutive annotators claim HITs, save drafts, answer, read feedback and submit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from .client import Client, Reply
from .ledger import Ledger
from .tally import Tally

DRAFT, ANSWER, CHANGE, RELOAD, ABANDON = 0.35, 0.4, 0.15, 0.03, 0.03  # shares of questions and of HITs


@dataclass
class Person:
    pseudonym: str
    token: str

    @property
    def authorization(self) -> str:
        return f"Participation {self.token}"


@dataclass
class Seat:
    """All actions of a seat are drawn from its random generator. The server chooses the HITs."""

    people: list[Person]
    client: Client
    ledger: Ledger
    tally: Tally
    dice: Random
    over: Callable[[], bool]
    stopped: Callable[[str], None]  # called with the pseudonym of an annotator who cannot go on
    dry: Callable[[], None]  # called when there is nothing to claim

    async def run(self) -> None:
        turn = 0
        while not self.over():
            person = self.people[turn % len(self.people)]
            turn += 1
            if not await self._work(person, hits=self.dice.randint(3, 30)) and turn % len(self.people) == 0:
                await asyncio.sleep(0.3)  # nobody at this seat has anything to do
        self.client.close()

    async def _work(self, person: Person, *, hits: int) -> int:
        """Do some HITs as one person, and return the number of HITs."""
        claimed = (await self._send(person, "POST", "claims", {})).body
        for done in range(hits):
            assignment = claimed.get("assignment") if claimed else None
            if assignment is None or self.over():
                self._tell_why(person, claimed or {})
                return done
            if self.dice.random() < ABANDON:
                return done
            claimed = await self._do(person, assignment)
        return hits

    def _tell_why(self, person: Person, claimed: dict[str, Any]) -> None:
        if claimed.get("why") == "stopped":
            self.stopped(person.pseudonym)
        elif claimed.get("why") == "nothing":
            self.dry()

    async def _do(self, person: Person, assignment: dict[str, Any]) -> Any:
        """Answer and submit one HIT, and return the response to the next claim, which the receipt contains."""
        name, answers = assignment["id"], {}
        for question in assignment["questions"]:
            position = question["position"]
            if question["feedback"] is not None:
                await self._acknowledge(person, name, position)
            if question["value"] is None:
                answers[position] = self._choice()
                if await self._answer(person, name, question, answers[position]):
                    del answers[position]
        if self.dice.random() < RELOAD:
            await self._reload(person, name)
        return await self._submit(person, name, answers)

    async def _answer(self, person: Person, name: str, question: dict[str, Any], value: Any) -> bool:
        """Save a draft and answer one question before the submission, or return False if the answer still has to be
        sent.
        """
        position, path = question["position"], f"assignments/{name}/answers/{question['position']}"
        if self.dice.random() < DRAFT:
            await self._draft(person, name, position, question["revision"] + 1)
        if self.dice.random() > ANSWER:
            return False
        changes = self.dice.random() < CHANGE
        # A request that is delayed may still be carried out after the next one: only a prompt answer is changed.
        reply = await self._send(person, "PUT", path, {"value": value, "seconds": 2.5}, mishaps=not changes)
        if not reply.ok:
            return False
        self.ledger.write("answer", name, position, value)
        for feedback in reply.body["feedback"]:
            await self._acknowledge(person, name, feedback["position"])
        if changes and reply.at_once:
            await self._change(person, name, position, {"best": value["worst"], "worst": value["best"]})
        return True

    async def _change(self, person: Person, name: str, position: int, value: Any) -> None:
        self.ledger.write("change", name, position, value)
        reply = await self._send(person, "PUT", f"assignments/{name}/answers/{position}", {"value": value})
        self.ledger.write(*(("answer", name, position, value) if reply.ok else ("kept", name, position)))
        for feedback in reply.body["feedback"] if reply.ok else []:
            await self._acknowledge(person, name, feedback["position"])

    async def _draft(self, person: Person, name: str, position: int, revision: int) -> None:
        draft = self._choice()
        reply = await self._send(
            person,
            "PUT",
            f"assignments/{name}/answers/{position}/draft",
            {"draft": draft, "revision": revision},
            unsure=lambda: self.ledger.write("unsure", name, position, revision),
        )
        if reply.ok:
            self.ledger.write("draft", name, position, revision, draft)

    async def _acknowledge(self, person: Person, name: str, position: int) -> None:
        reply = await self._send(person, "POST", f"assignments/{name}/answers/{position}/acknowledgement", {})
        if reply.ok:
            self.ledger.write("seen", name, position)

    async def _reload(self, person: Person, name: str) -> None:
        """Read the assignment again, like a page after a reload, and read any feedback."""
        reply = await self._send(person, "GET", f"assignments/{name}")
        for question in reply.body["questions"] if reply.ok else []:
            if question["feedback"] is not None:
                await self._acknowledge(person, name, question["position"])

    async def _submit(self, person: Person, name: str, answers: dict[int, Any]) -> Any:
        sent = [{"position": position, "value": value, "seconds": 2.5} for position, value in answers.items()]
        for _ in range(3):
            reply = await self._send(person, "POST", f"assignments/{name}/submission", {"answers": sent, "next": True})
            if reply.ok:
                self.tally.hits += 1
                receipt = reply.body["receipt"]
                self.ledger.write("receipt", name, receipt["credited"], answers)
                for feedback in receipt["feedback"]:
                    await self._acknowledge(person, name, feedback["position"])
                return reply.body["next"]
            await self._reload(person, name)  # feedback that has not been read stands in the way
        return None

    def _choice(self) -> dict[str, int]:
        best, worst = self.dice.sample((1, 2, 3, 4), 2)
        return {"best": best, "worst": worst}

    async def _send(self, person: Person, *request: Any, **options: Any) -> Reply:
        return await self.client.send(*request, authorization=person.authorization, **options)
