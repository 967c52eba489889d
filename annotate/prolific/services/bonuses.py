"""Services for lists of bonuses paid through Prolific, and for payments that Prolific made on approval.

An amount is in at most one list that is not cancelled, and a paid list is recorded as a payment in the same
transaction. Therefore, Accord never pays the same amount twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from django.db.models import Max

from accord_core.numerics.money import payable
from accord_core.numerics.printed import amount as digits
from annotate.core.permissions import Actor, researcher
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import BonusList, BonusShare, Job, Participation, Payment, ReportedSubmission, Study
from annotate.pay.selectors.balances import ZERO, balances
from annotate.pay.services import Due, payable_study, record_payment
from annotate.prolific.selectors.submissions import SubmissionRow, submission_rows
from annotate.server import clock
from annotate.server.refusals import Refused, existing

MOST = 2_000  # participants in one list, as in one payment


def create_bonus_list(study_id: int, *, user: Actor) -> BonusList:
    """Create a list of all amounts that Prolific must pay as bonuses.

    Raises `Refused` with the code `nothing-due` if no participant is owed such an amount.
    """
    study = payable_study(study_id, user)
    with write():
        _lock(study)
        due = [row for row in submission_rows(study) if row.due > 0][:MOST]
        if not due:
            raise Refused(
                "nothing-due",
                "All bonuses that participants are owed are already on a list. Import the submissions from Prolific "
                "first.",
            )
        number = (study.bonus_lists.aggregate(last=Max("number"))["last"] or 0) + 1
        bonuses = BonusList.objects.create(study=study, number=number, user=researcher(user))
        BonusShare.objects.bulk_create(
            BonusShare(bonus_list=bonuses, participation=row.participation, amount=row.due) for row in due
        )
        total = sum((row.due for row in due), ZERO)
        amount = digits(total, study.currency)
        record(study, "created bonus list", user=user, number=number, annotators=len(due), amount=amount)
        return bonuses


def confirm_bonus_list(study_id: int, number: int, *, user: Actor, paid_on: date | None = None) -> BonusList:
    """Record that a researcher has paid a list on Prolific, together with the payment in Accord.

    Raises `Refused` with the code `unknown`, `state` for a list that is already paid or cancelled, `changed` if a
    participant is now owed less, or `busy` while a job pays the list.
    """
    study = payable_study(study_id, user)
    with write():
        _lock(study)
        _refuse_running(_unfinished(study, number))
        return record_paid_list(study.pk, number, user=user, paid_on=paid_on)


def record_paid_list(study_id: int, number: int, *, user: Actor, paid_on: date | None = None) -> BonusList:
    """Record that a list has been paid on Prolific, together with the payment in Accord.

    Raises `Refused` with the code `unknown`, `state` or `changed`.
    """
    study = payable_study(study_id, user)
    with write():
        _lock(study)
        bonuses = _unfinished(study, number)
        amounts = [
            (share.participation, share.amount)
            for share in bonuses.shares.select_related("participation").order_by("participation")
        ]
        bonuses.payment = _pay(study, amounts, f"Prolific bonus list {number}", paid_on or clock.now().date(), user)
        bonuses.state, bonuses.error = BonusList.State.PAID, ""
        bonuses.save(update_fields=["state", "payment", "error"])
        return bonuses


def cancel_bonus_list(study_id: int, number: int, *, user: Actor) -> BonusList:
    """Cancel a list not paid on Prolific, so that its amounts can be added to a new one.

    Raises `Refused` with the code `unknown`, `state` for a list that is already paid or cancelled, or `busy` while a
    job pays the list.
    """
    study = payable_study(study_id, user)
    with write():
        _lock(study)
        bonuses = _unfinished(study, number)
        _refuse_running(bonuses)
        bonuses.state = BonusList.State.CANCELLED
        bonuses.save(update_fields=["state"])
        record(study, "cancelled bonus list", user=user, number=number)
        return bonuses


def record_approved(study_id: int, *, user: Actor) -> Payment:
    """Record a payment for the rewards that Prolific paid when submissions were approved.

    Raises `Refused` with the code `nothing-due` if all approved submissions are recorded as paid.
    """
    study = payable_study(study_id, user)
    with write():
        _lock(study)
        rows = [row for row in submission_rows(study) if row.unrecorded > 0 and row.participation]
        amounts = _rewards(study, rows)
        if not amounts:
            raise Refused("nothing-due", "All approved submissions are already recorded as paid.")
        payment = _pay(study, amounts, "Approved on Prolific", clock.now().date(), user)
        paid = {person.pk for person, _ in amounts}
        recorded = [
            row.reported.pk for row in rows if row.reported and row.participation and row.participation.pk in paid
        ]
        ReportedSubmission.objects.filter(pk__in=recorded).update(payment=payment)
        return payment


def _rewards(study: Study, rows: Sequence[SubmissionRow]) -> list[tuple[Participation, Decimal]]:
    """Return each participant's rewards for these submissions, up to the amount that the participant is owed."""
    people = {row.participation.pk: row.participation for row in rows if row.participation}
    rewards: dict[int, Decimal] = {}
    for row in rows:
        if row.participation:
            rewards[row.participation.pk] = rewards.get(row.participation.pk, ZERO) + row.unrecorded
    money = balances(study, list(people))
    amounts = [(person, min(payable(rewards[who], study.currency), money[who].owed)) for who, person in people.items()]
    return [(person, amount) for person, amount in amounts if amount > 0][:MOST]


def _pay(
    study: Study, amounts: Sequence[tuple[Participation, Decimal]], reference: str, paid_on: date, user: Actor
) -> Payment:
    money = balances(study, [person.pk for person, _ in amounts])
    dues = [Due(person.pseudonym, amount, money[person.pk].paid) for person, amount in amounts]
    return record_payment(study.pk, dues, reference=reference, paid_on=paid_on, user=user)


def _lock(study: Study) -> None:
    """Lock the participations and then the study, in the same order as payments. Therefore, two lists never contain the
    same amount.
    """
    list(Participation.objects.people().locked().filter(study=study).order_by("pk").values_list("pk"))
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)


def _unfinished(study: Study, number: int) -> BonusList:
    bonuses = existing(
        study.bonus_lists.select_for_update().filter(number=number).first(), f"This study has no bonus list {number}."
    )
    if bonuses.state not in (BonusList.State.OPEN, BonusList.State.PAYING):
        raise Refused("state", f"Bonus list {number} is already {bonuses.state}.")
    return bonuses


def _refuse_running(bonuses: BonusList) -> None:
    """Raise `Refused` (`busy`) while a job is paying the list, because the result is not known yet. The caller must
    lock the list first, so that a later job sees its new state.
    """
    jobs = bonuses.study.jobs.filter(kind=f"prolific-bonuses-{bonuses.number}")
    if jobs.filter(state__in=[Job.State.WAITING, Job.State.RUNNING]).exists():
        raise Refused("busy", f"A job is paying bonus list {bonuses.number}. Wait until the job has finished.")
