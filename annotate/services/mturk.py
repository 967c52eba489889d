"""Reading a Mechanical Turk batch back: the results file becomes annotators, assignments and answers.

The page of a batch posts `answers` as JSON, an object for each question in the order in which they were seen:
`position`, `question` (its ref), `shown` and `value` as our own pages say them, `seconds`, and `feedback` (seen or
disputed, with a `note`) where a missed gold question was shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime

from django.db import IntegrityError, transaction

from annotate import clock, tasktypes
from annotate.exchange.faults import TableError
from annotate.models import Annotator, Answer, Assignment, Participation, Question, Study, User
from annotate.refusals import Refused

from . import standing
from .grading import GRADED
from .locks import save_progress
from .log import record
from .mturk_answers import Done, GivenThere, read_assignments
from .pseudonyms import draw_pseudonym
from .slots import take_again
from .writing import write

MTURK = Annotator.Platform.MTURK
PSEUDONYMS = 10  # tries


@dataclass
class ImportedResults:
    """The outcome of an import. `repeats` are answers to a question that its worker had answered before."""

    assignments: int = 0
    answers: int = 0
    repeats: int = 0
    surplus: int = 0  # assignments of HITs that had all they wanted
    stopped: int = 0  # assignments of workers whom the quality rule had stopped, or stopped with them
    known: int = 0  # assignments that were imported before
    rejected: int = 0  # assignments rejected on Mechanical Turk, which are left out
    faulty: int = 0  # assignments whose answers cannot be read, which are left out
    gold_left_out: int = 0  # unanswered gold questions of rows; count as missed
    gold_added: int = 0  # answers to gold questions that are not in the row; count as missed


def import_results(
    study_id: int, data: bytes, filename: str, *, user: User | None, skip_faulty: bool = False
) -> ImportedResults:  # fmt: skip
    """Import all results of a batch, or none. Assignments that were imported before do not change.

    Work is taken in the order in which it was submitted: only a worker's first answer to a question counts, only the
    first to a gold question is graded, and the quality rule is looked at after each assignment. The gold questions of a
    row must be answered, these and no others: one that is left out or added counts as missed. An assignment takes an
    open slot of its HIT, or is kept as surplus. With `skip_faulty`, assignments whose answers cannot be read are left
    out, and the log names them; without it, they keep the whole file out. Raises `Refused`: `faults` naming lines and
    columns, `draft` before the study was opened.
    """
    study = Study.objects.get(pk=study_id)
    if study.is_draft:
        raise Refused("draft", "Open the study first: until then its questions can still change.")
    known = _imported(study)
    try:
        read = read_assignments(study, data, filename, known=known, skip_faulty=skip_faulty)
    except TableError as error:
        raise _refusal(error) from error
    imported = ImportedResults(rejected=read.rejected, known=read.known, faulty=len(read.unreadable))
    with write():
        people = _people(study, read.done)
        known = _imported(study)  # once more: the same file may have come twice at this moment
        for person, theirs in people:
            new = [one for one in theirs if one.assignment not in known]
            imported.known += len(theirs) - len(new)
            _take_all(person, new, imported)
        if imported.assignments:
            counted = {each.name: getattr(imported, each.name) for each in fields(imported)}
            record(study, "imported Mechanical Turk results", user=user, filename=filename, **counted)
        for one in read.unreadable:
            reason = f"Assignment {one.assignment}: {one.fault}"
            record(study, "left out a Mechanical Turk assignment", user=user, reason=reason, filename=filename)
    return imported


def _imported(study: Study) -> set[str]:
    """Ids of assignments that came in before."""
    mine = study.assignments.filter(source=Assignment.Source.MTURK).exclude(external_id="")
    return set(mine.values_list("external_id", flat=True))


def _people(study: Study, done: Sequence[Done]) -> list[tuple[Participation, list[Done]]]:
    """Each worker, locked, with their assignments, oldest first."""
    work: dict[str, list[Done]] = {}
    for one in sorted(done, key=lambda one: (one.submitted_at or datetime.max.replace(tzinfo=UTC), one.line)):
        work.setdefault(one.worker, []).append(one)
    ids = {_participation(study, worker).pk: worker for worker in sorted(work)}  # in one order, against deadlocks
    people = (
        Participation.objects.select_for_update(no_key=True, of=("self",))
        .select_related("study", "annotator")
        .filter(pk__in=ids)
        .order_by("pk")
    )
    return [(person, work[ids[person.pk]]) for person in people]


def _participation(study: Study, worker: str) -> Participation:
    """The worker's part in the study, made where there is none: they were let in, and practised, elsewhere."""
    annotator, _ = Annotator.objects.get_or_create(
        study=study, platform=MTURK, external_id=worker, defaults={"verified": True}
    )
    for attempt in range(PSEUDONYMS):
        there = study.participations.filter(annotator=annotator).first()
        if there:
            return there
        try:
            with transaction.atomic():
                made = Participation.objects.create(study=study, annotator=annotator, pseudonym=draw_pseudonym(attempt))
        except IntegrityError:
            continue  # the pseudonym was drawn before, or another import was faster
        record(study, "joined", participation=made, platform=MTURK)
        return made
    raise Refused("busy", "No pseudonym could be found; try again.", status=503)


def _take_all(person: Participation, work: Sequence[Done], imported: ImportedResults) -> None:
    answered = set(person.answers.filter(repeat=False).values_list("question_id", flat=True))
    hits = set(person.assignments.filter(hit__isnull=False).values_list("hit_id", flat=True))
    for one in work:
        was_stopped = person.standing == Participation.Standing.STOPPED
        assignment = _assignment(person, one, again=one.hit_id in hits)
        answers = [_answer(assignment, one, answer, answered) for answer in one.answers]
        answers += [
            _left_out(assignment, place, one, answered) for place, one in enumerate(one.left_out, len(answers) + 1)
        ]
        Answer.objects.bulk_create(answers)
        hits.add(one.hit_id)
        for answer in answers:
            if answer.tally is not None and answer.question.kind == Question.Kind.GOLD:
                standing.add_tallies(person, [answer.tally])
        save_progress(person)
        _say_what_gold_is_wrong(person, one, imported)
        standing.look_at_rule(person)
        imported.assignments += 1
        imported.answers += len(one.answers)
        imported.repeats += sum(answer.repeat for answer in answers)
        imported.surplus += assignment.state == Assignment.State.SURPLUS
        imported.stopped += was_stopped or person.standing == Participation.Standing.STOPPED


def _assignment(person: Participation, one: Done, *, again: bool) -> Assignment:
    """The assignment in the state in which it ends: done, surplus, or void where the worker had been stopped."""
    study = person.study
    submitted = one.submitted_at or clock.now()
    assignment = Assignment(
        study=study, participation=person, hit_id=None if again else one.hit_id, source=Assignment.Source.MTURK,
        external_id=one.assignment, lease_until=submitted, submitted_at=submitted, reward=study.reward, credited=True,
    )  # fmt: skip
    if person.standing == Participation.Standing.STOPPED:
        assignment.state, assignment.reason = Assignment.State.VOID, standing.STOPPED
    elif take_again(assignment):
        assignment.state = Assignment.State.DONE
    else:
        assignment.state = Assignment.State.SURPLUS
        assignment.reason = "the same HIT once more" if again else "the HIT was completed by others before"
    assignment.save()
    return assignment


def _answer(assignment: Assignment, one: Done, given: GivenThere, answered: set[int]) -> Answer:
    question = given.question
    answer = Answer(
        assignment=assignment, participation=assignment.participation, question=question, position=given.position,
        shown=given.shown, value=given.value, given_at=assignment.submitted_at, seconds=given.seconds,
        repeat=question.pk in answered, disputed=given.disputed, dispute_note=given.note,
    )  # fmt: skip
    if question.kind in GRADED and not answer.repeat:
        study = assignment.study
        task = tasktypes.get(study.task_type)
        if given.added:
            grade = task.missed(question.payload, question.gold)
        else:
            grade = task.grade(question.payload, question.gold, given.value, study.options)
        answer.tally, answer.passed, answer.acknowledged_at = grade.tally, grade.passed, answer.given_at
    answered.add(question.pk)
    return answer


def _left_out(assignment: Assignment, position: int, question: Question, answered: set[int]) -> Answer:
    """An answer without a value, graded as missed unless the worker already has a grade for the question."""
    answer = Answer(
        assignment=assignment, participation=assignment.participation, question=question, position=position,
        repeat=question.pk in answered,
    )  # fmt: skip
    if question.kind in GRADED and not answer.repeat:
        grade = tasktypes.get(assignment.study.task_type).missed(question.payload, question.gold)
        answer.tally, answer.passed, answer.acknowledged_at = grade.tally, grade.passed, assignment.submitted_at
    answered.add(question.pk)
    return answer


def _say_what_gold_is_wrong(person: Participation, one: Done, imported: ImportedResults) -> None:
    """Count unanswered and added gold questions, and log them for the annotator's page."""
    added = [answer.question.ref for answer in one.answers if answer.added]
    left_out = [question.ref for question in one.left_out]
    imported.gold_added += len(added)
    imported.gold_left_out += len(left_out)
    if added or left_out:
        parts = [f"left out {', '.join(left_out)}"] if left_out else []
        parts += [f"added {', '.join(added)}"] if added else []
        reason = f"Assignment {one.assignment}: {' and '.join(parts)}. This counts as missed."
        record(person.study, "changed the gold questions of a HIT", participation=person, reason=reason)


def _refusal(error: TableError) -> Refused:
    found: dict[str, list[str]] = {}
    for fault in error.faults:
        found.setdefault(str(fault._replace(message="")).removesuffix(": ") or "file", []).append(fault.message)
    return Refused("faults", f"Nothing was imported. {error}", status=400, fields=found)
