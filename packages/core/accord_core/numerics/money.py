"""Amounts of money in payable units: whole cents, or whole units of currencies without cents."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

WITHOUT_CENTS = frozenset(["JPY", "KRW", "ISK", "CLP", "VND"])


def smallest_unit(currency: str) -> Decimal:
    """Return the smallest amount that can be paid in this currency, which is 0.01, or 1 for currencies without
    cents.
    """
    return Decimal(1) if currency in WITHOUT_CENTS else Decimal("0.01")


def payable(amount: Decimal, currency: str) -> Decimal:
    """Round an amount to the smallest unit of its currency. Half a unit is rounded away from zero."""
    unit = smallest_unit(currency)
    return (amount / unit).quantize(Decimal(1), ROUND_HALF_UP) * unit


def is_payable(amount: Decimal, currency: str) -> bool:
    """Return whether the amount is a finite multiple of the smallest unit of its currency."""
    return amount.is_finite() and amount % smallest_unit(currency) == 0
