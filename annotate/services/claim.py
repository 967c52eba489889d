"""Handing out work: the claim.

A claim is a lease with an end. No search begins at the head of the queue: every annotator has a cursor, so that the
cost of a claim does not grow with what is done already. `docs/allocation.md` tells the whole story; the unique index
on held slots is the judge whatever happens here.

Lock order everywhere: participation, assignments by id, slots by id, study.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet

from annotate.models import (
    Annotator,
    Answer,
    Assignment,
    HitQuestion,
    Participation,
    ParticipationKey,
    Question,
    Slot,
    Study,
)
from annotate.refusals import Refused
from annotate.selectors.admission import is_admitted

from . import bundle
from .leases import unstarted_until
from .log import record
from .slots import release, take_again
from .writing import database_now, write

REAP_AT_ONCE = 50
TRIES = 8


@dataclass(frozen=True)
class Claimed:
    """An assignment, or why there is none: finished, nothing, limit, paused, closed, stopped or excluded."""

    assignment: Assignment | None
    why: str = ""
    resumed: bool = False


def claim(participation_id: ParticipationKey, *, source: str = Assignment.Source.WEB) -> Claimed:
    """Give the annotator something to do: what they have in hand, else what comes next in the queue.

    Raises `Refused` (`consent`) when the study's present consent text has not been accepted.
    """
    study_id = Participation.objects.identified(participation_id).values_list("study_id", flat=True).get()
    reap(study_id)
    with write():
        participation = (
            Participation.objects.select_for_update(no_key=True, of=("self",))
            .select_related("study", "annotator")
            .identified(participation_id)
            .get()
        )
        return _claim(participation, source)


def reap(study_id: int) -> int:
    """Let overdue leases lapse, a few at a time, so that no cron is needed. Returns how many lapsed."""
    now = database_now()
    overdue = Assignment.objects.filter(
        study_id=study_id, state=Assignment.State.LEASED, lease_until__lt=now, kind=Assignment.Kind.REGULAR
    )
    if not overdue.exists():
        return 0
    with write():
        lapsed = list(overdue.select_for_update(skip_locked=True, no_key=True).order_by("pk")[:REAP_AT_ONCE])
        Assignment.objects.filter(pk__in=[a.pk for a in lapsed]).update(state=Assignment.State.LAPSED)
        release(Study(pk=study_id), lapsed)
    return len(lapsed)


def _claim(participation: Participation, source: str) -> Claimed:
    study = participation.study
    if participation.standing == Participation.Standing.STOPPED:
        return Claimed(None, "stopped")
    in_hand = _in_hand(participation, source)
    if in_hand:
        return Claimed(in_hand, resumed=True)
    _require_consent(participation)
    if participation.annotator.platform == Annotator.Platform.TRY:
        return _bundled(bundle.tryout(participation))
    if not study.is_open:
        return Claimed(None, "paused" if study.state == Study.State.PAUSED else "closed")
    if participation.standing == Participation.Standing.PRACTISING:
        practice = bundle.practice(participation)
        if practice:
            return Claimed(practice)
        Participation.objects.filter(pk=participation.pk).update(standing=Participation.Standing.ACTIVE)
        participation.standing = Participation.Standing.ACTIVE
    if participation.standing == Participation.Standing.DONE:
        return Claimed(None, "finished")
    if not is_admitted(participation):
        return Claimed(None, "excluded")
    if _limit_reached(participation):
        return Claimed(None, "limit")
    if participation.dry_at == study.supply:
        return Claimed(None, "nothing")
    return _lease_next(participation, source)


def _require_consent(participation: Participation) -> None:
    if participation.annotator.platform == Annotator.Platform.TRY:
        return
    latest = participation.study.consents.order_by("-version").values_list("pk", flat=True).first()
    if latest is not None and participation.consent_id != latest:
        raise Refused("consent", "The present consent text has not been accepted yet.", status=403)


def _bundled(assignment: Assignment | None) -> Claimed:
    return Claimed(assignment) if assignment else Claimed(None, "nothing")


def _in_hand(participation: Participation, source: str) -> Assignment | None:
    """An open lease is returned as it is; a lapsed one is taken up again while its HIT still has room."""
    unsubmitted = (Assignment.State.LEASED, Assignment.State.LAPSED)
    mine = list(participation.assignments.filter(source=source, state__in=unsubmitted).order_by("pk"))
    leased = next((assignment for assignment in mine if assignment.state == Assignment.State.LEASED), None)
    if leased or not participation.study.is_open:
        return leased
    for lapsed in mine:  # only its own participation, which is locked, takes a lapsed assignment any further
        if take_again(lapsed):
            lapsed.state = Assignment.State.LEASED
            lapsed.lease_until = database_now() + timedelta(minutes=participation.study.lease_minutes)
            lapsed.save(update_fields=["state", "slot", "lease_until"])
            return lapsed
    return None


def _limit_reached(participation: Participation) -> bool:
    limit = participation.study.hits_per_annotator
    if limit is None:
        return False
    taken = participation.assignments.filter(
        kind=Assignment.Kind.REGULAR, state__in=[Assignment.State.DONE, Assignment.State.SURPLUS]
    )
    return taken.count() >= limit


def _lease_next(participation: Participation, source: str) -> Claimed:
    study = participation.study
    gold = bundle.unseen_gold(participation)
    if study.gold_block and not gold and study.gold_exhausted == Study.GoldExhausted.FINISH and participation.graded:
        Participation.objects.filter(pk=participation.pk).update(
            standing=Participation.Standing.DONE, standing_reason="has seen all gold questions"
        )
        record(study, "finished", participation=participation, reason="has seen all gold questions")
        return Claimed(None, "finished")
    for _ in range(TRIES):
        slot = _next_slot(participation)
        if slot is None:
            if not _suitable(participation).exists():  # slots that others are just taking may come back
                Participation.objects.filter(pk=participation.pk).update(dry_at=study.supply, cursor=0)
            return Claimed(None, "nothing")
        try:
            with transaction.atomic():  # a savepoint: a conflict costs this slot, not the claim
                return Claimed(_lease(participation, slot, gold, source, database_now()))
        except IntegrityError:
            # Another transaction holds this slot although it looked open: look again from the same cursor.
            continue
    return Claimed(None, "nothing")


def _lease(participation: Participation, slot: Slot, gold: list[Question], source: str, now: datetime) -> Assignment:
    study = participation.study
    Slot.objects.filter(pk=slot.pk).update(open=0)
    assignment = Assignment.objects.create(
        study=study,
        participation=participation,
        hit_id=slot.hit_id,
        slot=slot,
        source=source,
        lease_until=unstarted_until(study, now),
        reward=study.reward,
    )
    bundle.fill(assignment, participation, bundle.with_gold(participation, slot.hit_id, gold))
    Participation.objects.filter(pk=participation.pk).update(cursor=slot.place)
    return assignment


def _next_slot(participation: Participation) -> Slot | None:
    """First open slot beyond the cursor whose HIT has nothing the annotator has met; else once around from the head."""
    queue = _suitable(participation).select_for_update(skip_locked=True, no_key=True, of=("self",))
    found = queue.filter(place__gt=participation.cursor).first()
    if found is None and participation.cursor:
        found = queue.filter(place__lte=participation.cursor).first()
    return found


def _suitable(participation: Participation) -> QuerySet[Slot]:
    met = HitQuestion.objects.filter(
        hit_id=OuterRef("hit_id"),
        question_id__in=Answer.objects.filter(participation=participation, question_id=OuterRef("question_id")).values(
            "question_id"
        ),
    )
    taken = Assignment.objects.filter(participation=participation, hit_id=OuterRef("hit_id"))
    queue = Slot.objects.filter(study_id=participation.study_id, open=1).filter(~Exists(met), ~Exists(taken))
    if participation.study.piloting:
        queue = queue.filter(hit__number__lte=participation.study.pilot_hits)
    return queue.order_by("place")
