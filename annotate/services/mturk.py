"""Import the results of a Mechanical Turk batch, which creates annotators, assignments and answers.

The page of a batch sends `answers` as JSON, with one object per question in the order on the page: `position`,
`question` (its ref), `shown`, `value` and `seconds`, as in Accord's own pages. If the annotator missed a gold question,
the object also has `feedback` (seen or disputed) and possibly a `note`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime

from django.db import IntegrityError, transaction

from annotate import clock, tasktypes
from annotate.exchange.faults import TableError
from annotate.models import Annotator, Answer, Assignment, Participation, Question, Study
from annotate.permissions import Action, Actor, require
from annotate.refusals import Refused

from . import standing
from .grading import GRADED, set_grade
from .locks import save_progress
from .log import record
from .mturk_answers import BatchAnswer, BatchAssignment, read_assignments
from .pseudonyms import draw_pseudonym
from .regrading import regrade_late_answers
from .slots import take_again
from .times import whole_time
from .writing import write

MTURK = Annotator.Platform.MTURK
TRIES = 10  # attempts to draw an unused pseudonym


@dataclass
class ImportedResults:
    """The counts that are reported after a results file has been imported. `repeats` counts answers to questions that
    the worker had already answered.
    """

    assignments: int = 0
    answers: int = 0
    repeats: int = 0
    surplus: int = 0  # assignments of HITs without an open slot
    stopped: int = 0  # assignments of workers who were stopped before or by the assignment
    known: int = 0  # assignments that had already been imported
    rejected: int = 0  # assignments that were rejected on Mechanical Turk, which are not imported
    faulty: int = 0  # assignments with unreadable answers, which are not imported
    gold_left_out: int = 0  # unanswered gold questions, which count as missed
    gold_added: int = 0  # answers to gold questions that are not in the row, which count as missed


def import_results(
    study_id: int, data: bytes, filename: str, *, user: Actor, skip_faulty: bool = False, dry_run: bool = False
) -> ImportedResults:
    """Import all results of a batch, or none. Assignments that were imported earlier do not change.

    Assignments are imported in the order of submission. Only a worker's first answer to a question counts, only the
    first answer to a gold question is graded, and the quality rule applies after each assignment. A worker must answer
    exactly the gold questions of the row: a missing or an additional gold question counts as missed. An assignment
    fills an open slot of its HIT, or becomes surplus. If `skip_faulty` is true, assignments with unreadable answers are
    not imported, and the log lists them. Otherwise such an assignment prevents the import. If `dry_run` is true,
    nothing is stored.

    Raises `Refused`: `faults` with lines and columns, `draft` before the study is opened.
    """
    study = Study.objects.get(pk=study_id)
    require(study, user, Action.IMPORT_RESULTS)
    if study.is_draft:
        raise Refused(
            "draft", "Open the study before you import results. The questions of a draft study can still change."
        )
    existing = _imported_ids(study)
    try:
        read = read_assignments(study, data, filename, known=existing, skip_faulty=skip_faulty)
    except TableError as error:
        raise _refusal(error) from error
    imported = ImportedResults(rejected=read.rejected, known=read.known, faulty=len(read.unreadable))
    with write():
        people = _people(study, read.done)
        existing = _imported_ids(study)  # read again, because another import may have finished in the meantime
        for person, assignments in people:
            new = [one for one in assignments if one.assignment not in existing]
            imported.known += len(assignments) - len(new)
            _import_all(person, new, imported)
        if imported.assignments:
            counted = {each.name: getattr(imported, each.name) for each in fields(imported)}
            record(study, "imported Mechanical Turk results", user=user, filename=filename, **counted)
        for one in read.unreadable:
            reason = f"Assignment {one.assignment}: {one.fault}"
            record(study, "skipped a Mechanical Turk assignment", user=user, reason=reason, filename=filename)
        if dry_run:
            transaction.set_rollback(True)
    if not dry_run:
        regrade_late_answers(study)
    return imported


def _imported_ids(study: Study) -> set[str]:
    """Return the Mechanical Turk IDs of the assignments that have already been imported."""
    assignments = study.assignments.filter(source=Assignment.Source.MTURK).exclude(external_id="")
    return set(assignments.values_list("external_id", flat=True))


def _people(study: Study, done: Sequence[BatchAssignment]) -> list[tuple[Participation, list[BatchAssignment]]]:
    """Return each worker's locked participation with the worker's assignments, oldest first."""
    work: dict[str, list[BatchAssignment]] = {}
    for one in sorted(done, key=lambda one: (one.submitted_at or datetime.max.replace(tzinfo=UTC), one.line)):
        work.setdefault(one.worker, []).append(one)
    ids = {
        _participation(study, worker).pk: worker for worker in sorted(work)
    }  # always in the same order, which prevents deadlocks
    people = Participation.objects.locked().filter(pk__in=ids).order_by("pk")
    return [(person, work[ids[person.pk]]) for person in people]


def _participation(study: Study, worker: str) -> Participation:
    """Return the worker's participation, creating it if needed. The study's admission rules and practice questions do
    not apply to these workers.
    """
    annotator, _ = Annotator.objects.get_or_create(
        study=study, platform=MTURK, external_id=worker, defaults={"verified": True}
    )
    for attempt in range(TRIES):
        existing = study.participations.filter(annotator=annotator).first()
        if existing:
            return existing
        try:
            with transaction.atomic():
                participation = Participation.objects.create(
                    study=study, annotator=annotator, pseudonym=draw_pseudonym(attempt)
                )
        except IntegrityError:
            continue  # the pseudonym is in use, or another import created the participation
        record(study, "joined", participation=participation, platform=MTURK)
        return participation
    raise Refused("busy", "No unused pseudonym could be found. Try again.", status=503)


def _import_all(person: Participation, work: Sequence[BatchAssignment], imported: ImportedResults) -> None:
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
        _record_gold_differences(person, one, imported)
        standing.apply_rule(person)
        imported.assignments += 1
        imported.answers += len(one.answers)
        imported.repeats += sum(answer.repeat for answer in answers)
        imported.surplus += assignment.state == Assignment.State.SURPLUS
        imported.stopped += was_stopped or person.standing == Participation.Standing.STOPPED


def _assignment(person: Participation, one: BatchAssignment, *, again: bool) -> Assignment:
    """Create the assignment in its final state: done, surplus, or void if the worker is stopped."""
    study = person.study
    submitted = one.submitted_at or clock.now()
    assignment = Assignment(
        study=study,
        participation=person,
        hit_id=None if again else one.hit_id,
        source=Assignment.Source.MTURK,
        external_id=one.assignment,
        lease_until=submitted,
        submitted_at=submitted,
        reward=study.reward,
        credited=True,
        seconds=whole_time(answer.seconds for answer in one.answers),
    )
    if person.standing == Participation.Standing.STOPPED:
        assignment.state, assignment.reason = Assignment.State.VOID, standing.STOPPED
    elif take_again(assignment):
        assignment.state = Assignment.State.DONE
    else:
        assignment.state = Assignment.State.SURPLUS
        assignment.reason = (
            "the worker had already submitted this HIT" if again else "the HIT had already been completed by others"
        )
    assignment.save()
    return assignment


def _answer(assignment: Assignment, one: BatchAssignment, entry: BatchAnswer, answered: set[int]) -> Answer:
    question = entry.question
    answer = Answer(
        assignment=assignment,
        participation=assignment.participation,
        question=question,
        position=entry.position,
        shown=entry.shown,
        value=entry.value,
        given_at=assignment.submitted_at,
        seconds=entry.seconds,
        repeat=question.pk in answered,
        disputed=entry.disputed,
        dispute_note=entry.note,
    )
    if question.kind in GRADED and not answer.repeat:
        study = assignment.study
        task = tasktypes.get(study.task_type)
        answer.always_missed = entry.added
        if entry.added:
            grade = task.missed(question.payload, question.gold)
        else:
            grade = task.grade(question.payload, question.gold, entry.value, study.options)
        set_grade(answer, grade)
        answer.acknowledged_at = answer.given_at
    answered.add(question.pk)
    return answer


def _left_out(assignment: Assignment, position: int, question: Question, answered: set[int]) -> Answer:
    """Return an answer without a value. The question counts as missed unless the worker already has a grade for it."""
    answer = Answer(
        assignment=assignment,
        participation=assignment.participation,
        question=question,
        position=position,
        repeat=question.pk in answered,
    )
    if question.kind in GRADED and not answer.repeat:
        grade = tasktypes.get(assignment.study.task_type).missed(question.payload, question.gold)
        set_grade(answer, grade)
        answer.acknowledged_at = assignment.submitted_at
    answered.add(question.pk)
    return answer


def _record_gold_differences(person: Participation, one: BatchAssignment, imported: ImportedResults) -> None:
    """Count the missing and the additional gold questions in an assignment, and add a log entry about them."""
    added = [answer.question.ref for answer in one.answers if answer.added]
    left_out = [question.ref for question in one.left_out]
    imported.gold_added += len(added)
    imported.gold_left_out += len(left_out)
    if added or left_out:
        parts = [f"did not answer {', '.join(left_out)}"] if left_out else []
        parts += [f"answered the additional {', '.join(added)}"] if added else []
        reason = (
            f"Assignment {one.assignment}: the worker {' and '.join(parts)}. "
            "Gold questions count as missed if they are unanswered or do not belong to the HIT."
        )
        record(person.study, "changed the gold questions of a HIT", participation=person, reason=reason)


def _refusal(error: TableError) -> Refused:
    fields_of_faults: dict[str, list[str]] = {}
    for fault in error.faults:
        fields_of_faults.setdefault(str(fault._replace(message="")).removesuffix(": ") or "file", []).append(
            fault.message
        )
    return Refused("faults", f"Nothing was imported. {error}", status=400, fields=fields_of_faults)
