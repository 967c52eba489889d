"""The effects of a results file, calculated in memory: the state of each assignment, and the workers who are stopped.

Assignments are imported in the order of submission. Only a worker's first answer to a question counts, and the quality
rule applies after each assignment, as on Accord's own pages. The preview and the import carry out the same
calculation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from annotate.core.services import standing
from annotate.models import Annotator, Answer, Assignment, Participation, Study
from annotate.mturk.services.answers import BatchAnswer, BatchAssignment

MTURK = Annotator.Platform.MTURK
AGAIN = "the worker had already submitted this HIT"
COMPLETED = "the HIT had already been completed by others"


@dataclass
class ImportedResults:
    """The counts reported after the import of a results file. `repeats` is the number of repeated answers. An answer is
    repeated if the worker had already answered the same question.
    """

    assignments: int = 0
    answers: int = 0
    repeats: int = 0
    surplus: int = 0  # assignments of HITs without an open slot
    stopped: int = 0  # assignments of workers who were stopped before or by the assignment
    known: int = 0  # assignments that had already been imported
    rejected: int = 0  # assignments that were rejected on the host, which are not imported
    faulty: int = 0  # assignments with unreadable answers, which are not imported
    gold_left_out: int = 0  # unanswered gold questions, which count as missed
    gold_added: int = 0  # answers to gold questions that are not in the row, which count as missed
    changed: int = 0  # assignments that have changed since they were imported
    replaced: int = 0  # changed assignments whose earlier version was removed


@dataclass
class Worker:
    """A worker with the new assignments, oldest first, and the questions already answered.

    `stop_at` is the index of the assignment at which the quality rule stops the worker, and `share` is the accuracy at
    that time.
    """

    external_id: str
    person: Participation
    work: list[BatchAssignment]
    answered: set[int] = field(default_factory=set)
    hits: set[int] = field(default_factory=set)
    submitted: int = 0  # HITs that the quality rule counts
    stop_at: int | None = None
    share: float | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """An assignment in its final state. `repeats` is, for each answer, whether the worker had already answered the same
    question. If the quality rule stops the worker, the assignments up to the stop count as surplus until the stop is
    recorded.
    """

    worker: Worker
    row: BatchAssignment
    state: str
    reason: str
    slot: int | None
    again: bool
    answers: list[BatchAnswer]
    repeats: list[bool]


def workers_of(study: Study, rows: Iterable[BatchAssignment], *, lock: bool) -> list[Worker]:
    """Return the workers in these assignments: first known workers in a fixed order, then new workers.

    The participations of new workers are not in the database yet. If `lock` is true, the others are locked.
    """
    work: dict[str, list[BatchAssignment]] = {}
    for one in sorted(rows, key=lambda one: (one.submitted_at or datetime.max.replace(tzinfo=UTC), one.line)):
        work.setdefault(one.worker, []).append(one)
    people = Participation.objects.locked() if lock else Participation.objects.select_related("study", "annotator")
    known = {
        person.annotator.external_id: Worker(person.annotator.external_id, person, work[person.annotator.external_id])
        for person in people.filter(study=study, annotator__platform=MTURK).order_by("pk")
        if person.annotator.external_id in work
    }
    _read_progress(study, list(known.values()))
    return [*known.values(), *(Worker(name, _new(study, name), work[name]) for name in sorted(work.keys() - known))]


def judge(workers: Iterable[Worker]) -> None:
    """Add the grades of the new answers to the sums of each worker, and determine when the quality rule stops a
    worker.
    """
    for worker in workers:
        person, answered = worker.person, set(worker.answered)
        by_hits = person.study.rule_unit == Study.RuleUnit.HITS
        for number, one in enumerate(worker.work):
            answers = one.answers
            standing.add_tallies(
                person,
                [each.grade[0] for each in answers if _is_graded(each) and each.question not in answered],  # type: ignore[index]
            )
            answered |= {each.question for each in answers}
            if worker.stop_at is not None or person.has_ended:
                continue
            worker.submitted += person.restored_at is None or (
                one.submitted_at is None or one.submitted_at > person.restored_at
            )
            progress = worker.submitted if by_hits else person.graded - person.forgiven_graded
            if standing.fails_after(person, progress):
                worker.stop_at, worker.share = number, standing.accuracy(person, since_restored=True)


def wanted_slots(workers: Iterable[Worker]) -> Counter[int]:
    """Return each HIT's number of assignments that can fill a slot."""
    return Counter(
        hit
        for worker in workers
        if worker.stop_at is None and worker.person.standing != Participation.Standing.STOPPED
        for hit in {one.hit_id for one in worker.work} - worker.hits
    )


def outcomes(workers: Iterable[Worker], slots: Mapping[int, Sequence[int]]) -> Iterator[Outcome]:
    """Yield the outcome of each assignment. `slots` contains the open slots by HIT."""
    open_slots = {hit: iter(own) for hit, own in slots.items()}
    for worker in workers:
        for number, row in enumerate(worker.work):
            again = row.hit_id in worker.hits
            slot = None
            if worker.person.standing == Participation.Standing.STOPPED or _follows_stop(worker, number):
                state, reason = Assignment.State.VOID, standing.STOPPED
            elif worker.stop_at is not None:
                state, reason = Assignment.State.SURPLUS, ""
            elif not again and (slot := next(open_slots.get(row.hit_id, iter(())), None)) is not None:
                state, reason = Assignment.State.DONE, ""
            else:
                state, reason = Assignment.State.SURPLUS, AGAIN if again else COMPLETED
            answers = row.answers
            repeats = [each.question in worker.answered for each in answers]
            worker.answered.update(each.question for each in answers)
            worker.hits.add(row.hit_id)
            yield Outcome(worker, row, state, reason, slot, again, answers, repeats)
        # All workers' answers in a large file would need tens of megabytes.
        worker.answered, worker.hits = set(), set()


def count(outcome: Outcome, counts: ImportedResults) -> None:
    """Add an assignment to the counts."""
    stopped = outcome.state == Assignment.State.VOID
    stops = outcome.worker.stop_at is not None
    counts.assignments += 1
    counts.answers += len(outcome.answers) - len(outcome.row.left_out)
    counts.repeats += sum(outcome.repeats)
    counts.surplus += outcome.state == Assignment.State.SURPLUS and not stops
    counts.stopped += stopped or _is_last(outcome)
    counts.gold_left_out += len(outcome.row.left_out)
    counts.gold_added += len(outcome.row.added)


def _is_last(outcome: Outcome) -> bool:
    """Return whether the quality rule stops the worker after this assignment."""
    stop_at = outcome.worker.stop_at
    return stop_at is not None and outcome.worker.work[stop_at] is outcome.row


def _follows_stop(worker: Worker, number: int) -> bool:
    return worker.stop_at is not None and number > worker.stop_at


def _is_graded(answer: BatchAnswer) -> bool:
    return answer.grade is not None and answer.counts_as_gold


def _new(study: Study, external_id: str) -> Participation:
    annotator = Annotator(study=study, platform=MTURK, external_id=external_id, verified=True)
    return Participation(study=study, annotator=annotator)


def _read_progress(study: Study, workers: Sequence[Worker]) -> None:
    """Read the known workers' answers and submissions with at most three queries."""
    if not workers:
        return
    by_person = {worker.person.pk: worker for worker in workers}
    for worker in workers:
        worker.person.study = study
    people = study.participations.filter(annotator__platform=MTURK)
    answered = Answer.objects.first_answers().filter(participation__in=people)
    for person, question in answered.values_list("participation", "question").iterator():
        if person in by_person:
            by_person[person].answered.add(question)
    hits = Assignment.objects.filter(participation__in=people, hit__isnull=False)
    for person, hit in hits.values_list("participation", "hit").iterator():
        if person in by_person:
            by_person[person].hits.add(hit)
    if study.rule_unit == Study.RuleUnit.HITS:
        for person, number in standing.rule_progress([worker.person for worker in workers]).items():
            by_person[person].submitted = number
