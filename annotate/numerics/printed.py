"""Number formats that papers use: `.831`, `88.4%`, `8,710`, `p = .042`."""

from __future__ import annotations

from math import isfinite

NONE = "–"


def coefficient(value: float | None, places: int = 3) -> str:
    """Return a figure without its leading zero: .831, −.250, 1.000."""
    if value is None or not isfinite(value):
        return NONE
    text = f"{abs(value):.{places}f}"
    sign = "−" if value < 0 and float(text) else ""
    return sign + (text[1:] if text.startswith("0.") else text)


def percent(value: float | None, places: int = 0) -> str:
    """Return a share as a percentage: .884 as 88%, or as 88.4% with one decimal place."""
    return NONE if value is None else f"{100 * value:.{places}f}%"


def count(value: int | None) -> str:
    """Return a whole number with thousands separators: 8,710."""
    return NONE if value is None else f"{value:,}"


def p_value(value: float | None) -> str:
    """Return a formatted p value: p = .042, or p < .001."""
    if value is None:
        return NONE
    return "p < .001" if value < 0.001 else f"p = {coefficient(value)}"


def interval(low: float | None, high: float | None, places: int = 3) -> str:
    """Return a confidence interval such as .786–.831, or only one end if the other end is missing."""
    if low is None or high is None:
        return coefficient(high if low is None else low, places)
    first, last = coefficient(low, places), coefficient(high, places)
    return first if first == last else f"{first}–{last}"
