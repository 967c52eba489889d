"""Figures as papers print them: `.831`, `88.4%`, `8,710`, `$1,207.50`, `.786–.831`."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from django import template

register = template.Library()

NONE = "–"
_MISSING = (None, "")  # a template gives a filter an empty text for a key that is not there
_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}
_WITHOUT_CENTS = {"JPY", "KRW", "ISK", "CLP", "VND"}


@register.filter
def coefficient(value: float | None, places: int = 3) -> str:
    """A figure in [−1, 1] without its leading zero: .831, −.250, 1.000."""
    if value in _MISSING:
        return NONE
    text = f"{abs(value):.{places}f}"
    sign = "−" if value < 0 and float(text) else ""
    return sign + (text[1:] if text.startswith("0.") else text)


@register.filter
def figure(value: Any) -> str:
    """A cell of a table that may be anything: a whole number, a coefficient, a text, or nothing."""
    if value is None or isinstance(value, float):
        return coefficient(value)
    return count(value) if isinstance(value, int) else str(value)


@register.filter
def percent(value: float | None, places: int = 0) -> str:
    """A share as a percentage: .884 as 88%, or 88.4% with one place."""
    return NONE if value in _MISSING else f"{100 * value:.{places}f}%"


@register.filter
def count(value: int | None) -> str:
    """A whole number with thousands apart: 8,710."""
    return NONE if value in _MISSING else f"{value:,}"


@register.filter
def seconds(value: float | None) -> str:
    """A median time: 24 s."""
    return NONE if value in _MISSING else f"{value:.0f} s"


@register.filter
def p_value(value: float | None) -> str:
    """p = .042, or p < .001."""
    if value in _MISSING:
        return NONE
    return "p < .001" if value < 0.001 else f"p = {coefficient(value)}"


@register.filter
def money(value: Decimal | float | None, currency: str = "USD") -> str:
    """An amount in a study's currency, to the cent, or further where it has parts of one: $1,207.50, $0.0125."""
    if value in _MISSING:
        return NONE
    amount = Decimal(value).normalize()
    exponent = amount.as_tuple().exponent
    cents = 0 if currency in _WITHOUT_CENTS else 2
    text = f"{amount:,.{max(cents, -exponent if isinstance(exponent, int) else 0)}f}"
    sign = _SIGNS.get(currency)
    return f"{sign}{text}" if sign else f"{text} {currency}"


@register.simple_tag
def bracket(low: float | None, high: float | None, places: int = 3) -> str:
    """Two figures that bracket a third: .786–.831; one of them where they are the same or the other is missing."""
    first, last = coefficient(low, places), coefficient(high, places)
    if low in _MISSING or high in _MISSING:
        return last if low in _MISSING else first
    return first if first == last else f"{first}–{last}"


@register.filter
def size(value: int | None) -> str:
    """Bytes: 84 kB, 1.9 MB."""
    if value in _MISSING:
        return NONE
    if value < 1000:
        return f"{value} B"
    if value < 1_000_000:
        return f"{value / 1000:.0f} kB"
    return f"{value / 1_000_000:.1f} MB"


@register.filter
def get(mapping: Any, key: Any) -> Any:
    """`mapping[key]`, or None."""
    return mapping.get(key) if mapping else None


@register.filter
def told(value: Any) -> str:
    """A part of an item's content in a cell: parts of a list apart, such as tokens; what is nested as JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and not any(isinstance(part, list | dict) for part in value):
        return " · ".join(map(str, value))
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value)
