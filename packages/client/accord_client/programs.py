"""Programs as annotators."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias, TypeVar

from .errors import AccordError
from .generated import models, operations
from .operation import Operation
from .session import Flow, Gather, Session

UNAUTHORIZED = 401

T = TypeVar("T")


class Skip(NamedTuple):
    """An answer that skips the question for this reason."""

    reason: str


class Annotated(NamedTuple):
    """The number of HITs that a program has submitted, and why it gets no more HITs, such as `nothing`."""

    hits: int
    why: str


Value: TypeAlias = "models.Answer | Skip"
Answerer: TypeAlias = Callable[[Any], "Value | Awaitable[Value]"]


def annotate(
    session: Session, study: str, name: str, answer: Answerer, *, platform: models.ProgramPlatformEnum = "system"
) -> Flow[Annotated]:
    """Join the study as the program `name` and answer its HITs until there are no more.

    `answer` receives a question as annotators see it, such as `models.Question_bws`, and returns an answer in the
    format of the task type or `Skip`. With `AsyncAccord`, it can be a coroutine function, which then answers the
    questions of a HIT at the same time.
    Stored answers stay as they are, so a program that joins again under the same name continues its work.
    """
    program = _Program(session, study, name, platform)
    yield from program.join()
    claimed = yield from program.send(operations.claims_create())
    hits = 0
    while assignment := claimed["assignment"]:
        answers = yield from _answers(assignment, answer)
        submission: models.SubmissionShapeRequest = {"answers": answers, "next": True}
        submitted = yield from program.send(operations.assignments_submission_create(assignment["id"], submission))
        hits += 1
        claimed = submitted["next"] or (yield from program.send(operations.claims_create()))
    return Annotated(hits, claimed["why"])


def _answers(assignment: models.AssignmentShape, answer: Answerer) -> Flow[list[models.SentShapeRequest]]:
    questions = [each for each in assignment["questions"] if each["value"] is None and not each["skipped"]]
    returned = [answer(question["content"]) for question in questions]
    awaited = [value for value in returned if inspect.isawaitable(value)]
    values: list[Any] = (yield Gather(awaited)) if awaited else returned
    return [_sent(question["position"], value) for question, value in zip(questions, values, strict=True)]


def _sent(position: int, value: Value) -> models.SentShapeRequest:
    if isinstance(value, Skip):
        return {"position": position, "skipped": value.reason}
    return {"position": position, "value": value}


@dataclass
class _Program:
    """A program in a study. Its token expires after 12 hours, and joining again renews it."""

    session: Session
    study: str
    name: str
    platform: models.ProgramPlatformEnum

    def join(self) -> Flow[None]:
        body: models.ProgramDraftRequest = {"platform": self.platform, "name": self.name}
        # The request is repeatable, because a program that is added twice under the same name is one annotator.
        request = replace(operations.studies_programs_create(self.study, body), repeatable=True)
        joined = yield from self.session.send(request)
        self._own = self.session.authorized(f"Participation {joined['token']}")

    def send(self, operation: Operation[T]) -> Flow[T]:
        try:
            return (yield from self._own.send(operation))
        except AccordError as error:
            if error.status != UNAUTHORIZED:
                raise
        yield from self.join()
        return (yield from self._own.send(operation))
