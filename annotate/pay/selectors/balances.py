"""Annotators' earnings and payments, as rows on the *Pay* page. The number of queries does not depend on the number of
annotators.

The amount owed is the sum of credited rewards and bonuses minus all payments, rounded to the smallest unit of the
currency. Fractions of a cent stay in the balance until further HITs make them payable.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Round

from accord_core.numerics import money
from annotate.core.selectors.counts import CENTS, totals_by_annotator
from annotate.core.services.credentials import normalized_code, payment_code
from annotate.models import Annotator, Assignment, Participation, PayEntry, Payment, Study

ZERO = Decimal(0)
OWED, PAID = "owed", "paid"  # the filters


@dataclass(frozen=True)
class Balance:
    """An annotator's earnings and payments, which are credited rewards, bonuses and payments, each after
    corrections.
    """

    credit: Decimal = ZERO
    bonus: Decimal = ZERO
    paid: Decimal = ZERO
    currency: str = "USD"

    @property
    def owed(self) -> Decimal:
        """Return the amount that can be paid now. The amount is negative if the annotator has been overpaid."""
        return money.payable(self.credit + self.bonus - self.paid, self.currency)


@dataclass(frozen=True)
class PayRow:
    """One annotator on the *Pay* page. `hits` is the number of submitted HITs. For a named annotator, `platform_id` is
    the name, because researchers need to know whom to pay. It is None for readers who may not see platform IDs.
    """

    pseudonym: str
    standing: str
    platform: str
    platform_id: str | None
    hits: int
    balance: Balance
    participation_id: int
    public_id: str

    @property
    def owed(self) -> Decimal:
        return self.balance.owed

    @property
    def platform_name(self) -> str:
        return str(Annotator.Platform(self.platform).label)

    @property
    def paid_by_code(self) -> bool:
        """Whether only the code on the receipt connects a person with this row."""
        return self.platform == Annotator.Platform.WEB

    @property
    def stopped(self) -> bool:
        return self.standing == Participation.Standing.STOPPED

    @property
    def state(self) -> str:
        """Return `owed`, `overpaid`, `paid`, or `nothing` if the annotator has earned nothing yet."""
        if self.owed:
            return OWED if self.owed > 0 else "overpaid"
        return PAID if self.balance.paid else "nothing"


@dataclass(frozen=True)
class PayTotals:
    """The sums over the rows on the *Pay* page."""

    annotators: int
    hits: int
    credit: Decimal
    bonus: Decimal
    paid: Decimal
    owed: Decimal
    annotators_owed: int
    annotators_paid: int


def balances(study: Study, participations: Collection[int] | None = None) -> dict[int, Balance]:
    """Return the balances of these annotators, or of all annotators, by participation. Needs two queries.

    Annotators without earnings and payments are omitted.
    """
    credit = {who: own.credit for who, own in totals_by_annotator(study).items()}
    entries = PayEntry.objects.filter(study=study)
    if participations is not None:
        entries = entries.filter(participation__in=participations)
    recorded = _sums_by_annotator(entries)
    chosen = credit.keys() | recorded.keys() if participations is None else participations
    return {who: _balance(study, credit.get(who, ZERO), recorded.get(who)) for who in chosen}


def pay_rows(study: Study, *, with_platform_ids: bool = True) -> list[PayRow]:
    """Return a row for each person, excluding simulated annotators, programs and try-outs. Three queries."""
    counted = totals_by_annotator(study)
    recorded = _sums_by_annotator(PayEntry.objects.filter(study=study))
    people = study.participations.people()
    fields = (
        "pk",
        "pseudonym",
        "standing",
        "annotator__platform",
        "annotator__external_id",
        "annotator__contact",
        "public_id",
    )
    rows = []
    for who, pseudonym, standing, platform, platform_id, contact, public_id in people.order_by("pseudonym").values_list(
        *fields
    ):
        own = counted.get(who)
        rows.append(
            PayRow(
                pseudonym,
                standing,
                platform,
                (contact if platform == Annotator.Platform.NAMED else platform_id) if with_platform_ids else None,
                own.submitted if own else 0,
                _balance(study, own.credit if own else ZERO, recorded.get(who)),
                who,
                public_id,
            )
        )
    return rows


def _sums_by_annotator(entries: QuerySet[PayEntry]) -> dict[int, dict[str, Any]]:
    rows: Iterable[Any] = entries.order_by().values("participation").annotate(**_BY_KIND)
    return {row["participation"]: row for row in rows}


_BY_KIND = {kind: Sum("amount", filter=Q(kind=kind)) for kind in PayEntry.Kind.values}


def _balance(study: Study, credit: Decimal, recorded: dict[str, Any] | None) -> Balance:
    # SQLite adds decimals in floating point.
    bonus, paid = (
        (recorded[kind] or ZERO).quantize(CENTS) if recorded else ZERO
        for kind in (PayEntry.Kind.BONUS, PayEntry.Kind.PAYMENT)
    )
    return Balance(credit, bonus, paid, study.currency)


def pay_totals(rows: Sequence[PayRow]) -> PayTotals:
    """Return the totals of these rows. If some annotators have been overpaid, the amounts owed to others do not
    change.
    """
    owed = [row for row in rows if row.state == OWED]
    return PayTotals(
        annotators=len(rows),
        hits=sum(row.hits for row in rows),
        credit=sum((row.balance.credit for row in rows), ZERO),
        bonus=sum((row.balance.bonus for row in rows), ZERO),
        paid=sum((row.balance.paid for row in rows), ZERO),
        owed=sum((row.owed for row in owed), ZERO),
        annotators_owed=len(owed),
        annotators_paid=sum(row.state == PAID for row in rows),
    )


SORTS = {
    "hits": lambda row: row.hits,
    "owed": lambda row: row.owed,
    "bonus": lambda row: row.balance.bonus,
    "paid": lambda row: row.balance.paid,
}


def chosen(rows: Sequence[PayRow], *, show: str = "", search: str = "", sort: str = "") -> list[PayRow]:
    """Return the sorted rows in the state `show` whose pseudonym or platform ID contains `search`, or
    whose payment codes are in it.

    `sort` is a name in `SORTS`, with a leading minus for descending order. Any other value sorts by pseudonym.
    """
    term = search.strip().lower()
    codes = {normalized_code(code) for code in (search, *re.split(r"[\s,;]+", search))}
    matches = [row for row in rows if show in ("", row.state) and (_is_named(row, term) or _has_code(row, codes))]
    key = SORTS.get(sort.removeprefix("-"))
    return sorted(matches, key=key, reverse=sort.startswith("-")) if key else matches


def _is_named(row: PayRow, term: str) -> bool:
    return any(term in name.lower() for name in (row.pseudonym, row.platform_id or ""))


def _has_code(row: PayRow, codes: Collection[str]) -> bool:
    return row.paid_by_code and normalized_code(payment_code(row.public_id)) in codes


def hourly_wages(study: Study, participations: Collection[int]) -> dict[int, Decimal]:
    """Return these annotators' hourly wages, calculated from submitted HITs whose time is known. Needs one query."""
    timed = Assignment.objects.filter(study=study, participation__in=participations, seconds__gt=0, credited=True)
    sums: Iterable[Any] = timed.order_by().values("participation").annotate(pay=Sum("reward"), took=Sum("seconds"))
    return {
        row["participation"]: (row["pay"] * 3600 / Decimal(row["took"])).quantize(Decimal("0.01"))
        for row in sums
        if row["pay"]
    }


def payments_of(study: Study) -> QuerySet[Payment]:
    """Return the payments, newest first, each with its corrected amount and its number of annotators."""
    return (
        study.payments.select_related("user")
        .annotate(
            # SQLite adds decimals in floating point.
            total=Round(Sum("entries__amount", default=Decimal(0)), precision=4),
            annotators=Count("entries__participation", distinct=True),
        )
        .order_by("-number")
    )


@dataclass(frozen=True)
class Entry:
    """A bonus or a share of a payment, with its corrections and its current amount."""

    entry: PayEntry
    corrections: list[PayEntry]
    present: Decimal


def entries_of(entries: QuerySet[PayEntry]) -> list[Entry]:
    """Return original entries with their corrections, oldest first. Needs two queries."""
    originals = entries.filter(corrects=None).select_related("participation", "payment", "user").order_by("pk")
    listed = list(originals.prefetch_related("corrections__user"))
    result = []
    for entry in listed:
        corrections = sorted(entry.corrections.all(), key=lambda correction: correction.pk)
        result.append(Entry(entry, corrections, sum((each.amount for each in corrections), entry.amount)))
    return result
