"""Data for a decision on a question: the question's content, the annotators' answers and the current decision."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from string import ascii_uppercase
from typing import Any

from annotate import tasktypes
from annotate.models import Decision, Item, Question, Study

from .agreement import queue_agreement
from .flags import flagged
from .questions import GivenAnswer, given_answers

KEY_LETTERS = frozenset("ABCDEFGHI")
VOTERS = 3  # annotators needed for a majority
VERBS = DECIDED, WITHDREW, UNDID = "decided", "withdrew decision", "undid decision"  # of the log entries


@dataclass(frozen=True)
class Candidate:
    """An annotator's answer that a reviewer can choose. `value` has the format of the JavaScript module.

    `pseudonym` is empty until the question is decided. `votes` states whether the answer counts towards a majority.
    """

    letter: str
    pseudonym: str
    words: str
    value: Any
    votes: bool

    @property
    def has_key(self) -> bool:
        """Return whether this answer can be chosen with a keyboard shortcut. Later letters in the alphabet are
        shortcuts for other actions.
        """
        return self.letter in KEY_LETTERS

    @property
    def name(self) -> str:
        return self.pseudonym or f"Annotator {self.letter}"


@dataclass(frozen=True)
class ToDecide:
    """A question, with the answers that a reviewer can choose. `content`, `decided` and the candidates' values are in
    the JavaScript module's format. `decided` is the answer in the current decision, or None.
    """

    content: dict[str, Any]
    decided: Any
    candidates: list[Candidate]
    agreement: float | None

    @property
    def voters(self) -> int:
        """Return the number of annotators who count towards a majority."""
        return sum(candidate.votes for candidate in self.candidates)


def decision_on(question: Question) -> Decision | None:
    return Decision.objects.filter(question=question).select_related("user").first()


def decisions_since(study: Study, at: datetime) -> int:
    """Return the number of questions whose decision differs from the decision at the time `at`."""
    before: dict[str, list[Any] | None] = {}  # the decision's value, or None without a decision
    for verb, detail in study.events.filter(verb__in=VERBS, at__gt=at).order_by("pk").values_list("verb", "detail"):
        before.setdefault(detail["question"], _decided_before(verb, detail))
    decided = Decision.objects.filter(question__study=study, question__ref__in=before)
    now = {ref: [value] for ref, value in decided.values_list("question__ref", "value")}
    return sum(now.get(ref) != value for ref, value in before.items())


def _decided_before(verb: str, detail: Mapping[str, Any]) -> list[Any] | None:
    """Return the value of a question's decision before a log entry, or None if there was no decision."""
    if verb == DECIDED:
        return [detail["earlier"]["value"]] if detail["earlier"] else None
    return [detail["before"]]


def present_question(study: Study, question: Question) -> dict[str, Any]:
    """Return the question in the format that the task type's module displays, with its items in payload order."""
    task = tasktypes.get(study.task_type)
    keys = task.item_keys(question.payload)
    contents = dict(Item.objects.filter(study=study, key__in=keys).values_list("key", "content"))
    return task.present(question.payload, [], contents, study.options)


def to_decide(study: Study, question: Question, decision: Decision | None) -> ToDecide:
    """Return the question and the annotators' counted answers. Pseudonyms are included only after the decision."""
    task, payload = tasktypes.get(study.task_type), question.payload
    answers = _shuffled(study, question, [row for row in given_answers(study, question) if row.counts])
    voters = _voters(study, answers)
    candidates = [
        Candidate(
            letter=ascii_uppercase[at] if at < len(ascii_uppercase) else str(at + 1),
            pseudonym=row.pseudonym if decision else "",
            words=row.words,
            value=task.reveal(payload, [], row.answer.value),
            votes=row.answer.participation_id in voters,
        )
        for at, row in enumerate(answers)
    ]
    value = decision.value if decision else None
    return ToDecide(
        content=present_question(study, question),
        decided=None if value is None else task.reveal(payload, [], value),
        candidates=candidates,
        agreement=queue_agreement(task, payload, [row.answer.value for row in answers], study.options),
    )


def _shuffled(study: Study, question: Question, answers: list[GivenAnswer]) -> list[GivenAnswer]:
    """Return the answers in an order that depends on hashes of the pseudonyms and the question, so that letters do not
    identify annotators in other questions.
    """
    return sorted(
        answers,
        key=lambda row: hashlib.sha256(f"{study.seed}:{question.public_id}:{row.pseudonym}".encode()).digest(),
    )


def _voters(study: Study, answers: list[GivenAnswer]) -> set[int]:
    """Return the annotators who count towards a majority, or nobody if there are fewer than three."""
    people = {row.answer.participation_id: row.answer.participation for row in answers}
    if len(people) < VOTERS:
        return set()
    voters = people.keys() - flagged(study, people.values())
    return voters if len(voters) >= VOTERS else set()
