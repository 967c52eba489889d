"""The one notation for numbers that people enter: in forms, in the API, in cells and on the command line."""

from __future__ import annotations

import re
from decimal import Decimal

# Python's number types also accept underscores, the digits of other scripts, a plus sign, NaN and infinity.
_PLAIN = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
_DECIMAL_COMMA = re.compile(r"-?[0-9]*,[0-9]+")
_WHOLE = re.compile(r"-?[0-9]+")
MOST_DIGITS = 1_000  # longer numbers take Python seconds to read


def is_plain_number(text: str) -> bool:
    """Return whether a text is a number with the digits 0 to 9 and a decimal point, such as -12, 0.5 or 1e-05. Spaces
    around the number are allowed.
    """
    return len(text) <= MOST_DIGITS and _PLAIN.fullmatch(text.strip()) is not None


def is_whole_number(text: str) -> bool:
    """Return whether a text is a whole number with the digits 0 to 9. Spaces around the number are allowed."""
    return len(text) <= MOST_DIGITS and _WHOLE.fullmatch(text.strip()) is not None


def read_number(text: str) -> float:
    """Return the number. Raises ValueError if the text is not a plain number."""
    return float(_plain(text))


def read_decimal(text: str) -> Decimal:
    """Return the exact number, such as an amount of money. Raises ValueError if the text is not a plain number."""
    return Decimal(_plain(text))


def read_whole(text: str) -> int:
    """Return the whole number. Raises ValueError for other texts."""
    if not is_whole_number(text):
        raise ValueError(f"{text[:40]} is not a whole number")
    return int(text)


def decimal_hint(text: str) -> str:
    """Return advice for numbers with a decimal comma, to end an error message, or an empty string for any other
    text."""
    return ". Write decimals with a point, such as 0.5" if _DECIMAL_COMMA.fullmatch(text.strip()) else ""


def _plain(text: str) -> str:
    if not is_plain_number(text):
        raise ValueError(f"{text[:40]} is not a number{decimal_hint(text)}")
    return text.strip()
