"""The assignments in a results file, checked against the study.

The file is read row by row, and each assignment keeps its checked answers in a compact form, because a results file can
contain more answers than fit into memory as objects.
"""

from __future__ import annotations

import hashlib
import json
import marshal
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from django.conf import settings

from accord_core.exchange.chunked import Chunked, read_chunks
from accord_core.exchange.faults import Fault, TableError, in_order
from accord_core.exchange.mturk_results import ANSWER, COLUMNS, STATUS, Result, iter_results
from accord_core.exchange.tables import Limits
from annotate import tasktypes
from annotate.models import Question, Study
from annotate.mturk.seals import gold_in_row
from annotate.mturk.services.archived_hits import ArchivedHits, UnknownHit, is_archived
from annotate.mturk.services.batch_questions import Asked, BatchQuestions

ANSWERS = "Answer.answers"
LONGEST_ID = 200
MOST_QUESTIONS = 1_000  # in one assignment
MOST_DIGITS = 10  # of the number of a HIT
LONGEST_TIME = 30 * 86_400  # seconds on one question, as in the API. The sum of forged times could be infinite.
AT_ONCE = 500  # assignments whose questions are in memory at the same time
# The columns that are stored with an assignment and written back to a results file.
KEPT = {
    "hit_id": "HITId",
    "hit_type_id": "HITTypeId",
    "accept_time": "AcceptTime",
    "work_time_in_seconds": "WorkTimeInSeconds",
}
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")  # characters that PostgreSQL cannot store
Grade = tuple[dict[str, float], bool]


class BatchAnswer(NamedTuple):
    """One answer in a results file, with a checked `value` and the displayed order of its items.

    A gold question has a `grade`, which is None for all other questions. `counts_as_gold` is true if the grade is part
    of the worker's accuracy. A gold question that was not answered has no value. `added` is true for an answer to a
    gold question that is not in the row.
    """

    question: int  # the primary key
    shown: tasktypes.Json
    value: tasktypes.Json
    seconds: float | None
    disputed: bool
    note: str
    added: bool
    grade: Grade | None
    counts_as_gold: bool
    gold_version: int


@dataclass(frozen=True, slots=True)
class BatchAssignment:
    """One assignment in a results file. `added` and `left_out` contain the gold questions that the worker answered
    outside the row, and the unanswered gold questions of the row.
    """

    line: int
    assignment: str
    worker: str
    hit_id: int
    submitted_at: datetime | None
    status: str
    digest: str
    cells: str  # JSON
    packed: bytes
    added: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def answers(self) -> list[BatchAnswer]:
        """Return the answers in position order, followed by the unanswered gold questions."""
        return [BatchAnswer(*each) for each in marshal.loads(zlib.decompress(self.packed))]  # noqa: S302 - packed below


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An assignment whose answers cannot be read. A batch page never sends such answers."""

    assignment: str
    fault: Fault


@dataclass(frozen=True, slots=True)
class Read:
    """The contents of a results file. If `has_statuses` is false, all assignments count as submitted."""

    assignments: list[BatchAssignment]
    unreadable: list[Unreadable]
    has_statuses: bool


def read_assignments(study: Study, file: Chunked, *, skip_faulty: bool = False) -> Read:
    """Read all assignments in the file. Raises `TableError` with every error.

    If `skip_faulty` is true, errors in a worker's answers exclude only that assignment.
    """
    table = read_chunks(file, limits=Limits(rows=settings.LIMIT_ROWS))
    faults: list[Fault] = []
    reader = _Reader(study, faults)
    assignments: list[BatchAssignment] = []
    for chunk in _chunks(iter_results(table, faults)):
        reader.prepare(result for _, result in chunk)
        assignments += [one for line, result in chunk if (one := reader.read(line, result)) is not None]
    if faults or (reader.unreadable and not skip_faulty):
        raise TableError(file.name, in_order([*faults, *(one.fault for one in reader.unreadable)]))
    return Read(assignments, reader.unreadable, STATUS in table.columns)


def _chunks(results: Iterator[tuple[int, Result]]) -> Iterator[list[tuple[int, Result]]]:
    return iter(lambda: list(islice(results, AT_ONCE)), [])


class _Wrong(ValueError):
    """An error in one column of an assignment."""

    def __init__(self, column: str, message: str) -> None:
        super().__init__(message)
        self.column = column


class _Reader:
    """A parser for assignments that collects all errors."""

    def __init__(self, study: Study, faults: list[Fault]) -> None:
        self.study = study
        self.task = tasktypes.get(study.task_type)
        self.faults = faults
        self.unreadable: list[Unreadable] = []
        self.questions = BatchQuestions(study)
        self.archived_hits = ArchivedHits(study)
        self.in_hit: Mapping[int, Mapping[str, Asked]] = {}
        self.gold_by_row: dict[int, tuple[int, set[str]]] = {}

    def prepare(self, results: Iterable[Result]) -> None:
        """Read the questions in the HITs of these results."""
        hits = {self._number(result) for result in results} & self.questions.hits.keys()
        self.in_hit = self.questions.of_hits(sorted(self.questions.hits[number] for number in hits))

    def read(self, line: int, result: Result) -> BatchAssignment | None:
        try:
            for column, name in (("AssignmentId", result.assignment_id), ("WorkerId", result.worker_id)):
                if len(name) > LONGEST_ID:
                    raise _Wrong(column, f"the ID has {len(name):,} characters, so it is not an ID of Mechanical Turk")
                if not name.isprintable():
                    raise _Wrong(column, f"the ID {name!r} contains an invisible character")
            if is_archived(self.study, result):
                # The HITs of other projects do not contain this study's gold questions.
                hit_id, gold = self.questions.hits[self.archived_hits.number_of(result)], set[str]()
                answers = self._archived(result, self.in_hit[hit_id])
            else:
                number, hit_id = self._hit(result.input)
                gold = self._gold_in_row(number, result.input)
                answers = self._answers(result.answers, self.in_hit[hit_id], gold)
        except (_Wrong, UnknownHit) as wrong:
            fault = Fault(line, wrong.column, str(wrong))
            if wrong.column.startswith(ANSWER):
                self.unreadable.append(Unreadable(result.assignment_id, fault))
            else:
                self.faults.append(fault)
            return None
        return self._assignment(line, result, hit_id, gold, answers)

    def _assignment(
        self, line: int, result: Result, hit_id: int, gold: AbstractSet[str], answers: Mapping[str, BatchAnswer]
    ) -> BatchAssignment:
        left_out = sorted(gold - answers.keys())
        missing = [self._left_out(self.questions.gold[ref]) for ref in left_out]
        return BatchAssignment(
            line=line,
            assignment=result.assignment_id,
            worker=result.worker_id,
            hit_id=hit_id,
            submitted_at=result.submit_time,
            status=result.assignment_status,
            digest=digest_of(result.answers),
            cells=_kept(result),
            packed=zlib.compress(marshal.dumps([tuple(answer) for answer in (*answers.values(), *missing)]), 1),
            added=tuple(ref for ref, answer in answers.items() if answer.added),
            left_out=tuple(left_out),
        )

    def _gold_in_row(self, number: int, row: Mapping[str, str]) -> set[str]:
        """Return a row's gold questions from its cell in the results file, or redraw them if the cell is missing.

        The cell is correct even if gold questions were added or excluded after the batch was published. All assignments
        of a HIT have the same cell, which is read once.
        """
        contents = row.get("questions", "")
        if not contents:
            return self._drawn_gold.get(number, set())
        known, cell = self.gold_by_row.get(number), hash(contents)
        if known is None or known[0] != cell:
            try:
                gold = gold_in_row(contents, seed=self.study.seed, number=number)
            except ValueError as error:
                raise _Wrong("Input.questions", str(error)) from error
            known = self.gold_by_row[number] = cell, gold & self.questions.gold.keys()
        return known[1]

    @cached_property
    def _drawn_gold(self) -> dict[int, set[str]]:
        return self.questions.drawn_gold()

    def _hit(self, row: Mapping[str, str]) -> tuple[int, int]:
        study, number = row.get("study", ""), _number(row)
        if study != self.study.public_id:
            raise _Wrong("Input.study", f"the study is {study or 'empty'}, but this study is {self.study.public_id}")
        if number not in self.questions.hits:
            raise _Wrong("Input.hit", f"the study has no HIT {row.get('hit') or '(empty)'}")
        return number, self.questions.hits[number]

    def _answers(
        self, cells: Mapping[str, str], asked: Mapping[str, Asked], gold: AbstractSet[str]
    ) -> dict[str, BatchAnswer]:
        """Return the answers by question ref, in position order."""
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
        answers = dict(self._answer(place, each, asked, gold) for place, each in enumerate(sent, start=1))
        if len(answers) < len(sent):
            raise _Wrong(ANSWERS, "a question is answered twice")
        if missing := asked.keys() - answers.keys():
            raise _Wrong(ANSWERS, f"there is no answer to question {', '.join(sorted(missing))}")
        return answers

    def _answer(
        self, place: int, sent: Mapping[str, tasktypes.Json], asked: Mapping[str, Asked], gold: AbstractSet[str]
    ) -> tuple[str, BatchAnswer]:
        ref = str(sent.get("question"))
        question = asked.get(ref) or self.questions.gold.get(ref)
        if question is None:
            raise _Wrong(ANSWERS, f"answer {place}: the HIT has no question {ref!r}")
        shown = sent.get("shown")
        if not isinstance(shown, list) or sorted(map(repr, shown)) != question.parts:
            raise _Wrong(ANSWERS, f"answer {place}: {shown!r} is not an order of the contents of question {ref}")
        try:
            value = self.task.clean(question.payload, shown, sent.get("value"), self.study.options)
        except tasktypes.InvalidAnswer as error:
            raise _Wrong(ANSWERS, f"answer {place}, {error.path}: {error}") from error
        added = ref not in asked and ref not in gold
        return ref, BatchAnswer(
            question=question.pk,
            shown=shown,
            value=value,
            seconds=_seconds(sent.get("seconds")),
            disputed=sent.get("feedback") == "disputed",
            note=_NO_TEXT.sub("\ufffd", str(sent.get("note") or ""))[:1000],
            added=added,
            grade=self._grade(question, value, missed=added),
            counts_as_gold=question.kind == Question.Kind.GOLD,
            gold_version=question.gold_version,
        )

    def _archived(self, result: Result, asked: Mapping[str, Asked]) -> dict[str, BatchAnswer]:
        """Return the answer in an old project's columns. The order in which the project's page showed the contents is
        not known."""
        (ref, question), *_ = asked.items()
        try:
            value = self.task.read_archived(question.payload, result.answers, self.study.options)
        except tasktypes.InvalidAnswer as error:
            raise _Wrong(ANSWER + error.path, str(error)) from error
        seconds, grade = _seconds(result.work_time_in_seconds), self._grade(question, value, missed=False)
        is_gold = question.kind == Question.Kind.GOLD
        return {
            ref: BatchAnswer(question.pk, [], value, seconds, False, "", False, grade, is_gold, question.gold_version)
        }

    def _number(self, result: Result) -> int:
        """Return the HIT number. Return 0, which is never a HIT number, if the study has no HIT for the row."""
        if not is_archived(self.study, result):
            return _number(result.input)
        try:
            return self.archived_hits.number_of(result)
        except UnknownHit:
            return 0

    def _left_out(self, question: Asked) -> BatchAnswer:
        """Return the gold question without an answer, so that it counts as missed."""
        grade = self._grade(question, None, missed=True)
        is_gold = question.kind == Question.Kind.GOLD
        return BatchAnswer(question.pk, [], None, None, False, "", False, grade, is_gold, question.gold_version)

    def _grade(self, question: Asked, value: tasktypes.Json, *, missed: bool) -> Grade | None:
        if not question.graded:
            return None
        if missed:
            grade = self.task.missed(question.payload, question.gold)
        else:
            grade = self.task.grade(question.payload, question.gold, value, self.study.options)
        return dict(grade.tally), bool(grade.passed)


def _number(row: Mapping[str, str]) -> int:
    """Return a row's HIT number. Return 0, which is never a HIT number, if the cell contains no number."""
    cell = row.get("hit", "")
    return int(cell) if cell.isascii() and cell.isdigit() and len(cell) < MOST_DIGITS else 0


def digest_of(answers: Mapping[str, str]) -> str:
    """Return a digest of a row's answers, which shows whether they have changed in a newer file."""
    return hashlib.sha256(json.dumps(sorted(answers.items())).encode()).hexdigest()


def times(answers: Iterable[BatchAnswer]) -> Sequence[float | None]:
    """Return the times of the answered questions."""
    return [answer.seconds for answer in answers if answer.value is not None]


def _kept(result: Result) -> str:
    cells = {column: COLUMNS[column][1].write(getattr(result, field)) for field, column in KEPT.items()}
    return json.dumps({column: cell for column, cell in cells.items() if cell})


def _seconds(sent: tasktypes.Json) -> float | None:
    """Return the number of seconds that the annotator spent on the question, or None if the page could not measure the
    time.
    """
    if isinstance(sent, bool) or not isinstance(sent, int | float) or not 0 <= sent <= LONGEST_TIME:
        return None
    return float(sent)
