"""Services that claim the next HIT for an annotator.

A claim creates a lease, which ends after some time. A search continues at the annotator's cursor instead of the head of
the queue, so the cost of a claim does not grow with the number of finished HITs. See docs/allocation.md. The unique
index on held slots guarantees that two annotators never hold the same slot.

Lock order everywhere: participation, assignments by id, slots by id, study.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from annotate.core.selectors.admission import is_admitted
from annotate.core.selectors.limits import claiming_is_over, hit_limit
from annotate.core.selectors.put_aside import needs_new_gold
from annotate.models import Annotator, Answer, Assignment, Hit, Participation, ParticipationKey, Slot, Study
from annotate.server.refusals import Refused

from .asked_again import fill_up, split_off
from .locks import TEXTS, locked_participation, save_progress
from .log import record
from .new_assignments import (
    all_gold_known,
    fill,
    practice_assignment,
    practice_to_try,
    program_assignment,
    tryout_assignment,
    with_gold,
)
from .qualification import begin_without_practice
from .queue import Taken, anything_left, held_assignments, lease, take_slot, take_slot_with_new_gold
from .repeats import Place, with_repeats
from .slots import end_reservations, open_reservations, overdue, release, take_again
from .spend import fits_budget
from .writing import database_now, write

REAP_AT_ONCE = 50
TRIES = 8


@dataclass(frozen=True)
class Claimed:
    """The claimed assignment, or the reason why none could be claimed.

    The reasons are finished, nothing, limit, paused, closed, over, stopped, withdrawn, excluded, practice and consent.
    """

    assignment: Assignment | None
    why: str = ""
    resumed: bool = False
    answers: list[Answer] | None = None  # the empty answers of a new assignment, in order, with their questions


def claim(participation_id: ParticipationKey, *, source: str = Assignment.Source.WEB) -> Claimed:
    """Return the annotator's open assignment, or claim the next HIT in the queue.

    Raises `Refused` (`consent`) if the annotator has not accepted the study's current consent text.
    """
    with write():
        participation = locked_participation(participation_id)
        if not participation.leases_overdue:
            return _claim(participation, source)
    reap(participation.study_id)
    with write():
        return _claim(locked_participation(participation_id), source)


def _claim(participation: Participation, source: str) -> Claimed:
    claimed = claim_locked(participation, source)
    if not claimed.resumed:
        save_progress(participation)
    return claimed


def claim_locked(participation: Participation, source: str = Assignment.Source.WEB) -> Claimed:
    """Return the annotator's open assignment, or claim the next HIT. The caller must save the
    participation's progress.
    """
    if participation.has_ended:
        return Claimed(None, participation.standing)
    assignment = _open_assignment(participation, source)
    return Claimed(assignment, resumed=True) if assignment else claim_new(participation, source)


def reap(study_id: int) -> int:
    """End a few overdue leases, so that no scheduled task is needed. Return the number of assignments that lapsed."""
    if not overdue(study_id).exists():
        return 0
    with write():
        leases = overdue(study_id).select_for_update(skip_locked=True, no_key=True).order_by("pk")
        lapsed = list(leases[:REAP_AT_ONCE])
        Assignment.objects.filter(pk__in=[a.pk for a in lapsed]).update(state=Assignment.State.LAPSED)
        release(Study(pk=study_id), lapsed)
    return len(lapsed)


def free_by(participation: Participation) -> datetime | None:
    """Return the time, rounded up to the minute, by which a suitable HIT held by another annotator becomes available,
    or None if nobody holds one. The exact time would reveal when that annotator claimed the HIT. Programs and tryouts
    do not wait, because they get HITs without slots.
    """
    if participation.annotator.is_program or participation.annotator.platform == Annotator.Platform.TRY:
        return None
    held = held_assignments(participation, new_gold_only=needs_new_gold(participation))
    leases = Assignment.objects.filter(pk__in=held).select_related("study").defer(*TEXTS)
    now = database_now()
    ends = [each.lease_until if each.lease_until < now else each.longest_lease for each in leases]
    return min(ends).replace(second=0, microsecond=0) + timedelta(minutes=1) if ends else None


def claim_new(participation: Participation, source: str = Assignment.Source.WEB) -> Claimed:
    """Claim the next HIT for an annotator without an open assignment. The caller saves the participation's progress."""
    study = participation.study
    if participation.has_ended:
        return Claimed(None, participation.standing)
    _require_consent(participation)
    if participation.annotator.platform == Annotator.Platform.TRY:
        return _without_slot(_next_to_try(participation))
    if not study.is_open:
        return Claimed(None, "paused" if study.state == Study.State.PAUSED else "closed")
    if claiming_is_over(study):
        return Claimed(None, "over")
    if participation.standing == Participation.Standing.PRACTISING and not participation.annotator.is_program:
        practice = practice_assignment(participation)
        if practice:
            return Claimed(practice)
        if not begin_without_practice(participation):
            return Claimed(None, participation.standing)
    if participation.standing == Participation.Standing.DONE:
        return Claimed(None, "finished")
    if participation.annotator.is_program:
        return _without_slot(program_assignment(participation))
    if not is_admitted(participation):
        return Claimed(None, "excluded")
    if _limit_reached(participation):
        end_reservations(participation)
        return Claimed(None, "limit")
    if participation.dry_at == study.slot_openings:
        return Claimed(None, "nothing")
    return _lease_next(participation, source)


def _require_consent(participation: Participation) -> None:
    if participation.annotator.platform == Annotator.Platform.TRY or participation.annotator.is_program:
        return
    if participation.present_consent not in (None, participation.consent_id):
        raise Refused("consent", _("Accept the current consent text before you continue."), status=403)


def _next_to_try(participation: Participation) -> Assignment | None:
    """Return the practice questions, as the overview announces them, and then the HITs."""
    if participation.standing == Participation.Standing.PRACTISING:
        practice = None if participation.assignments.exists() else practice_to_try(participation)
        if practice:
            return practice
        begin_without_practice(participation)
    return tryout_assignment(participation)


def _without_slot(assignment: Assignment | None) -> Claimed:
    return Claimed(assignment) if assignment else Claimed(None, "nothing")


def _open_assignment(participation: Participation, source: str) -> Assignment | None:
    """Return the annotator's leased assignment. If no assignment is leased, renew a lapsed or returned one whose HIT
    has an open slot. An annotator then cannot see many HITs without answering them.
    """
    unsubmitted = (Assignment.State.LEASED, Assignment.State.LAPSED)
    assignments = list(participation.assignments.filter(source=source, state__in=unsubmitted).order_by("pk"))
    leased = next((assignment for assignment in assignments if assignment.state == Assignment.State.LEASED), None)
    if leased or not participation.study.is_open or claiming_is_over(participation.study):
        return leased
    lapsed_ones = [assignment for assignment in assignments if assignment.comes_back]
    hits = [assignment.hit_id for assignment in lapsed_ones]
    available = set(Slot.objects.filter(hit__in=hits, open=1).values_list("hit", flat=True))
    for lapsed in lapsed_ones:  # a lapsed assignment changes only while its participation is locked
        if lapsed.hit_id in available and fits_budget(participation.study, lapsed.reward) and take_again(lapsed):
            lapsed.state, lapsed.reason = Assignment.State.LEASED, ""
            lapsed.lease_until = database_now() + timedelta(minutes=participation.study.lease_minutes)
            lapsed.save(update_fields=["state", "slot", "lease_until", "reason"])
            return lapsed
    return None


def _limit_reached(participation: Participation) -> bool:
    limit = hit_limit(participation)
    if limit is None:
        return False
    submitted = participation.assignments.filter(
        kind=Assignment.Kind.REGULAR, state__in=[Assignment.State.DONE, Assignment.State.SURPLUS]
    )
    return submitted.count() >= limit


def _lease_next(participation: Participation, source: str) -> Claimed:
    study = participation.study
    if not fits_budget(study, study.reward):
        return Claimed(None, "nothing")
    for _attempt in range(TRIES):
        slot = take_slot_with_new_gold(participation) if study.gold_block else None
        if slot is None:
            new_gold_only = needs_new_gold(participation)
            if new_gold_only and all_gold_known(participation):
                return _finish(participation)
            slot = take_slot(participation, without_gold=new_gold_only)
            if slot is None and split_off(participation):
                slot = take_slot(participation, without_gold=new_gold_only)
            if slot is None:
                # Slots that other annotators are claiming now may open again.
                if not anything_left(participation, new_gold_only=new_gold_only):
                    participation.dry_at, participation.cursor = study.slot_openings, 0
                return Claimed(None, "nothing")
        assignment = lease(slot, participation, source)
        if assignment is not None:
            participation.cursor = slot.place
            places = (
                _places_with_repeats(participation, slot)
                if study.repeat_share
                else [Place(question) for question in with_gold(participation, slot.hit, slot.gold_set)]
            )
            return Claimed(assignment, answers=fill(assignment, participation, places))
        # Another assignment holds this slot, so `lease` has closed the slot. The loop continues with the next
        # assignment.
    return Claimed(None, "nothing")


def _places_with_repeats(participation: Participation, taken: Taken) -> list[Place]:
    """Return the places of the HIT, some with a repeated question. A HIT for questions asked again is filled up
    instead. If it contained repeated questions, the last questions of a study would be postponed several times.
    """
    hit = Hit.objects.get(pk=taken.hit)
    if hit.for_skipped and fill_up(participation.study, hit.pk, participation.pk):
        hit.refresh_from_db(fields=["gold_set"])
    questions = with_gold(participation, hit.pk, hit.gold_set_id)
    return [Place(question) for question in questions] if hit.for_skipped else with_repeats(participation, questions)


def _finish(participation: Participation) -> Claimed:
    Participation.objects.filter(pk=participation.pk).update(
        standing=Participation.Standing.DONE, standing_reason="has seen all gold questions"
    )
    open_reservations(participation, [])
    record(participation.study, "finished", participation=participation, reason="has seen all gold questions")
    return Claimed(None, "finished")
