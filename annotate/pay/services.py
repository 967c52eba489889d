"""Services that record payments and bonuses, and that correct them with additional entries.

Accord does not send money. Researchers pay annotators elsewhere, and record each payment here. Every service locks the
participations first, so that two researchers never record the same payment twice.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from django.db.models import Max, Sum
from django.db.models.functions import Coalesce

from accord_core.numerics.money import WITHOUT_CENTS, is_payable
from accord_core.numerics.printed import amount as digits
from accord_core.numerics.printed import money
from annotate.core.permissions import Action, Actor, permitted_study, refuse_state, researcher
from annotate.core.services.log import record
from annotate.core.services.spend import refuse_above_cap
from annotate.core.services.texts import required_reason
from annotate.core.services.writing import write
from annotate.models import Participation, PayEntry, Payment, Study
from annotate.pay.selectors.balances import ZERO, balances
from annotate.server import clock
from annotate.server.refusals import Refused, existing, invalid

LARGEST = Decimal(10_000_000)  # the database stores at most eight digits before the decimal point
MOST_AT_ONCE = 2_000  # annotators in one payment
LONGEST_REFERENCE = 200  # characters
LONGEST_REASON = 500
SHOWN = 5  # annotators whom an error message names


@dataclass(frozen=True)
class Due:
    """An annotator's share of a payment, and the amount that the annotator had received before.

    The service refuses the payment if `paid` is out of date, because another payment may then be the same one.
    """

    pseudonym: str
    amount: Decimal
    paid: Decimal


def record_payment(study_id: int, dues: Sequence[Due], *, reference: str, paid_on: date, user: Actor) -> Payment:
    """Record one payment to several annotators. If any share is invalid, the whole payment is rejected.

    Raises `Refused` with the code `invalid` for impossible values, `unknown` for unknown annotators, or `changed` if an
    annotator was paid in the meantime or is owed less than the amount.
    """
    with write():
        study = payable_study(study_id, user)
        reference = reference.strip()
        _refuse_invalid(study, dues, reference, paid_on)
        people = _locked(study, [due.pseudonym for due in dues])
        _refuse_changed(study, people, dues)
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)  # numbers payments one after the other
        number = (study.payments.aggregate(last=Max("number"))["last"] or 0) + 1
        by = researcher(user)
        payment = Payment.objects.create(study=study, number=number, reference=reference, paid_on=paid_on, user=by)
        PayEntry.objects.bulk_create(
            PayEntry(
                study=study,
                participation=people[due.pseudonym],
                kind=PayEntry.Kind.PAYMENT,
                amount=due.amount,
                payment=payment,
                user=by,
            )
            for due in dues
        )
        total = sum((due.amount for due in dues), ZERO)
        record(
            study,
            "recorded payment",
            user=user,
            number=number,
            reference=reference,
            paid_on=paid_on.isoformat(),
            annotators=len(dues),
            amount=digits(total, study.currency),
        )
        return payment


def give_bonus(
    study_id: int, pseudonym: str, *, amount: Decimal, reason: str, user: Actor, seen: Decimal | None = None
) -> PayEntry:
    """Give an annotator a bonus, which is owed in addition to the rewards. The annotator can see the reason for the
    bonus.

    `seen` is the sum of the annotator's bonuses that the user has seen. Raises `Refused` with the code `changed` if the
    sum has changed, so that a repeated request adds nothing, with `invalid`, `unknown`, or with `budget` if the bonus
    would exceed the budget cap of the study.
    """
    with write():
        study = payable_study(study_id, user)
        _refuse_amount(study, amount, smallest="greater than 0")
        _require_reason(reason)
        (participation,) = _locked(study, [pseudonym]).values()
        _refuse_changed_bonuses(study, participation, seen)
        refuse_above_cap(study.pk, amount)
        entry = PayEntry.objects.create(
            study=study,
            participation=participation,
            kind=PayEntry.Kind.BONUS,
            amount=amount,
            reason=reason.strip(),
            user=researcher(user),
        )
        given = digits(amount, study.currency)
        record(study, "gave bonus", user=user, participation=participation, reason=reason, amount=given)
        return entry


def correct_entry(study_id: int, entry_id: str, *, amount: Decimal, reason: str, user: Actor) -> PayEntry:
    """Set a bonus, or an annotator's share of a payment, to `amount` by adding an entry for the difference.

    The amount can be 0. Returns the original entry. Repeated calls with the same amount have no effect.
    """
    with write():
        study = payable_study(study_id, user)
        _refuse_amount(study, amount, smallest="at least 0")
        _require_reason(reason)
        entry = _original(study, entry_id)
        before = _present_amount(entry)
        if entry.kind == PayEntry.Kind.BONUS and amount > before:
            refuse_above_cap(study.pk, amount - before)
        if amount != before:
            _correction(entry, amount - before, reason, user).save()
            record(
                study,
                f"corrected {entry.kind}",
                user=user,
                participation=entry.participation,
                reason=reason,
                number=entry.payment.number if entry.payment else None,
                amount=[digits(before, study.currency), digits(amount, study.currency)],
            )
        return entry


def undo_payment(study_id: int, number: int, *, reason: str, user: Actor) -> Payment:
    """Set all annotators' shares in a payment to 0, so that they are owed the money again."""
    with write():
        study = payable_study(study_id, user)
        _require_reason(reason)
        payment = existing(
            study.payments.filter(number=number).first(), f"This study has no payment with the number {number}."
        )
        shares = payment.entries.filter(corrects=None)
        paid = list(shares.values_list("participation", flat=True))
        list(Participation.objects.locked().filter(pk__in=paid).order_by("pk"))
        entries = list(shares.annotate(corrected=Coalesce(Sum("corrections__amount"), ZERO)).order_by("pk"))
        amounts_before = {entry: _rounded(entry.amount + entry.corrected) for entry in entries}
        PayEntry.objects.bulk_create(
            _correction(entry, -present, reason, user) for entry, present in amounts_before.items() if present
        )
        before = sum(amounts_before.values(), ZERO)
        if before:
            amounts = [digits(before, study.currency), digits(ZERO, study.currency)]
            record(study, "corrected payment", user=user, reason=reason, number=number, amount=amounts)
        return payment


def payable_study(study_id: int, user: Actor) -> Study:
    """Return the study. Raise `Refused` unless the user's role and the study's state allow payments."""
    study = permitted_study(study_id, user, Action.PAY)
    refuse_state(study, Action.PAY)
    return study


def _locked(study: Study, pseudonyms: Collection[str]) -> dict[str, Participation]:
    """Lock these annotators' participations in the same order as all other services. Raises `Refused` (`unknown`)."""
    people = Participation.objects.people().locked().filter(study=study, pseudonym__in=pseudonyms)
    locked = {participation.pseudonym: participation for participation in people.order_by("pk")}
    unknown = [pseudonym for pseudonym in pseudonyms if pseudonym not in locked]
    if unknown:
        message = f"This study has no annotator with this pseudonym: {', '.join(unknown[:SHOWN])}."
        raise Refused("unknown", message, status=404, fields={"annotator": [message]})
    return locked


def _original(study: Study, entry_id: str) -> PayEntry:
    """Lock the participation of a pay entry that is not a correction itself, and return the entry."""
    entries = PayEntry.objects.filter(study=study, public_id=entry_id, corrects=None)
    entry = existing(
        entries.select_related("participation", "payment").first(), "This study has no bonus or payment with this ID."
    )
    Participation.objects.locked().get(pk=entry.participation_id)
    return entry


def _present_amount(entry: PayEntry) -> Decimal:
    difference: Decimal = entry.corrections.aggregate(sum=Sum("amount"))["sum"] or ZERO
    return _rounded(entry.amount + difference)


def _rounded(amount: Decimal) -> Decimal:
    """Round to four decimal places, because SQLite adds amounts as floating-point numbers."""
    return amount.quantize(Decimal("0.0001"))


def _correction(entry: PayEntry, difference: Decimal, reason: str, user: Actor) -> PayEntry:
    return PayEntry(
        study_id=entry.study_id,
        participation_id=entry.participation_id,
        kind=entry.kind,
        amount=difference,
        payment_id=entry.payment_id,
        corrects=entry,
        reason=reason.strip(),
        user=researcher(user),
    )


def _refuse_invalid(study: Study, dues: Sequence[Due], reference: str, paid_on: date) -> None:
    errors: dict[str, str] = {}
    if not reference:
        errors["reference"] = "Enter a reference, such as the number of the bank transfer."
    elif len(reference) > LONGEST_REFERENCE:
        errors["reference"] = (
            f"The reference has {len(reference)} characters. Enter at most {LONGEST_REFERENCE} characters."
        )
    today = clock.now().date()
    if not date(2000, 1, 1) <= paid_on <= today + timedelta(days=1):  # it may already be tomorrow elsewhere
        errors["paid_on"] = f"The payment date {paid_on} must be between 2000-01-01 and today, {today}."
    pseudonyms = [due.pseudonym for due in dues]
    if not dues:
        errors["annotators"] = "Select at least one annotator."
    elif len(dues) > MOST_AT_ONCE:
        errors["annotators"] = (
            f"A payment can include at most {MOST_AT_ONCE:,} annotators, but {len(dues):,} are selected."
        )
    elif len(set(pseudonyms)) < len(pseudonyms):
        twice = next(each for each in pseudonyms if pseudonyms.count(each) > 1)
        errors["annotators"] = f"The payment contains {twice} twice. Name each annotator once."
    if errors:
        raise Refused("invalid", " ".join(errors.values()), status=400, fields={k: [v] for k, v in errors.items()})
    for due in dues:
        _refuse_amount(study, due.amount, smallest="greater than 0", of=due.pseudonym)


def _refuse_amount(study: Study, amount: Decimal, *, smallest: str, of: str = "") -> None:
    """Raise `Refused` (`invalid`) unless the amount can be paid. `smallest` describes the smallest possible amount."""
    least = amount.is_finite() and (amount > 0 or (amount == 0 and smallest == "at least 0"))
    if not least or amount >= LARGEST or not is_payable(amount, study.currency):
        who = f" for {of}" if of else ""
        unit = "cents" if study.currency not in WITHOUT_CENTS else study.currency
        raise invalid(
            "amount",
            f"The amount {amount}{who} cannot be paid in {study.currency}. "
            f"Enter a whole number of {unit} that is {smallest} and below {LARGEST:,}.",
        )


def _refuse_changed(study: Study, people: dict[str, Participation], dues: Sequence[Due]) -> None:
    """Raise `Refused` (`changed`) if any annotator's balance has changed since the payment was prepared. The caller
    must lock these annotators' participations first.
    """
    own = balances(study, [participation.pk for participation in people.values()])
    changed = {}
    for due in dues:
        balance = own[people[due.pseudonym].pk]
        if balance.paid != due.paid or due.amount > balance.owed:
            paid, owed = (money(each, study.currency) for each in (balance.paid, balance.owed))
            changed[due.pseudonym] = f"{due.pseudonym} has been paid {paid} and is owed {owed}"
    if changed:
        more = len(changed) - SHOWN
        facts = "; ".join(list(changed.values())[:SHOWN]) + (f"; and {more} more" if more > 0 else "")
        raise Refused(
            "changed",
            f"The payment was not recorded, because amounts have changed since you loaded them: {facts}. Check whether "
            "another member has recorded the same payment, then select the annotators again.",
            fields={pseudonym: [fact] for pseudonym, fact in changed.items()},
        )


def _refuse_changed_bonuses(study: Study, participation: Participation, seen: Decimal | None) -> None:
    """Raise `Refused` (`changed`) if the sum of the annotator's bonuses has changed since the user saw it. The caller
    must lock the participation first.
    """
    current = balances(study, [participation.pk])[participation.pk].bonus
    if seen is not None and seen != current:
        raise Refused(
            "changed",
            f"The annotator’s bonuses have changed since you loaded the page, and are now "
            f"{money(current, study.currency)}. Check whether this bonus is already recorded before you give another.",
        )


def _require_reason(reason: str) -> None:
    required_reason(reason)
    if len(reason.strip()) > LONGEST_REASON:
        raise invalid(
            "reason", f"The reason has {len(reason.strip())} characters. Enter at most {LONGEST_REASON} characters."
        )
