"""Answers in a results file from Mechanical Turk, checked against the study."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from annotate import tasktypes
from annotate.exchange.faults import Fault, TableError, in_order
from annotate.exchange.mturk_results import Result, read_results
from annotate.exchange.tables import Limits, read_table
from annotate.models import Hit, HitQuestion, Question, Study
from annotate.mturk_batch import with_gold
from annotate.mturk_seals import gold_in_row
from annotate.numerics.draws import generator

ANSWERS = "Answer.answers"
LONGEST_ID = 200
MOST_QUESTIONS = 1_000  # in one assignment
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")  # characters that PostgreSQL cannot store
IN_HIT = (Question.Kind.GOLD, Question.Kind.RETIRED)


@dataclass(frozen=True, slots=True)
class BatchAnswer:
    """One answer in a results file, with a checked `value` and the order in which the items were shown.

    `added` is true for an answer to a gold question that is not in the row.
    """

    position: int
    question: Question
    shown: tasktypes.Json
    value: tasktypes.Json
    seconds: float | None
    disputed: bool
    note: str
    added: bool


@dataclass(frozen=True, slots=True)
class BatchAssignment:
    """One assignment in a results file. `left_out` contains the row's unanswered gold questions."""

    line: int
    assignment: str
    worker: str
    hit_id: int
    submitted_at: datetime | None
    answers: list[BatchAnswer]
    left_out: list[Question]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An assignment with unreadable answers. The pages of a batch never send unreadable answers."""

    assignment: str
    fault: Fault


@dataclass(frozen=True, slots=True)
class Read:
    """The contents of a results file: new assignments, unreadable assignments, and the numbers of rejected and already
    imported assignments.
    """

    done: list[BatchAssignment]
    unreadable: list[Unreadable]
    rejected: int
    known: int


def read_assignments(
    study: Study, data: bytes, filename: str, *, known: AbstractSet[str], skip_faulty: bool = False
) -> Read:
    """Read the assignments whose IDs are not in `known`. Raises `TableError` with all errors.

    If `skip_faulty` is true, errors in a worker's answers exclude only that assignment.
    """
    limits = Limits(rows=settings.LIMIT_ROWS, bytes=settings.LIMIT_UPLOAD_BYTES)
    table = read_table(data, name=filename, limits=limits)
    results = [(row.line, result) for row, result in zip(table.rows, read_results(table), strict=True)]
    reader = _Reader(study)
    new = [(line, result) for line, result in results if result.assignment_id not in known]
    fresh = [(line, result) for line, result in new if result.assignment_status != "Rejected"]
    done = [one for line, result in fresh if (one := reader.read(line, result)) is not None]
    if reader.faults or (reader.unreadable and not skip_faulty):
        raise TableError(filename, in_order([*reader.faults, *(one.fault for one in reader.unreadable)]))
    return Read(done, reader.unreadable, rejected=len(new) - len(fresh), known=len(results) - len(new))


class _Wrong(ValueError):
    """An error in one column of an assignment."""

    def __init__(self, column: str, message: str) -> None:
        super().__init__(message)
        self.column = column


class _Reader:
    """A parser of assignments that collects all errors."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.task = tasktypes.get(study.task_type)
        self.faults: list[Fault] = []
        self.unreadable: list[Unreadable] = []
        self.hits = {str(hit.number): hit for hit in Hit.objects.filter(study=study)}
        self.in_hit: dict[int, dict[str, Question]] = {hit.pk: {} for hit in self.hits.values()}
        for link in HitQuestion.objects.filter(hit__study=study).select_related("question").order_by("hit", "position"):
            self.in_hit[link.hit_id][link.question.ref] = link.question
        gold = Question.objects.filter(study=study, kind__in=IN_HIT)
        self.gold = {question.ref: question for question in gold}
        self.drawn_gold = self._drawn_gold()

    def read(self, line: int, result: Result) -> BatchAssignment | None:
        try:
            for column, name in (("AssignmentId", result.assignment_id), ("WorkerId", result.worker_id)):
                if len(name) > LONGEST_ID:
                    raise _Wrong(column, f"the ID has {len(name):,} characters, so it is not an ID of Mechanical Turk")
            hit = self._hit(result.input)
            gold = self._gold_in_row(hit, result.input)
            answers = self._answers(result.answers, self.in_hit[hit.pk], gold)
        except _Wrong as wrong:
            fault = Fault(line, wrong.column, str(wrong))
            if wrong.column == ANSWERS:
                self.unreadable.append(Unreadable(result.assignment_id, fault))
            else:
                self.faults.append(fault)
            return None
        refs = {answer.question.ref for answer in answers}
        left_out = [self.gold[ref] for ref in sorted(gold - refs)]
        return BatchAssignment(
            line, result.assignment_id, result.worker_id, hit.pk, result.submit_time, answers, left_out
        )

    def _drawn_gold(self) -> dict[int, set[str]]:
        """Return the gold questions that each HIT would have in a new input file, by HIT number."""
        numbers = sorted(int(number) for number in self.hits)
        facts = {name: getattr(self.study, name) for name in ("seed", "gold_block", "questions_per_hit")}
        gold = [ref for ref, question in self.gold.items() if question.kind == Question.Kind.GOLD]
        refs = [list(self.in_hit[self.hits[str(number)].pk]) for number in numbers]
        rows = with_gold(refs, gold, facts)
        return {number: set(row) & self.gold.keys() for number, row in zip(numbers, rows, strict=True)}

    def _gold_in_row(self, hit: Hit, row: Mapping[str, str]) -> set[str]:
        """Return a row's gold questions from its cell in the results file, or redraw them if the cell is missing.

        The cell is correct even if gold questions were added or excluded after the batch was published.
        """
        contents = row.get("questions", "")
        if not contents:
            return self.drawn_gold[hit.number]
        try:
            gold = gold_in_row(contents, seed=self.study.seed, number=hit.number)
        except ValueError as error:
            raise _Wrong("Input.questions", str(error)) from error
        return gold & self.gold.keys()

    def _hit(self, row: Mapping[str, str]) -> Hit:
        study, number = row.get("study", ""), row.get("hit", "")
        if study != self.study.public_id:
            raise _Wrong("Input.study", f"the study is {study or 'empty'}, but this study is {self.study.public_id}")
        if number not in self.hits:
            raise _Wrong("Input.hit", f"the study has no HIT {number or '(empty)'}")
        return self.hits[number]

    def _answers(
        self, cells: Mapping[str, str], questions: Mapping[str, Question], gold: AbstractSet[str]
    ) -> list[BatchAnswer]:
        try:
            sent = json.loads(cells.get(ANSWERS.removeprefix("Answer."), ""))
        except (ValueError, RecursionError):
            sent = None
        if not isinstance(sent, list) or not all(isinstance(each, dict) for each in sent):
            raise _Wrong(ANSWERS, "the cell is not the JSON list that the page of a batch sends")
        if len(sent) > MOST_QUESTIONS:
            raise _Wrong(
                ANSWERS, f"the cell has {len(sent):,} answers, but an assignment has at most {MOST_QUESTIONS:,}"
            )
        answers = [self._answer(place, each, questions, gold) for place, each in enumerate(sent, start=1)]
        refs = [answer.question.ref for answer in answers]
        if len(set(refs)) < len(refs):
            raise _Wrong(ANSWERS, "a question is answered twice")
        if missing := questions.keys() - set(refs):
            raise _Wrong(ANSWERS, f"there is no answer to question {', '.join(sorted(missing))}")
        return answers

    def _answer(
        self, place: int, sent: Mapping[str, tasktypes.Json], questions: Mapping[str, Question], gold: AbstractSet[str]
    ) -> BatchAnswer:
        ref = str(sent.get("question"))
        question = questions.get(ref) or self.gold.get(ref)
        if question is None:
            raise _Wrong(ANSWERS, f"answer {place}: the HIT has no question {ref!r}")
        shown = sent.get("shown")
        in_some_order = self.task.shuffle(question.payload, generator(0))
        if not isinstance(shown, list) or sorted(map(repr, shown)) != sorted(map(repr, in_some_order)):
            raise _Wrong(ANSWERS, f"answer {place}: {shown!r} is not an order of the contents of question {ref}")
        try:
            value = self.task.clean(question.payload, shown, sent.get("value"), self.study.options)
        except tasktypes.InvalidAnswer as error:
            raise _Wrong(ANSWERS, f"answer {place}, {error.path}: {error}") from error
        return BatchAnswer(
            position=place,
            question=question,
            shown=shown,
            value=value,
            seconds=_seconds(sent.get("seconds")),
            disputed=sent.get("feedback") == "disputed",
            note=_NO_TEXT.sub("\ufffd", str(sent.get("note") or ""))[:1000],
            added=ref not in questions and ref not in gold,
        )


def _seconds(sent: tasktypes.Json) -> float | None:
    """Return how many seconds the annotator spent on the question, or None if the page could not measure the time."""
    if isinstance(sent, bool) or not isinstance(sent, int | float) or not math.isfinite(sent) or sent < 0:
        return None
    return float(sent)
