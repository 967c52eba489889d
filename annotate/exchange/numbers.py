"""The characters of numbers that people enter."""

from __future__ import annotations


def is_plain_number(text: str) -> bool:
    """Return whether a number contains only characters that people expect. Python's number types also accept
    underscores and the digits of other scripts, so that “1_0” would be 10.
    """
    return text.isascii() and "_" not in text
