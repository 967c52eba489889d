"""Template filters that format figures, for example as `.831`, `88.4%`, `8,710`, `$1,207.50` or `.786–.831`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django import template
from django.utils.translation import get_language

from accord_core.numerics import printed

register = template.Library()

NONE = printed.NONE
_MISSING = (None, "")  # templates pass an empty string to filters if a key is missing


def _value(value: Any) -> Any:
    """Return None for a missing value. Templates pass an empty string to a filter if a key is missing."""
    return None if value in (None, "") else value


@register.filter
def coefficient(value: float | None, places: int = 3) -> str:
    """Return a figure in [−1, 1] without its leading zero, such as .831, −.250 or 1.000."""
    return printed.coefficient(_value(value), places)


@register.filter
def stated(value: float) -> str:
    """Return a number that a person has chosen, such as a target of .85 or .999, with all of its decimal places."""
    return printed.coefficient(value, printed.places_of(value))


@register.filter
def figure(value: Any) -> str:
    """Format a table cell, which can be empty or contain a whole number, a coefficient or text."""
    if value is None or isinstance(value, float):
        return coefficient(value)
    return count(value) if isinstance(value, int) else str(value)


@register.filter
def percent(value: float | None, places: int = 0) -> str:
    """Format a proportion as a percentage, such as 88% for .884, or 88.4% with one decimal place."""
    return printed.percent(_value(value), places)


@register.filter
def percent_reached(value: float | None) -> str:
    """Format a proportion as a percentage, rounded down as on the annotators' pages."""
    share = _value(value)
    return printed.NONE if share is None else f"{printed.percent_reached(share)}%"


@register.simple_tag
def share_of(part: int, whole: int, share: float | None = None) -> str:
    """Return a share as a percentage or, of fewer than ten, as counts, such as “2 of 3”."""
    return printed.share_of(part, whole, _value(share))


@register.filter
def count(value: int | None) -> str:
    """Return a whole number with thousands separators, such as 8,710."""
    return printed.count(_value(value))


@register.filter
def annotators(number: int | None, simulated: int | None = None) -> str:
    """Format a number of annotators, and how many of them are simulated: {{ n|annotators:simulated }}."""
    return printed.annotators(_value(number), _value(simulated) or 0)


@register.filter
def mean(value: float | None) -> str:
    """Format a mean of counts with one decimal place, such as 2.4, 0 or “fewer than 0.1”."""
    if value in _MISSING:
        return NONE
    return "fewer than 0.1" if 0 < value < 0.1 else f"{value:.1f}".removesuffix(".0")


@register.filter
def seconds(value: float | None) -> str:
    """Format a number of seconds, for example as 24 s."""
    return NONE if value in _MISSING else f"{value:.0f} s"


@register.filter
def p_value(value: float | None) -> str:
    """Return a formatted p-value, such as p = .042 or p < .001."""
    return printed.p_value(_value(value))


@register.filter
def money(value: Decimal | None, currency: str) -> str:
    """Format an amount of money in the page's language, such as $1,207.50 in English and 1.207,50 $ in Spanish."""
    return printed.money(_value(value), currency, get_language() or "en")


@register.simple_tag
def bracket(low: float | None, high: float | None, places: int = 3) -> str:
    """Return an interval: .786–.831. If the ends of the interval are equal or one end is missing, the tag returns one
    figure.
    """
    return printed.interval(_value(low), _value(high), places)


@register.filter
def size(value: int | None) -> str:
    """Format a number of bytes, for example as 84 kB or 1.9 MB. Limits are usually whole numbers of MiB, such as 512
    MiB.
    """
    if value in _MISSING:
        return NONE
    if value < 1000:
        return f"{value} B"
    if value < 1_000_000:
        return f"{value / 1000:.0f} kB"
    mebibytes, rest = divmod(value, 1 << 20)
    return f"{value / 1_000_000:.1f} MB" if rest else f"{mebibytes:,} MiB"


@register.filter
def get(mapping: Any, key: Any) -> Any:
    """Return `mapping[key]`, or None if the key is missing."""
    return mapping.get(key) if mapping else None


@register.filter
def zipped(row: Sequence[Any], columns: Sequence[str]) -> list[tuple[Any, str]]:
    """Return pairs of a cell and the name of its column."""
    return list(zip(row, columns, strict=True))


@register.filter
def is_number(value: Any) -> bool:
    """Return whether a part of an item is a number, which needs no room for a text."""
    return isinstance(value, int | float) and not isinstance(value, bool)


@register.filter
def cell_text(value: Any) -> str:
    """Return the text for a table cell that shows one part of an item. List elements are separated by commas, and
    nested values are shown as JSON.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and not any(isinstance(part, list | dict) for part in value):
        return ", ".join(map(str, value))
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value)


@register.filter
def with_noun(value: int | None, noun: str) -> str:
    """Return a number with its noun, so that `{{ n|with_noun:"HIT" }}` gives “1 HIT” or “12 HITs”.

    `noun` can contain both forms, such as “entry,entries”.
    """
    return printed.with_noun(_value(value), noun)
