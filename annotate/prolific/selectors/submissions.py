"""Submissions on Prolific matched with the work in Accord, with the next step for each submission."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

from django.db.models import Exists, OuterRef, Q, QuerySet, Sum

from accord_core.exchange.prolific import Status
from accord_core.numerics.money import payable
from annotate.core.selectors.counts import Totals, totals_by_annotator
from annotate.models import (
    Annotator,
    Assignment,
    BonusList,
    BonusShare,
    Participation,
    PayEntry,
    ProlificSettings,
    ProlificSubmission,
    ReportedSubmission,
    Study,
    SubmissionImport,
)
from annotate.pay.selectors.balances import ZERO, Balance, balances
from annotate.prolific.advice import Advice, Match, Step, Work, advise


def submissions_naming(annotators: QuerySet[Annotator]) -> QuerySet[ProlificSubmission]:
    """Return these annotators' submissions, including submissions without a participation. The annotators must still
    have their IDs.
    """
    same = _participants(annotators).filter(study=OuterRef("study"), external_id=OuterRef("participant_id"))
    return ProlificSubmission.objects.filter(Q(participation__annotator__in=annotators) | Exists(same))


def reported_of(annotators: QuerySet[Annotator]) -> QuerySet[ReportedSubmission]:
    """Return these annotators' submissions, as reported by Prolific."""
    same = _participants(annotators).filter(study=OuterRef("study"), external_id=OuterRef("participant_id"))
    return ReportedSubmission.objects.filter(Exists(same))


def reported_naming(annotators: QuerySet[Annotator]) -> QuerySet[ReportedSubmission]:
    """Return these annotators' reported submissions, and those with the ID of a submission through which they came."""
    own = ProlificSubmission.objects.filter(participation__annotator__in=annotators).exclude(submission_id="")
    theirs = own.filter(study=OuterRef("study"), submission_id=OuterRef("submission_id"))
    return ReportedSubmission.objects.filter(Q(pk__in=reported_of(annotators).values("pk")) | Exists(theirs))


def imports_naming(annotators: QuerySet[Annotator]) -> QuerySet[SubmissionImport]:
    """Return the imports of submissions in these annotators' studies, for annotators from Prolific. Their earlier
    values contain the same IDs, so nobody can undo these imports after the IDs have been removed.
    """
    return SubmissionImport.objects.filter(study__in=_participants(annotators).values("study"))


def _participants(annotators: QuerySet[Annotator]) -> QuerySet[Annotator]:
    return annotators.filter(platform=Annotator.Platform.PROLIFIC).exclude(external_id="")


@dataclass(frozen=True)
class Pair:
    """A submission on Prolific, with the corresponding work in Accord."""

    reported: ReportedSubmission | None
    own: ProlificSubmission | None
    participation: Participation | None
    match: Match


def pairs_of(study: Study) -> list[Pair]:
    """Match Prolific's submissions with submissions in Accord by submission ID, or otherwise by participant ID."""
    own = list(
        ProlificSubmission.objects.filter(study=study)
        .exclude(participant_id="", submission_id="")
        .select_related("participation__annotator")
        .order_by("-pk")
    )
    people = {
        each.annotator.external_id: each
        for each in study.participations.filter(annotator__platform=Annotator.Platform.PROLIFIC)
        .exclude(annotator__external_id="")
        .select_related("annotator")
    }
    by_id = {each.submission_id: each for each in own if each.submission_id}
    nameless = {each.participant_id: each for each in own if not each.submission_id}
    pairs, used = [], set()
    for reported in study.reported_submissions.order_by("-started_at", "-pk"):
        mine = by_id.get(reported.submission_id) or nameless.pop(reported.participant_id, None)
        if mine is None:
            person = people.get(reported.participant_id)
            pairs.append(Pair(reported, None, person, Match.PARTICIPANT if person else Match.NOT_IN_ACCORD))
            continue
        used.add(mine.pk)
        pairs.append(Pair(reported, mine, mine.participation, _match(reported, mine)))
    pairs += [Pair(None, each, each.participation, Match.NOT_ON_PROLIFIC) for each in own if each.pk not in used]
    seen = {pair.participation.pk for pair in pairs if pair.participation}
    pairs += [Pair(None, None, one, Match.NOT_ON_PROLIFIC) for one in people.values() if one.pk not in seen]
    return pairs


def _match(reported: ReportedSubmission, own: ProlificSubmission) -> Match:
    if own.participant_id != reported.participant_id:
        return Match.CONFLICT
    return Match.SUBMISSION if own.submission_id else Match.PARTICIPANT


def places_of(pairs: Sequence[Pair]) -> dict[int, list[int]]:
    """Return the positions of each participation's pairs."""
    places: defaultdict[int, list[int]] = defaultdict(list)
    for place, pair in enumerate(pairs):
        if pair.participation:
            places[pair.participation.pk].append(place)
    return places


# With these statuses, Prolific never pays the reward, so a bonus covers the submitted HITs.
UNPAID = (Status.RETURNED, Status.TIMED_OUT)
_LATEST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class SubmissionRow:
    """One submission, which exists on Prolific, in Accord, or in both.

    `seconds` is the time that the annotator's pages measured for all submitted HITs. `due` is the amount to pay as a
    bonus. `unrecorded` is the reward that Prolific has paid by approval and that no payment in Accord records yet.
    """

    reported: ReportedSubmission | None
    own: ProlificSubmission | None
    participation: Participation | None
    match: Match
    advice: Advice
    hits: int = 0
    gold_right: int = 0
    gold_given: int = 0
    due: Decimal = ZERO
    unrecorded: Decimal = ZERO
    seconds: float = 0.0

    @property
    def submission_id(self) -> str:
        return (self.reported or self.own).submission_id if self.reported or self.own else ""  # type: ignore[union-attr]

    @property
    def participant_id(self) -> str:
        if self.reported or self.own:
            return (self.reported or self.own).participant_id  # type: ignore[union-attr]
        return self.participation.annotator.external_id if self.participation else ""

    @property
    def status(self) -> str:
        return self.reported.status if self.reported else ""

    @property
    def code(self) -> str:
        return self.reported.code if self.reported else ""

    @property
    def outcome(self) -> str:
        return self.own.outcome if self.own else ""

    @property
    def step(self) -> Step:
        return self.advice.step

    @property
    def instruction(self) -> str:
        return self.advice.instruction

    @property
    def is_rejected_by_person(self) -> bool:
        """Whether a researcher has marked the submission for rejection, and Prolific still allows a rejection."""
        return bool(
            self.reported and self.reported.rejection_category and self.reported.status == Status.AWAITING_REVIEW
        )


def submission_rows(study: Study) -> list[SubmissionRow]:
    """Return a row for each submission, newest first. The number of queries does not depend on the number of
    submissions.
    """
    settings = ProlificSettings.objects.filter(study=study).first() or ProlificSettings(study=study)
    pairs = pairs_of(study)
    counted, money = totals_by_annotator(study), balances(study)
    shares = _shares(pairs, _submitted(study, pairs), counted)
    recorded, times = _recorded(study, pairs), _times(study)
    by_approval = [_by_approval(pair, credit, recorded) for pair, (_, credit) in zip(pairs, shares, strict=True)]
    listed = _listed(study)
    due = _due(study, pairs, by_approval, money, listed)
    rows = []
    for place, pair in enumerate(pairs):
        person = pair.participation
        own = counted.get(person.pk, Totals()) if person else Totals()
        hits, _ = shares[place]
        owed = due.pop(person.pk, ZERO) if person and _can_pay(pair) else ZERO
        work = Work(
            outcome=pair.own.outcome if pair.own else "",
            hits=hits,
            expected=settings.hits_per_submission,
            stopped=bool(person and person.standing == Participation.Standing.STOPPED),
            owes_bonus=owed > 0,
            is_listed=bool(person and person.pk in listed and _can_pay(pair)),
            pays_stopped=settings.failed_gold == ProlificSettings.FailedGold.PAY,
        )
        status = Status(pair.reported.status) if pair.reported else None
        advice = advise(status, pair.reported.code if pair.reported else "", pair.match, work)
        rows.append(
            SubmissionRow(
                *(pair.reported, pair.own, person, pair.match, advice),
                hits=hits,
                gold_right=own.gold_right,
                gold_given=own.gold_given,
                due=owed,
                unrecorded=by_approval[place] if status == Status.APPROVED else ZERO,
                seconds=times.get(person.pk, 0.0) if person else 0.0,
            )
        )
    return rows


def to_approve(rows: Iterable[SubmissionRow]) -> list[SubmissionRow]:
    """Return the submissions to approve, except those marked for rejection by a researcher."""
    return [row for row in rows if row.step == Step.APPROVE and not row.is_rejected_by_person]


def to_reject(rows: Iterable[SubmissionRow]) -> list[SubmissionRow]:
    """Return the submissions marked for rejection by a researcher."""
    return [row for row in rows if row.is_rejected_by_person]


def _submitted(study: Study, pairs: Sequence[Pair]) -> Mapping[int, list[tuple[datetime, Decimal]]]:
    """Return the submission times and rewards of credited HITs, for participants who have more than one submission."""
    several = [who for who, places in places_of(pairs).items() if len(places) > 1]
    hits: defaultdict[int, list[tuple[datetime, Decimal]]] = defaultdict(list)
    credited = Assignment.objects.filter(study=study, participation__in=several, credited=True)
    for who, at, reward in credited.values_list("participation", "submitted_at", "reward"):
        hits[who].append((at or _LATEST, reward))
    return hits


def _shares(
    pairs: Sequence[Pair],
    submitted: Mapping[int, list[tuple[datetime, Decimal]]],
    counted: Mapping[int, Totals],
) -> list[tuple[int, Decimal]]:
    """Return the number of submitted HITs and the rewards for each pair.

    A HIT belongs to the participant's latest submission that began before the HIT was submitted.
    """
    shares = [(0, ZERO)] * len(pairs)
    for who, places in places_of(pairs).items():
        if len(places) == 1:
            totals = counted.get(who, Totals())
            shares[places[0]] = (totals.submitted, totals.credit)
            continue
        in_order = sorted(places, key=lambda place: _began(pairs[place]))
        for at, reward in submitted.get(who, ()):
            begun = [place for place in in_order if _began(pairs[place]) <= at]
            place = begun[-1] if begun else in_order[0]
            hits, credit = shares[place]
            shares[place] = (hits + 1, credit + reward)
    return shares


def _began(pair: Pair) -> datetime:
    """Return the time at which the submission began. Submissions without a time count as the latest."""
    at = pair.own.arrived_at if pair.own else pair.reported.started_at if pair.reported else None
    return at or _LATEST


def _times(study: Study) -> dict[int, float]:
    """Return the total time of each annotator's submitted HITs."""
    timed = Assignment.objects.filter(study=study, credited=True, seconds__gt=0).order_by()
    return dict(timed.values_list("participation").annotate(Sum("seconds")))


def _can_pay(pair: Pair) -> bool:
    """Return whether Prolific can pay a bonus for this submission, which must have ended or be awaiting review."""
    return bool(
        pair.reported
        and pair.match in (Match.SUBMISSION, Match.PARTICIPANT)
        and pair.reported.status
        in (Status.APPROVED, Status.PARTIALLY_APPROVED, Status.SCREENED_OUT, Status.RETURNED, Status.TIMED_OUT)
    )


def _due(
    study: Study,
    pairs: Sequence[Pair],
    by_approval: Sequence[Decimal],
    money: Mapping[int, Balance],
    listed: Mapping[int, Decimal],
) -> dict[int, Decimal]:
    """Return the amount that each participation must be paid as a bonus.

    The amount is the balance owed, without the amounts in unpaid bonus lists and without the rewards that Prolific pays
    by approval.
    """
    due = {}
    for who, places in places_of(pairs).items():
        rewards = sum((by_approval[place] for place in places), ZERO)
        owed = money[who].owed if who in money else ZERO
        due[who] = max(ZERO, payable(owed - listed.get(who, ZERO) - rewards, study.currency))
    return due


def _by_approval(pair: Pair, credit: Decimal, recorded: Mapping[tuple[int, int], Decimal]) -> Decimal:
    """Return the part of the rewards that Prolific pays on approval and that Accord has not yet recorded as a
    payment.
    """
    if pair.reported and pair.reported.status in UNPAID:
        return ZERO
    paid = ZERO
    if pair.reported and pair.reported.payment_id and pair.participation:
        paid = recorded.get((pair.reported.payment_id, pair.participation.pk), ZERO)
    return max(ZERO, credit - paid)


def _listed(study: Study) -> dict[int, Decimal]:
    """Return each participation's amounts in unpaid bonus lists."""
    waiting = [BonusList.State.OPEN, BonusList.State.PAYING]
    shares = BonusShare.objects.filter(bonus_list__study=study, bonus_list__state__in=waiting)
    return dict(shares.values_list("participation").annotate(Sum("amount")))


def _recorded(study: Study, pairs: Sequence[Pair]) -> dict[tuple[int, int], Decimal]:
    """Return the amounts, after corrections, of the payments that record approvals."""
    payments = {pair.reported.payment_id for pair in pairs if pair.reported and pair.reported.payment_id}
    entries = PayEntry.objects.filter(study=study, payment__in=payments).order_by()
    return {
        (payment, who): total
        for payment, who, total in entries.values_list("payment", "participation").annotate(Sum("amount"))
    }
