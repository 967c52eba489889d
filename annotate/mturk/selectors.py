"""Files in Mechanical Turk format: a study's results with payment decisions, or lists of workers.

Hosts such as Turkle and scripts that were written for Mechanical Turk read these files.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

from django.db.models import QuerySet

from accord_core.exchange.csvtext import write_csv
from accord_core.exchange.mturk_cells import MONEY, TIME, WHOLE
from accord_core.exchange.mturk_results import ANSWER, APPROVE, COLUMNS, INPUT, REJECT
from annotate import tasktypes
from annotate.models import Annotator, Answer, Assignment, Participation, PayEntry, Study
from annotate.models.annotator import ParticipationQuerySet
from annotate.mturk.models import ResultImport

AT_ONCE = 500  # assignments whose answers are in memory at the same time
RESULT_COLUMNS = (*COLUMNS, f"{INPUT}study", f"{INPUT}hit", f"{ANSWER}answers", APPROVE, REJECT)
APPROVED = "Approved"
NOT_CREDITED = "The study does not pay for this assignment."
WORKER_COLUMNS = ("WorkerId", "Pseudonym", "Reason")
BONUS_COLUMNS = ("WorkerId", "AssignmentId", "BonusAmount", "Reason")


@dataclass(frozen=True)
class HostFile:
    """A file for a host of Mechanical Turk batches. `write` returns its contents."""

    filename: str
    description: str
    write: Callable[[Study], Iterator[str]]


def results_csv(study: Study, *, worker_ids: bool = False, decisions: bool = False) -> Iterator[str]:
    """Yield a results file with all of the study's submitted assignments, in the order of their claims.

    Without `worker_ids`, the column WorkerId contains pseudonyms. With `decisions`, the columns Approve and Reject
    contain the decision about each assignment that has not been approved: the study pays for credited assignments.
    """
    return write_csv(_result_rows(study, worker_ids, decisions), RESULT_COLUMNS)


def _result_rows(study: Study, worker_ids: bool, decisions: bool) -> Iterator[list[str]]:
    assignments = (
        Assignment.objects.filter(study=study, kind=Assignment.Kind.REGULAR, submitted_at__isnull=False)
        .exclude(participation__annotator__is_program=True)
        .select_related("participation__annotator", "hit", "hosted__hit")
        .order_by("pk")
        .iterator(AT_ONCE)
    )
    for chunk in iter(lambda: list(islice(assignments, AT_ONCE)), []):
        answers = _answers(study, chunk)
        for assignment in chunk:
            fixed = _fixed_cells(study, assignment, worker_ids)
            decision = _decision(assignment) if decisions else ("", "")
            hit = _hit_number(assignment)
            yield [
                *(fixed.get(column, "") for column in COLUMNS),
                *(study.public_id, hit, json.dumps(answers[assignment.pk], ensure_ascii=False), *decision),
            ]


def _fixed_cells(study: Study, assignment: Assignment, worker_ids: bool) -> dict[str, str]:
    """Return the columns before Input.*, by name. Columns from an imported results file keep their values."""
    hosted = getattr(assignment, "hosted", None)
    annotator = assignment.participation.annotator
    worker = annotator.external_id if worker_ids else ""
    reward = MONEY.write(assignment.reward)
    cells = {
        "HITId": f"{study.public_id}-{_hit_number(assignment)}",
        "HITTypeId": study.public_id,
        "Title": study.title,
        "Reward": reward if study.currency == "USD" else reward.removeprefix("$"),
        "CreationTime": _time(study.opened_at or study.created_at),
        "MaxAssignments": WHOLE.write(study.judgements),
        "AssignmentDurationInSeconds": WHOLE.write(study.lease_minutes * 60),
        "AssignmentId": assignment.external_id or assignment.public_id,
        "WorkerId": worker or assignment.participation.pseudonym,
        "AssignmentStatus": (hosted.status if hosted else "") or "Submitted",
        "AcceptTime": "" if hosted else _time(assignment.claimed_at),
        "SubmitTime": _time(assignment.submitted_at),
        "WorkTimeInSeconds": "" if assignment.seconds is None else WHOLE.write(round(assignment.seconds)),
    }
    return cells | (hosted.cells if hosted else {})


def _hit_number(assignment: Assignment) -> str:
    hosted = getattr(assignment, "hosted", None)
    hit = assignment.hit or (hosted.hit if hosted else None)
    return str(hit.number) if hit else ""


def _decision(assignment: Assignment) -> tuple[str, str]:
    """Return the contents of the Approve and Reject cells. An assignment that has been approved needs no decision."""
    hosted = getattr(assignment, "hosted", None)
    if hosted and hosted.status == APPROVED:
        return "", ""
    return ("x", "") if assignment.credited else ("", NOT_CREDITED)


def _answers(study: Study, assignments: Iterable[Assignment]) -> dict[int, list[dict[str, tasktypes.Json]]]:
    """Return each assignment's answers in the format sent by a batch page."""
    task = tasktypes.get(study.task_type)
    found: dict[int, list[dict[str, tasktypes.Json]]] = defaultdict(list)
    answers = Answer.objects.filter(assignment__in=[one.pk for one in assignments], given_at__isnull=False)
    for answer in answers.select_related("question").order_by("assignment", "position"):
        question = answer.question
        seen = answer.tally is not None and not answer.passed
        found[answer.assignment_id].append(
            {
                "position": answer.position,
                "question": question.ref,
                "items": list(task.keys_on_screen(question.payload, answer.shown)),
                "shown": answer.shown,
                "value": task.reveal(question.payload, answer.shown, answer.value),
                "seconds": answer.seconds,
                "feedback": "disputed" if answer.disputed else "seen" if seen else None,
                "note": answer.dispute_note,
            }
        )
    return found


def _time(at: datetime | None) -> str:
    return "" if at is None else TIME.write(at.astimezone(UTC).replace(microsecond=0))


def qualified_csv(study: Study) -> Iterator[str]:
    """Yield the workers who reached the pass mark, and can therefore work in other studies."""
    people = Participation.objects.filter(study=study, graded__gt=0).exclude(
        standing__in=[Participation.Standing.STOPPED, Participation.Standing.WITHDRAWN]
    )
    return _workers(people, "not stopped by the quality rule")


def excluded_csv(study: Study) -> Iterator[str]:
    """Yield the workers who were stopped, with the reason."""
    return _workers(Participation.objects.filter(study=study, standing=Participation.Standing.STOPPED), "")


def _workers(people: ParticipationQuerySet, reason: str) -> Iterator[str]:
    chosen = people.people().exclude(annotator__external_id="").select_related("annotator")
    on_hosts = chosen.filter(annotator__platform__in=[Annotator.Platform.MTURK, Annotator.Platform.PROLIFIC])
    rows = (
        [person.annotator.external_id, person.pseudonym, reason or person.standing_reason]
        for person in on_hosts.order_by("pk")
    )
    return write_csv(rows, WORKER_COLUMNS)


def bonuses_csv(study: Study) -> Iterator[str]:
    """Yield each worker's bonuses after corrections, and the worker's latest assignment, because hosts require an
    assignment.
    """
    entries = PayEntry.objects.filter(study=study, kind=PayEntry.Kind.BONUS).select_related("participation__annotator")
    amounts = defaultdict(list)
    for entry in entries.order_by("pk"):
        amounts[entry.corrects_id or entry.pk].append(entry)
    latest = dict(
        Assignment.objects.filter(study=study, submitted_at__isnull=False)
        .exclude(external_id="")
        .order_by("pk")
        .values_list("participation", "external_id")
    )
    rows = []
    for first, *corrections in amounts.values():
        amount = sum((each.amount for each in corrections), first.amount)
        worker = first.participation.annotator.external_id
        if amount > 0 and worker:
            rows.append([worker, latest.get(first.participation_id, ""), f"{amount.normalize():f}", first.reason])
    return write_csv(rows, BONUS_COLUMNS)


FILES = (
    HostFile(
        "decisions.csv",
        "results with worker IDs and the decision about each assignment in the columns Approve and Reject",
        lambda study: results_csv(study, worker_ids=True, decisions=True),
    ),
    HostFile("qualify.csv", "workers whom the quality rule has not stopped", qualified_csv),
    HostFile("exclude.csv", "stopped workers with the reason", excluded_csv),
    HostFile("bonuses.csv", "bonuses after corrections", bonuses_csv),
)


def waiting_files_naming(annotators: QuerySet[Annotator]) -> QuerySet[ResultImport]:
    """Return the files awaiting import in these workers' studies, because they can contain worker IDs."""
    workers = annotators.filter(platform=Annotator.Platform.MTURK).exclude(external_id="")
    return ResultImport.objects.filter(content__isnull=False, study__in=workers.values("study"))
