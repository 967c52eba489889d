"""Numbers in JSON. Python's parser accepts NaN, Infinity and numbers that are too large, although JSON has no such
values.
"""

from math import isfinite


def refuse_constant(name: str) -> None:
    """Reject NaN and Infinity. Raises ValueError."""
    raise ValueError(f"{name} is not a JSON value. Use null for a missing number")


def finite_number(text: str) -> float:
    """Return a number. Raises ValueError if the number is too large."""
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text[:40]} is too large")
    return number
