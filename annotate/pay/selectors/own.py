"""An annotator's receipt, which lists the annotator's own sets, bonuses and payments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal

from django.db.models import Count, Exists, OuterRef, Q
from django.utils.translation import gettext as _

from accord_core.exchange.csvtext import write_csv
from annotate.core.services.credentials import payment_code
from annotate.models import Annotator, Answer, Assignment, Participation, PayEntry
from annotate.pay.selectors.balances import ZERO

BEGUN = Exists(
    Answer.objects.filter(Q(given_at__isnull=False) | Q(draft__isnull=False), assignment=OuterRef("pk")).values("pk")
)
# The assignments that annotators expect to find in a receipt. The list omits lapsed sets, and sets without answers that
# were open when the annotator was stopped.
LISTED = (
    Q(submitted_at__isnull=False)
    | Q(credited=True)
    | Q(state=Assignment.State.LAPSED, reason__in=Assignment.GIVEN_UP)
    | (Q(state=Assignment.State.VOID) & Q(BEGUN))
)


@dataclass(frozen=True)
class OwnSet:
    """One set in an annotator's receipt. Sets are numbered in the order they were started."""

    number: int
    assignment_id: int
    state: str
    reason: str
    submitted_at: datetime | None
    questions: int
    skipped: int
    reward: Decimal
    credited: bool
    is_paid: bool = False

    @property
    def owed(self) -> Decimal:
        return self.reward if self.credited else ZERO

    @property
    def interrupted(self) -> bool:
        """Whether the study stopped the annotator before the set was submitted."""
        return self.state == Assignment.State.VOID and self.submitted_at is None

    @property
    def outcome(self) -> str:
        """Return whether the set is paid, with the reason in case the annotator expects a different outcome."""
        if self.is_paid:
            return _("paid")
        if self.credited:
            if self.interrupted:
                return _("will be paid, although your work was stopped before you submitted this set")
            if self.state == Assignment.State.SURPLUS:
                return _("will be paid, although someone else submitted this set before you")
            return _("will be paid")
        if self.reason == Assignment.PUT_ASIDE:
            return _("not paid, because you put this set aside")
        if self.reason == Assignment.RETURNED:
            return _("not paid, because you returned this set")
        if self.reason == Assignment.WITHDRAWN:
            return _("not paid, because you withdrew before you submitted this set")
        if self.state == Assignment.State.VOID:
            return _("not paid, because your work was stopped before you submitted this set")
        return _("not paid")


@dataclass(frozen=True)
class OwnEntry:
    """A bonus or payment in an annotator's receipt, or a correction of one. A correction has a signed amount."""

    kind: str
    is_correction: bool
    on: date
    amount: Decimal
    note: str

    @property
    def is_payment(self) -> bool:
        return self.kind == PayEntry.Kind.PAYMENT

    @property
    def name(self) -> str:
        if self.is_correction:
            return _("Correction of a payment") if self.is_payment else _("Correction of a bonus")
        return _("Payment received") if self.is_payment else _("Bonus")


@dataclass(frozen=True)
class Receipt:
    """All of an annotator's sets (submitted, credited or returned), bonuses and payments.

    `code` identifies an annotator with an open link who is owed money, and is empty for others. `earned` is the sum of
    the credited sets. `owed` is the exact amount that is still to be paid, with fractions of a cent.
    """

    sets: Sequence[OwnSet]
    entries: Sequence[OwnEntry]
    code: str = ""

    @property
    def earned(self) -> Decimal:
        return sum((one.owed for one in self.sets), ZERO)

    @property
    def bonuses(self) -> Decimal:
        return sum((one.amount for one in self.entries if not one.is_payment), ZERO)

    @property
    def paid(self) -> Decimal:
        return sum((one.amount for one in self.entries if one.is_payment), ZERO)

    @property
    def owed(self) -> Decimal:
        return self.earned + self.bonuses - self.paid

    @property
    def is_settled(self) -> bool:
        """Whether the annotator has been paid, and nothing is owed."""
        return self.paid > 0 and self.owed <= 0

    @property
    def credited_sets(self) -> int:
        return sum(one.credited for one in self.sets)

    @property
    def interrupted(self) -> OwnSet | None:
        """The set that was open when the annotator was stopped, or None."""
        return next((one for one in self.sets if one.interrupted), None)


def receipt(participation: Participation) -> Receipt:
    """Return the annotator's receipt, in two queries."""
    rows = (
        participation.assignments.filter(LISTED, kind=Assignment.Kind.REGULAR)
        .annotate(questions=Count("answers"))
        .order_by("pk")
        .values_list("pk", "state", "reason", "submitted_at", "questions", "skipped", "reward", "credited")
    )
    sets = [OwnSet(number, *row) for number, row in enumerate(rows, start=1)]
    entries = own_entries(participation)
    own = Receipt(_with_payments(sets, entries), entries)
    if own.owed > 0 and participation.annotator.platform == Annotator.Platform.WEB:
        return replace(own, code=payment_code(participation.public_id))
    return own


def _with_payments(sets: Sequence[OwnSet], entries: Sequence[OwnEntry]) -> list[OwnSet]:
    """Mark the sets covered by payments. Payments first cover bonuses, and then sets in numerical order."""
    left = sum((one.amount if one.is_payment else -one.amount for one in entries), ZERO)
    marked = []
    for one in sets:
        left -= one.owed
        marked.append(replace(one, is_paid=one.credited and left >= 0))
    return marked


def own_entries(participation: Participation) -> list[OwnEntry]:
    """Return the annotator's bonuses and payments with their corrections, oldest first, in one query."""
    entries = participation.pay_entries.select_related("payment").order_by("pk")
    return [_own_entry(entry) for entry in entries]


def _own_entry(entry: PayEntry) -> OwnEntry:
    """Return the receipt entry as shown to the annotator, with the reason for a bonus but not for a correction."""
    is_correction = entry.corrects_id is not None
    on, note = entry.recorded_at.date(), ""
    if entry.payment:
        on, note = on if is_correction else entry.payment.paid_on, entry.payment.reference
    elif not is_correction:
        note = entry.reason
    return OwnEntry(entry.kind, is_correction, on, entry.amount, note)


def receipt_csv(participation: Participation) -> Iterator[str]:
    """Yield the receipt as a CSV file: sets, then bonuses and payments, and finally the amount that is still owed.

    The amounts in the column `owed` add up to the last row, so payments are negative. Times are in UTC.
    """
    own, currency = receipt(participation), participation.study.currency
    columns = ["set", "submitted_at", "questions", "skipped", "reward", "owed", "currency", "outcome"]
    rows = [
        [
            str(one.number),
            _utc(one.submitted_at),
            str(one.questions),
            str(one.skipped),
            f"{one.reward}",
            f"{one.owed}",
            currency,
            one.outcome,
        ]
        for one in own.sets
    ]
    for entry in own.entries:
        amount = -entry.amount if entry.is_payment else entry.amount
        outcome = f"{entry.name}: {entry.note}" if entry.note else entry.name
        rows.append([entry.kind, entry.on.isoformat(), "", "", "", f"{amount}", currency, outcome])
    total = ["total", "", "", "", "", f"{own.owed}", currency, participation.pseudonym]
    return write_csv([*rows, total], columns)


def _utc(moment: datetime | None) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if moment else ""
