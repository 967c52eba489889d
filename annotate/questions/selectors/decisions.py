"""Data for a decision on a question: the question's content, the annotators' answers and the current decision."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from annotate import tasktypes
from annotate.models import Decision, Item, Question, Study

from .agreement import mean_similarity, medoid
from .questions import GivenAnswer, given_answers

KEY_LETTERS = frozenset("ABCDEFGHI")


@dataclass(frozen=True)
class Candidate:
    """An annotator's answer that a reviewer can choose as the decision. `pseudonym` is empty in a blind adjudication.

    `value` has the format of the JavaScript module. `differences` describes the parts that differ from the suggested
    answer.
    """

    letter: str
    pseudonym: str
    words: str
    value: Any
    is_suggested: bool
    differences: Sequence[tasktypes.AnswerPart]

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
    """A question, with the answers that a reviewer can choose. `content`, `start` and the candidates' values are in the
    JavaScript module's format. `start` is the current decision or, if there is none, the suggested answer.
    """

    content: dict[str, Any]
    start: Any
    candidates: list[Candidate]
    agreement: float | None

    @property
    def suggested(self) -> Candidate | None:
        """The medoid: the answer that is most similar to the others."""
        return next((candidate for candidate in self.candidates if candidate.is_suggested), None)


def decision_on(question: Question) -> Decision | None:
    return Decision.objects.filter(question=question).select_related("user").first()


def present_question(study: Study, question: Question) -> dict[str, Any]:
    """Return the question in the format that the task type's module displays, with its items in payload order."""
    task = tasktypes.get(study.task_type)
    return task.present(question.payload, [], _contents(study, question), study.options)


def to_decide(study: Study, question: Question, decision: Decision | None) -> ToDecide:
    """Return the question, the annotators' counted answers, and the answer that the editor shows first."""
    task, payload = tasktypes.get(study.task_type), question.payload
    contents = _contents(study, question)
    answers = _in_order(study, question, [row for row in given_answers(study, question) if row.counts])
    values = [row.answer.value for row in answers]
    best = medoid(task, payload, values, study.options) if values else None
    candidates = [
        Candidate(
            letter=ascii_uppercase[at] if at < len(ascii_uppercase) else str(at + 1),
            pseudonym="" if study.blind_adjudication else row.pseudonym,
            words=row.words,
            value=task.reveal(payload, [], row.answer.value),
            is_suggested=at == best,
            differences=_differences(study, question, row.answer.value, values[best], contents)
            if best is not None and at != best
            else (),
        )
        for at, row in enumerate(answers)
    ]
    start = decision.value if decision else values[best] if best is not None else None
    return ToDecide(
        content=task.present(payload, [], contents, study.options),
        start=None if start is None else task.reveal(payload, [], start),
        candidates=candidates,
        agreement=mean_similarity(task, payload, values, study.options),
    )


def _in_order(study: Study, question: Question, answers: list[GivenAnswer]) -> list[GivenAnswer]:
    """Return the answers in chronological order. In a blind adjudication, the answers' order depends on hashes of the
    pseudonyms and the question, so that letters do not identify annotators in other questions.
    """
    if not study.blind_adjudication:
        return answers
    return sorted(
        answers,
        key=lambda row: hashlib.sha256(f"{study.seed}:{question.public_id}:{row.pseudonym}".encode()).digest(),
    )


def _differences(
    study: Study, question: Question, value: Any, suggested: Any, contents: Mapping[str, Any]
) -> Sequence[tasktypes.AnswerPart]:
    if value == suggested:
        return ()
    task = tasktypes.get(study.task_type)
    return task.differing_parts(question.payload, value, suggested, contents, study.options)[0]


def _contents(study: Study, question: Question) -> dict[str, Any]:
    keys = tasktypes.get(study.task_type).item_keys(question.payload)
    return dict(Item.objects.filter(study=study, key__in=keys).values_list("key", "content"))
