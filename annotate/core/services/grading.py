"""Services that check, store and grade submitted answers. All answers are checked before any answer is stored.

A client cannot observe whether a question is gold until the annotator sees feedback on the answer. Every answer goes
through the same checks in the same order, is compared with a key (an ordinary answer with itself) and needs the same
SQL statements. Every answer without feedback can be changed until the HIT is submitted. Only the first answer to a gold
question is graded, and later changes are stored beside it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from annotate import tasktypes
from annotate.core.selectors.feedback import got_feedback
from annotate.models import Answer, Assignment, Question
from annotate.models.compiled import update_all
from annotate.server import clock
from annotate.server.refusals import Refused, invalid
from annotate.tasktypes import Grade

from . import standing
from .activity import store_summaries

LONGEST = 262_144  # characters of an answer or a draft, as JSON
STORED = (
    "value",
    "given_at",
    "draft",
    "revision",
    "seconds",
    "trace",
    "later",
    "tally",
    "passed",
    "graded_version",
    "feedback_version",
    "acknowledged_at",
    "skipped",
    "skipped_at",
    "guidelines_version",
)
MISSED = ("tally", "passed", "graded_version", "feedback_version", "acknowledged_at")
LONGEST_REASON = 500  # characters of the reason for skipping a question
GRADED = (Question.Kind.GOLD, Question.Kind.PRACTICE)


@dataclass(frozen=True)
class AnswerSent:
    """An answer in the format sent by clients. A skipped question has a reason and no value."""

    position: int
    value: Any = None
    seconds: float | None = None
    skipped: str = ""
    activity: Any = None  # a summary of the annotator's activity, which is checked only when it is stored


@dataclass(frozen=True)
class Checked:
    """A validated answer, with its `value` in the stored format. A skipped question has no value."""

    answer: Answer
    value: Any
    seconds: float | None
    skipped: str = ""
    activity: Any = None

    @property
    def changes(self) -> bool:
        latest = self.answer.latest
        return bool(self.value != latest.value or self.skipped != latest.skipped)


def check(assignment: Assignment, answers: Mapping[int, Answer], sent: Sequence[AnswerSent]) -> list[Checked]:
    """Check all answers before storing or grading any of them. `answers` maps positions to the assignment's answers.

    Raises `Refused` with the code `too-large` or `invalid` for an impossible value, `no-skip` if the question cannot be
    skipped, `graded`, `submitted` or `returned` for a late change.
    """
    checked = [_clean(assignment, answers[one.position], one) for one in sent]
    for one in checked:
        if one.changes:
            _refuse_late(assignment, one.answer)
    return checked


def store(assignment: Assignment, checked: Sequence[Checked]) -> bool:
    """Store the answers in a locked assignment, and grade the answers to gold questions. Returns False if every answer
    was already stored.

    The caller always saves the participation's progress, even if unchanged, because answers to gold and to other
    questions must take the same work. A draft with another value is deleted, so that a reload does not show an outdated
    value.
    """
    if assignment.submitted_at is not None:
        return False
    now = clock.now()
    changed = [one for one in checked if one.changes]
    touched = [one.answer for one in checked if one.changes or one.answer.draft is not None]
    tallies = [_put(assignment, one, now) for one in changed]
    for answer in touched:
        answer.draft, answer.revision = None, answer.revision + 1
    update_all(touched, STORED)
    if assignment.study.activity_summaries:
        store_summaries(assignment.participation, {one.answer.pk: one.activity for one in changed})
    if changed:
        standing.add_tallies(assignment.participation, [tally for tally in tallies if tally is not None])
    return bool(changed)


def refuse_large(value: Any, field: str) -> None:
    """Raise `Refused` (`too-large`) for a value whose JSON is longer than `LONGEST` characters."""
    size = len(json.dumps(value, ensure_ascii=False))
    if size > LONGEST:
        sizes = {"limit": f"{LONGEST:,}", "size": f"{size:,}"}
        raise Refused(
            "too-large",
            _("An answer can have at most %(limit)s characters. This answer has %(size)s.") % sizes,
            status=400,
            fields={field: [_("is longer than %(limit)s characters") % sizes]},
        )


def _clean(assignment: Assignment, answer: Answer, sent: AnswerSent) -> Checked:
    if sent.skipped:
        return _clean_skip(assignment, answer, sent)
    refuse_large(sent.value, f"answers.{answer.position}")
    study = assignment.study
    try:
        value = tasktypes.get(study.task_type).clean(answer.question.payload, answer.shown, sent.value, study.options)
    except tasktypes.InvalidAnswer as error:
        raise invalid(f"answers.{answer.position}.{error.path}", str(error)) from error
    return Checked(answer, value, sent.seconds, activity=sent.activity)


def _clean_skip(assignment: Assignment, answer: Answer, sent: AnswerSent) -> Checked:
    if not assignment.study.skips_allowed or assignment.is_practice:
        raise Refused(
            "no-skip",
            _("Question %(position)s cannot be skipped. Choose the answer that fits best.")
            % {"position": answer.position},
            fields={f"answers.{answer.position}.skipped": [_("is not allowed")]},
        )
    reason = sent.skipped.strip()[:LONGEST_REASON] or "no reason"
    return Checked(answer, None, sent.seconds, reason, sent.activity)


def refuse_given_up(assignment: Assignment) -> None:
    """Raise `Refused` (`returned`) if the annotator has returned the HIT or has withdrawn."""
    if assignment.is_given_up:
        raise Refused("returned", _("You have returned this set, so its questions can no longer be answered."))


def _refuse_late(assignment: Assignment, answer: Answer) -> None:
    refuse_given_up(assignment)
    if assignment.submitted_at is not None:
        raise Refused("submitted", _("This HIT has been submitted, so its answers can no longer be changed."))
    if got_feedback(answer, assignment):
        raise Refused(
            "graded",
            _("Question %(position)s has already been graded, so its answer can no longer be changed.")
            % {"position": answer.position},
        )


def _put(assignment: Assignment, checked: Checked, now: datetime) -> dict[str, float] | None:
    """Set an answer's value, and grade the first answer to a gold question. Return the tally of a gold question, or
    None.
    """
    answer, question, study = checked.answer, checked.answer.question, assignment.study
    # A program's answers are never graded, because a stored grade would change later responses.
    graded = (
        question.kind in GRADED
        and answer.tally is None
        and not answer.repeat
        and not checked.skipped
        and not assignment.participation.annotator.is_program
    )
    # The answer to a question without gold is compared with itself, so that the response time does not reveal gold
    # questions.
    key = question.gold if graded else checked.value
    grade = (
        None
        if checked.skipped
        else tasktypes.get(study.task_type).grade(question.payload, key, checked.value, study.options)
    )
    if answer.tally is None:
        _set_answer(assignment, checked, now)
    else:
        _append_change(checked, now)
    if grade is None or not graded:
        return None
    set_grade(answer, grade)
    if question.kind != Question.Kind.GOLD:
        return None
    if grade.passed:
        answer.acknowledged_at = now  # no feedback to acknowledge, which would reveal the gold question
    return grade.tally


def _set_answer(assignment: Assignment, checked: Checked, now: datetime) -> None:
    answer = checked.answer
    if answer.value is not None:
        answer.trace = [*answer.trace, {"value": answer.value, "given_at": answer.given_at.isoformat()}]  # type: ignore[union-attr]
    answer.value, answer.given_at = checked.value, None if checked.skipped else now
    answer.skipped, answer.skipped_at = checked.skipped, now if checked.skipped else None
    answer.guidelines_version = assignment.participation.guidelines_read
    answer.seconds = checked.seconds if checked.seconds is not None else answer.seconds


def _append_change(checked: Checked, now: datetime) -> None:
    """Store a change to an answer whose grade must not change."""
    answer = checked.answer
    seconds = checked.seconds if checked.seconds is not None else answer.latest.seconds
    change = {"value": checked.value, "given_at": now.isoformat(), "skipped": checked.skipped, "seconds": seconds}
    answer.later = [*answer.later, change]


def count_gold_skips(assignment: Assignment, answers: Iterable[Answer]) -> None:
    """Count the gold questions that were skipped in a HIT which is being submitted. If the annotator has no skips left,
    the question counts as missed.

    Skipped questions are counted at the submission because an annotator can change a skipped question until then. The
    annotator sees no feedback on a skipped question, because feedback would reveal which questions are gold.
    """
    participation = assignment.participation
    missed: list[Answer] = []
    tallies: list[Mapping[str, float]] = []
    if participation.annotator.is_program:
        return
    task = tasktypes.get(assignment.study.task_type)
    for answer in answers:
        if answer.question.kind != Question.Kind.GOLD or answer.repeat:
            continue
        if not answer.skipped or answer.tally is not None:
            continue
        participation.gold_skips += 1
        if participation.gold_skips > assignment.study.gold_skips_allowed:
            grade = task.missed(answer.question.payload, answer.question.gold)
            set_grade(answer, grade)
            answer.acknowledged_at = clock.now()
            missed.append(answer)
            tallies.append(grade.tally)
    update_all(missed, MISSED)
    standing.add_tallies(participation, tallies)


def set_grade(answer: Answer, grade: Grade) -> None:
    """Set the first grade of an answer, and record the version of the expected answer shown to the annotator."""
    answer.tally, answer.passed = grade.tally, grade.passed
    answer.graded_version = answer.feedback_version = answer.question.gold_version
