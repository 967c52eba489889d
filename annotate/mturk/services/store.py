"""Services that insert the planned assignments and answers of a results file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from django.db import connection

from annotate.core.services import bulk, standing
from annotate.core.services.gold_sets import GOLD_SUMS
from annotate.core.services.pseudonyms import draw_pseudonym
from annotate.core.services.slots import close
from annotate.core.services.times import whole_time
from annotate.models import Annotator, Answer, Assignment, Event, Participation
from annotate.models.count_triggers import in_bulk
from annotate.models.ids import public_id
from annotate.mturk.models import HostedAssignment, ResultImport
from annotate.mturk.services.answers import BatchAnswer, times
from annotate.mturk.services.plan import MTURK, ImportedResults, Outcome, Worker, count
from annotate.server import clock
from annotate.server.refusals import Refused
from annotate.tasktypes import Progress

AT_ONCE = 1_000  # assignments
TRIES = 10  # attempts to draw an unused pseudonym
HOSTED_TABLE = HostedAssignment._meta.db_table
ASSIGNMENT = (
    *("id", "public_id", "study_id", "participation_id", "hit_id", "slot_id", "source", "external_id", "state"),
    *("reason", "lease_until", "submitted_at", "reward", "credited", "seconds"),
)
HOSTED = (
    "assignment_id",
    "study_id",
    "result_import_id",
    "batch",
    "external_id",
    "hit_id",
    "status",
    "digest",
    "cells",
)
ANSWER = (
    *("assignment_id", "participation_id", "question_id", "position", "shown", "value", "given_at", "seconds"),
    *("repeat", "disputed", "dispute_note", "tally", "passed", "graded_version", "feedback_version"),
    *("always_missed", "acknowledged_at"),
)


def add_workers(workers: Sequence[Worker]) -> None:
    """Store the participations of new workers, and the new grade sums of all workers."""
    known = [worker.person for worker in workers if worker.person.pk]
    Participation.objects.bulk_update(known, GOLD_SUMS[:2], batch_size=AT_ONCE)
    new = [worker.person for worker in workers if not worker.person.pk]
    if not new:
        return
    study = new[0].study
    taken = set(study.participations.values_list("pseudonym", flat=True))
    for person in new:
        person.pseudonym = _unused(taken)
        taken.add(person.pseudonym)
    Annotator.objects.bulk_create([person.annotator for person in new], batch_size=AT_ONCE)
    for person in new:
        person.annotator_id = person.annotator.pk
    Participation.objects.bulk_create(new, batch_size=AT_ONCE)
    Event.objects.bulk_create(
        [Event(study=study, participation=person, verb="joined", detail={"platform": MTURK}) for person in new],
        batch_size=AT_ONCE,
    )


def store(
    record_of_import: ResultImport, outcomes: Iterable[Outcome], counts: ImportedResults, progress: Progress, of: int
) -> None:
    """Insert the assignments and answers, close their slots, and stop workers as the quality rule requires."""
    remaining, stopped = iter(outcomes), {}
    imported = f"SELECT assignment_id FROM {HOSTED_TABLE} WHERE result_import_id = {int(record_of_import.pk)}"  # noqa: S608 (our own names)
    with in_bulk(connection, record_of_import.study_id, imported):
        while chunk := list(islice(remaining, AT_ONCE)):
            _insert(record_of_import, chunk)
            for outcome in chunk:
                count(outcome, counts)
                if outcome.worker.stop_at is not None:
                    stopped[outcome.worker.person.pk] = outcome.worker
            progress(counts.assignments / of, f"{counts.assignments:,} of {of:,} assignments")
    for worker in stopped.values():
        standing.stop_by_rule(worker.person, worker.share)


def _unused(taken: set[str]) -> str:
    for attempt in range(TRIES):
        if (name := draw_pseudonym(attempt)) not in taken:
            return name
    raise Refused("busy", "No unused pseudonym could be found. Try again.", status=503)


def _insert(record_of_import: ResultImport, outcomes: Sequence[Outcome]) -> None:
    now = clock.now()
    keys = bulk.reserve_keys(Assignment, len(outcomes))
    pairs = list(zip(keys, outcomes, strict=True))
    close([outcome.slot for outcome in outcomes if outcome.slot is not None])
    bulk.insert(Assignment, ASSIGNMENT, (_assignment(key, one, now) for key, one in pairs))
    bulk.insert(HostedAssignment, HOSTED, (_hosted(key, one, record_of_import) for key, one in pairs))
    bulk.insert(Answer, ANSWER, (row for key, one in pairs for row in _answers(key, one, now)))
    Event.objects.bulk_create(_gold_differences(outcomes))


def _assignment(key: int, outcome: Outcome, now: datetime) -> tuple[Any, ...]:
    row, person = outcome.row, outcome.worker.person
    submitted = row.submitted_at or now
    return (
        *(key, public_id(), person.study_id, person.pk, None if outcome.again else row.hit_id, outcome.slot),
        *(Assignment.Source.MTURK.value, row.assignment, str(outcome.state), outcome.reason, submitted, submitted),
        *(person.study.reward, True, whole_time(times(outcome.answers))),
    )


def _hosted(key: int, outcome: Outcome, record_of_import: ResultImport) -> tuple[Any, ...]:
    row = outcome.row
    return (
        *(key, record_of_import.study_id, record_of_import.pk, record_of_import.batch, row.assignment, row.hit_id),
        *(row.status, row.digest, row.cells),
    )


def _answers(key: int, outcome: Outcome, now: datetime) -> Iterator[tuple[Any, ...]]:
    submitted, person = outcome.row.submitted_at or now, outcome.worker.person.pk
    pairs = zip(outcome.answers, outcome.repeats, strict=True)
    for position, (answer, repeat) in enumerate(pairs, start=1):
        yield (key, person, *_answer(position, answer, submitted, repeat=repeat))


def _answer(position: int, answer: BatchAnswer, submitted: datetime, *, repeat: bool) -> tuple[Any, ...]:
    given = answer.value is not None
    tally, passed = answer.grade if answer.grade and not repeat else (None, None)
    version = 1 if tally is None else answer.gold_version
    return (
        *(answer.question, position, _json(answer.shown), _json(answer.value), submitted if given else None),
        *(answer.seconds, repeat, answer.disputed, answer.note, _json(tally), passed, version, version),
        *(answer.added and tally is not None, submitted if tally is not None else None),
    )


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(value)


def _gold_differences(outcomes: Iterable[Outcome]) -> list[Event]:
    """Return log entries about missing and additional gold questions in assignments."""
    events = []
    for outcome in outcomes:
        row, person = outcome.row, outcome.worker.person
        if not (row.added or row.left_out):
            continue
        parts = [f"did not answer {', '.join(row.left_out)}"] if row.left_out else []
        parts += [f"answered the additional {', '.join(row.added)}"] if row.added else []
        reason = (
            f"Assignment {row.assignment}: the worker {' and '.join(parts)}. "
            "Gold questions count as missed if they are unanswered or do not belong to the HIT."
        )
        verb = "changed the gold questions of a HIT"
        events.append(Event(study=person.study, participation=person, verb=verb, reason=reason[:500]))
    return events
