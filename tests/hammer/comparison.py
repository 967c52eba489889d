"""Comparison of the ledger with the database at the end. `python -m tests.hammer.comparison FOLDER` prints the result
as JSON.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import django

django.setup()

from django.db.models import Count, F, Q  # noqa: E402

from annotate import tasktypes  # noqa: E402
from annotate.core.selectors.progress import judgements_counted  # noqa: E402
from annotate.core.services.job_leases import LOST_TOO_OFTEN  # noqa: E402
from annotate.models import Answer, Assignment, Item, Job, Participation, Slot, Study  # noqa: E402
from tests.hammer.ledger import Promised, promised  # noqa: E402

SHOWN = 20  # lines of each kind of loss
HOLDING = ("leased", "done")
ENDED = ("done", "surplus", "void")


def compare(folder: Path) -> dict[str, Any]:
    """Compare the ledger with the database, and check the rules in the database."""
    sums = promised(folder / "ledger")
    lost = [*_lost_answers(sums), *_lost_submissions(sums), *_lost_imports(sums)]
    counts = {
        "answers": sum(bool(values) for values in sums.answers.values()),
        "drafts": sum(revision > 0 for revision, _, _ in sums.drafts.values()),
        "feedback read": len(sums.feedback_read),
        "submissions": len(sums.submissions),
        "credits": len(sums.credits),
        "imports": len(sums.imports),
    }
    missing = Counter(kind for kind, _ in lost)
    jobs = Counter(Job.objects.values_list("state", flat=True))
    return {
        "acknowledged": sum(counts.values()),
        "found": sum(counts.values()) - len(lost),
        "kinds": {kind: (count - missing[kind], count) for kind, count in counts.items()},
        "lost": [line for _, line in lost[:SHOWN]],
        "over": _hits_over_their_count(),
        "twice": _slots_held_twice(),
        "inconsistent": [line for lines in map(_inconsistent, Study.objects.all()) for line in lines],
        "jobs": jobs.total(),
        "jobs_done": jobs["done"],
        "jobs_open": jobs["waiting"] + jobs["running"],
        "jobs_killed": Job.objects.filter(state="failed", error=LOST_TOO_OFTEN).count(),
        "jobs_left": [
            f"job {job.kind} is {job.state} after {job.attempts} attempts: {job.error or job.message}"
            for job in Job.objects.exclude(state="done")
        ],
    }


def _lost_answers(sums: Promised) -> list[tuple[str, str]]:
    lost: list[tuple[str, str]] = []
    keys = {*sums.answers, *sums.drafts, *sums.feedback_read}
    rows = Answer.objects.select_related("question", "assignment__study").order_by("pk")
    for answer in rows.iterator(chunk_size=5_000):
        key = (answer.assignment.public_id, answer.position)
        if key in keys:
            keys.discard(key)
            lost += _lost_in(answer, key, sums)
    lost += [("answers", f"lost: answer {key} had to be given again") for key in sorted(sums.forgotten)]
    return lost + [("answers", f"lost: {key} does not exist") for key in sorted(keys)]


def _lost_in(answer: Answer, key: tuple[str, int], sums: Promised) -> list[tuple[str, str]]:
    lost = []
    value = None
    if answer.latest.value is not None:
        task = tasktypes.get(answer.assignment.study.task_type)
        value = task.reveal(answer.question.payload, answer.shown, answer.latest.value)
    allowed = sums.answers.get(key)
    if allowed and value not in allowed:
        lost.append(("answers", f"lost: answer {key} is {value}, acknowledged was {allowed[0]}"))
    revision, draft, highest = sums.drafts.get(key, (0, None, 0))
    # Giving an answer drops the draft under the next revision.
    newer = answer.revision > revision and (answer.given_at is not None or answer.revision <= highest)
    if revision and not newer and (answer.revision, answer.draft) != (revision, draft):
        lost.append(("drafts", f"lost: draft {key} is {answer.draft} ({answer.revision}), was {draft} ({revision})"))
    if key in sums.feedback_read and answer.acknowledged_at is None:
        lost.append(("feedback read", f"lost: the acknowledgement of {key}"))
    return lost


def _lost_submissions(sums: Promised) -> list[tuple[str, str]]:
    rows = {
        public_id: (state, submitted_at is not None, credited)
        for public_id, state, submitted_at, credited in Assignment.objects.values_list(
            "public_id", "state", "submitted_at", "credited"
        ).iterator()
    }
    missing = ("gone", False, False)
    lost = []
    for name in sorted(sums.submissions):
        state, submitted, _ = rows.get(name, missing)
        if not submitted or state not in ENDED:
            lost.append(("submissions", f"lost: submission {name} is {state}"))
    unpaid = [name for name in sorted(sums.credits) if not rows.get(name, missing)[2]]
    return lost + [("credits", f"lost: the credit of {name}, which is {rows.get(name, missing)[0]}") for name in unpaid]


def _lost_imports(sums: Promised) -> list[tuple[str, str]]:
    lost = []
    for first, rows in sums.imports.items():
        count = Item.objects.filter(key__startswith=first, upload__revealed_at__isnull=False).count()
        if count != rows:
            lost.append(("imports", f"lost: import {first} has {count} of {rows} items"))
    return lost


def _hits_over_their_count() -> int:
    slots = dict(Slot.objects.values_list("hit").annotate(Count("pk")))
    held = Assignment.objects.filter(kind="regular", state__in=HOLDING).values_list("hit").annotate(Count("pk"))
    return sum(count > slots.get(hit, 0) for hit, count in held)


def _slots_held_twice() -> int:
    held = Counter(Assignment.objects.filter(kind="regular", state__in=HOLDING).values_list("slot", flat=True))
    return sum(count > 1 for count in held.values())


def _inconsistent(study: Study) -> list[str]:
    """Return sentences about all inconsistencies in the database."""
    held = set(study.assignments.filter(kind="regular", state__in=HOLDING).values_list("slot", flat=True))
    closed = set(study.slots.filter(open=0).values_list("pk", flat=True))
    submitted = study.assignments.filter(kind="regular", submitted_at__isnull=False)
    answers = Answer.objects.filter(assignment__study=study)
    met = (
        answers.filter(repeat=False).values("participation", "question").annotate(times=Count("pk")).filter(times__gt=1)
    )
    counted = answers.filter(
        assignment__state="done",
        assignment__kind="regular",
        question__kind="regular",
        repeat=False,
        given_at__isnull=False,
    ).count()
    held_by_others = study.assignments.filter(kind="regular", state__in=HOLDING, slot__group__isnull=False).exclude(
        slot__group=F("participation__group")
    )
    problems = {
        "closed slots that nobody holds": len(closed - held),
        "open slots that somebody holds": len(held - closed),
        "assignments on another HIT's slot": study.assignments.exclude(slot=None).exclude(slot__hit=F("hit")).count(),
        "slots held by annotators of another group": held_by_others.count(),
        "cells of questions and groups with more judgements than slots": _cells_over_their_quota(study),
        "submitted HITs without credit": submitted.filter(credited=False).exclude(state="void").count(),
        "questions without an answer in submitted HITs": answers.filter(
            assignment__in=submitted, given_at__isnull=True
        ).count(),
        "questions that an annotator has met twice": met.count(),
        "assignments of stopped annotators that are not void": study.assignments.filter(
            participation__standing="stopped"
        )
        .exclude(state="void")
        .count(),
        "void assignments of annotators who are not stopped": study.assignments.filter(state="void")
        .exclude(participation__standing="stopped")
        .count(),
        "annotators whose gold is counted wrongly": len(_gold_counted_wrongly(study)),
        "judgements counted wrongly": abs(judgements_counted(study) - counted),
    }
    return [f"{study.title}: {count:,} {problem}" for problem, count in problems.items() if count]


def _cells_over_their_quota(study: Study) -> int:
    """Return the number of questions and groups whose group has given more judgements than the question has slots."""
    slots = Slot.objects.filter(study=study).values_list("hit__questions", "group").annotate(Count("pk"))
    wanted = {(question, group): number for question, group, number in slots}
    given = Answer.objects.counting().filter(assignment__study=study, question__kind="regular")
    cells = given.values_list("question", "participation__group").annotate(Count("pk"))
    return sum(number > wanted.get((question, group), 0) for question, group, number in cells)


def _gold_counted_wrongly(study: Study) -> list[int]:
    passed: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    graded = Answer.objects.filter(assignment__study=study, question__kind="gold", tally__isnull=False)
    for person, right, count in graded.values_list("participation").annotate(
        right=Count("pk", filter=Q(passed=True)), count=Count("pk")
    ):
        passed[person] = [right, count]
    people = Participation.objects.filter(study=study).values_list("pk", "graded", "tallies")
    return [person for person, graded, tallies in people if passed[person] != [tallies.get("right", 0), graded]]


if __name__ == "__main__":
    print(json.dumps(compare(Path(sys.argv[1]))))  # noqa: T201
