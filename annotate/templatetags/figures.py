"""Template filters that format figures: `.831`, `88.4%`, `8,710`, `$1,207.50`, `.786–.831`."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from django import template

register = template.Library()

NONE = "–"
_MISSING = (None, "")  # Django passes an empty text to a filter if a key is missing
_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}
_WITHOUT_CENTS = {"JPY", "KRW", "ISK", "CLP", "VND"}


@register.filter
def coefficient(value: float | None, places: int = 3) -> str:
    """Format a figure between −1 and 1 without its leading zero: .831, −.250, 1.000."""
    if value in _MISSING:
        return NONE
    text = f"{abs(value):.{places}f}"
    sign = "−" if value < 0 and float(text) else ""
    return sign + (text[1:] if text.startswith("0.") else text)


@register.filter
def figure(value: Any) -> str:
    """Format a cell that can contain a whole number, a coefficient, a text or nothing."""
    if value is None or isinstance(value, float):
        return coefficient(value)
    return count(value) if isinstance(value, int) else str(value)


@register.filter
def percent(value: float | None, places: int = 0) -> str:
    """Format a share as a percentage: .884 as 88%, or as 88.4% with one decimal place."""
    return NONE if value in _MISSING else f"{100 * value:.{places}f}%"


@register.filter
def count(value: int | None) -> str:
    """Format a whole number with a thousands separator: 8,710."""
    return NONE if value in _MISSING else f"{value:,}"


@register.filter
def seconds(value: float | None) -> str:
    """Format a number of seconds: 24 s."""
    return NONE if value in _MISSING else f"{value:.0f} s"


@register.filter
def p_value(value: float | None) -> str:
    """Format a p-value: p = .042, or p < .001."""
    if value in _MISSING:
        return NONE
    return "p < .001" if value < 0.001 else f"p = {coefficient(value)}"


@register.filter
def money(value: Decimal | float | None, currency: str = "USD") -> str:
    """Format an amount in the currency of a study, with fractions of a cent if there are any: $1,207.50, $0.0125."""
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
    """Format a range, such as .786–.831. Show one figure if both are the same or one is missing."""
    first, last = coefficient(low, places), coefficient(high, places)
    if low in _MISSING or high in _MISSING:
        return last if low in _MISSING else first
    return first if first == last else f"{first}–{last}"


@register.filter
def size(value: int | None) -> str:
    """Format a number of bytes: 84 kB, 1.9 MB."""
    if value in _MISSING:
        return NONE
    if value < 1000:
        return f"{value} B"
    if value < 1_000_000:
        return f"{value / 1000:.0f} kB"
    return f"{value / 1_000_000:.1f} MB"


@register.filter
def get(mapping: Any, key: Any) -> Any:
    """Return `mapping[key]`, or None if the key is missing."""
    return mapping.get(key) if mapping else None


@register.filter
def cell_text(value: Any) -> str:
    """Return the text of a table cell for a part of an item. Lists are separated by dots, nested values are JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and not any(isinstance(part, list | dict) for part in value):
        return " · ".join(map(str, value))
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value)
