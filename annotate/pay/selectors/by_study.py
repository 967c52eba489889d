"""Annotators' total pay by study, for the page that shows the pay in all of a researcher's studies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any

from django.db.models import Q, QuerySet, Sum

from annotate.core.selectors.counts import CENTS
from annotate.models import Annotator, HourCount, PayEntry, Study
from annotate.pay.selectors.balances import ZERO, Balance

_NOT_PAID = (Annotator.Platform.SIMULATED, Annotator.Platform.TRY)


@dataclass(frozen=True)
class Sums:
    """Amounts of one currency. If some annotators have been overpaid, the amounts owed to others do not change."""

    earned: Decimal = ZERO
    paid: Decimal = ZERO
    owed: Decimal = ZERO
    annotators_owed: int = 0

    def __add__(self, other: Sums) -> Sums:
        return Sums(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(Sums)))


@dataclass(frozen=True)
class StudyPay:
    study: Study
    sums: Sums


def pay_by_study(studies: Sequence[Study]) -> list[StudyPay]:
    """Return the pay for each study in which annotators have earned or been paid money, in two queries. The amounts
    equal the totals on each study's own *Pay* page.
    """
    ids = [study.pk for study in studies]
    rewards: Iterable[Any] = _of_people(HourCount.objects.filter(study__in=ids)).annotate(sum=Sum("credit"))
    entries: Iterable[Any] = _of_people(PayEntry.objects.filter(study__in=ids)).annotate(
        bonus=Sum("amount", filter=Q(kind=PayEntry.Kind.BONUS)),
        paid=Sum("amount", filter=Q(kind=PayEntry.Kind.PAYMENT)),
    )
    credit = {(row["study"], row["participation"]): _exact(row["sum"]) for row in rewards}
    recorded = {(row["study"], row["participation"]): (_exact(row["bonus"]), _exact(row["paid"])) for row in entries}
    currencies = {study.pk: study.currency for study in studies}
    sums: dict[int, Sums] = defaultdict(Sums)
    for key in credit.keys() | recorded.keys():
        bonus, paid = recorded.get(key, (ZERO, ZERO))
        balance = Balance(credit.get(key, ZERO), bonus, paid, currencies[key[0]])
        owed = max(balance.owed, ZERO)
        sums[key[0]] += Sums(balance.credit + bonus, paid, owed, int(owed > 0))
    return [StudyPay(study, sums[study.pk]) for study in studies if sums[study.pk] != Sums()]


def sums_by_currency(rows: Iterable[StudyPay]) -> dict[str, Sums]:
    """Return the sums over all studies for each currency, sorted by currency."""
    sums: dict[str, Sums] = defaultdict(Sums)
    for row in rows:
        sums[row.study.currency] += row.sums
    return dict(sorted(sums.items()))


def _of_people(rows: QuerySet[Any]) -> QuerySet[Any, Any]:
    people = rows.exclude(participation__annotator__platform__in=_NOT_PAID)
    return people.exclude(participation__annotator__is_program=True).order_by().values("study", "participation")


def _exact(amount: Any) -> Decimal:
    """Round a sum to four decimal places, because SQLite adds amounts as floating-point numbers."""
    return Decimal(amount or 0).quantize(CENTS)
