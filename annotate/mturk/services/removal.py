"""Services that remove imported assignments with their answers, when an import is undone or a changed assignment is
replaced.

The assignments are first marked as void, so that all counts drop them and their slots go to other assignments. Only
answers of such assignments can be deleted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.db.models import Exists, OuterRef, QuerySet

from accord_core.numerics.printed import money
from annotate.core.permissions import Actor
from annotate.core.services import standing
from annotate.core.services.asked_again import balance_slots, uncounted_questions
from annotate.core.services.gold_sets import GOLD_SUMS, recount
from annotate.core.services.slots import release
from annotate.models import Answer, Assignment, Participation, Remark, Study
from annotate.mturk.models import HostedAssignment
from annotate.pay.selectors.balances import balances
from annotate.server.refusals import Refused

AT_ONCE = 1_000  # rows per statement
SHOWN = 5  # annotators or assignments that an error message names


def remove_assignments(study: Study, chosen: QuerySet[HostedAssignment], *, reason: str, user: Actor) -> int:
    """Remove imported assignments with their answers, and return the number of assignments.

    The caller must hold the lock on imports. Stopped workers who reach the pass mark without these answers are
    restored. Raises `Refused` with the code `paid` if a worker was already paid for an assignment, `answered-again` if
    the worker has answered the same questions again in another import, or `in-use` if a message refers to an answer.
    """
    people = _locked_people(chosen)
    # An import can have 100,000 assignments, so only the columns that `release` needs are in memory.
    locked = Assignment.objects.filter(hosted__in=chosen).select_for_update(no_key=True, of=("self",))
    assignments = list(locked.only("kind", "state", "hit_id", "slot_id").order_by("pk"))
    held = [one for one in assignments if one.state == Assignment.State.DONE]
    asked_again = [question for chunk in _chunks(held) for question in uncounted_questions(chunk)]
    for chunk in _chunks(assignments):
        Assignment.objects.filter(pk__in=[one.pk for one in chunk]).update(
            state=Assignment.State.VOID, reason=Assignment.REMOVED, submitted_at=None, credited=False
        )
    removed = Assignment.objects.filter(
        study=study, source=Assignment.Source.MTURK, state=Assignment.State.VOID, reason=Assignment.REMOVED
    )
    _refuse_paid(study, people)
    _refuse_repeated(removed)
    _delete(removed)
    for chunk in _chunks(held):
        release(study, chunk)
    balance_slots(study.pk, asked_again)
    _recalculate(people, reason, user)
    return len(assignments)


def _chunks(assignments: Sequence[Assignment]) -> Iterator[Sequence[Assignment]]:
    """Return the assignments in batches, because an SQL statement can have only a limited number of parameters."""
    return (assignments[start : start + AT_ONCE] for start in range(0, len(assignments), AT_ONCE))


def _locked_people(chosen: QuerySet[HostedAssignment]) -> list[Participation]:
    keys = chosen.values("assignment__participation")
    return list(Participation.objects.locked().filter(pk__in=keys).order_by("pk"))


def _refuse_paid(study: Study, people: Sequence[Participation]) -> None:
    """Refuse the removal if a worker was paid more than the worker has earned without these assignments."""
    own = balances(study)
    overpaid = [one for one in people if one.pk in own and own[one.pk].paid > 0 and own[one.pk].owed < 0]
    if overpaid:
        shown = ", ".join(
            f"{person.pseudonym} ({money(-own[person.pk].owed, study.currency)})" for person in overpaid[:SHOWN]
        )
        more = f" and {len(overpaid) - SHOWN:,} more" if len(overpaid) > SHOWN else ""
        raise Refused(
            "paid",
            f"Nothing was removed, because annotators have already been paid for these assignments: {shown}{more}. "
            "Correct or undo the payments first.",
        )


def _refuse_repeated(removed: QuerySet[Assignment]) -> None:
    """Refuse to remove a first answer that another assignment repeats, because the repeated answer would then have to
    count.
    """
    first = Answer.objects.first_answers().filter(
        assignment__in=removed, participation=OuterRef("participation"), question=OuterRef("question")
    )
    repeated = Answer.objects.filter(Exists(first), repeat=True, assignment__source=Assignment.Source.MTURK)
    repeated = repeated.exclude(assignment__in=removed)
    others = sorted(set(repeated.values_list("assignment__external_id", flat=True)))
    if others:
        shown = ", ".join(others[:SHOWN]) + (f" and {len(others) - SHOWN:,} more" if len(others) > SHOWN else "")
        raise Refused(
            "answered-again",
            "Nothing was removed. Workers answered some of these questions again in assignments that would not be "
            f"removed: {shown}. Undo the import of these assignments first.",
        )


def _delete(removed: QuerySet[Assignment]) -> None:
    if Remark.objects.filter(answer__assignment__in=removed).exists():
        message = "Nothing was removed, because annotators' messages refer to the answers."
        raise Refused("in-use", message)
    answers = Answer.objects.filter(assignment__in=removed)
    answers._raw_delete(answers.db)
    hosted = HostedAssignment.objects.filter(assignment__in=removed)
    hosted._raw_delete(hosted.db)
    removed._raw_delete(removed.db)


def _recalculate(people: Sequence[Participation], reason: str, user: Actor) -> None:
    """Recalculate the sums of grades, and restore workers that the quality rule stopped because of removed answers."""
    for start in range(0, len(people), AT_ONCE):
        recount(people[start : start + AT_ONCE])
    Participation.objects.bulk_update(people, GOLD_SUMS, batch_size=AT_ONCE)
    by_rule = standing.stopped_by_rule(people)
    failing = standing.failing(by_rule)
    for person in by_rule:
        if person.pk not in failing:
            standing.reinstate(person, reason=reason, user=user)
