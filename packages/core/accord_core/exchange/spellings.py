"""Texts that look the same but consist of different characters, such as accented letters in two Unicode forms."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from accord_core.exchange.first_lines import FirstLines

# The joiners U+200C and U+200D change how some scripts are displayed, but texts rarely differ only by them.
ZERO_WIDTH = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_SPACES = re.compile(r"\s+")


class LookAlikes:
    """The texts of earlier rows as their readers see them, used to warn about repeated rows."""

    def __init__(self) -> None:
        self._lines = FirstLines()

    def earlier(self, texts: Iterable[str], line: int | None) -> int | None:
        """Return the line of an earlier row with texts that are the same or look the same, or None if there is none."""
        first = self._lines.setdefault(tuple(map(as_seen, texts)), line)
        return None if first == line else first


def as_seen(text: str) -> str:
    """Return the text in one Unicode form, without zero-width characters and with single spaces.

    The result is only for comparisons. Stored text is never normalised.
    """
    if text.isascii():
        return _single_spaces(text)
    return _single_spaces(_composed(text.translate(ZERO_WIDTH)))


def reason_not_found(sentence: str, phrase: str) -> str:
    """Return why a phrase that the sentence seems to contain does not occur in it, or an empty string."""
    steps = (
        ("the sentence uses another Unicode form of the same letters", _composed),
        ("the sentence or the phrase contains zero-width characters", lambda text: text.translate(ZERO_WIDTH)),
        ("the spaces differ, for example double or no-break spaces", _single_spaces),
        ("upper-case and lower-case letters differ", str.casefold),
    )
    for reason, step in steps:
        if step(phrase) in step(sentence):
            return reason
    if as_seen(phrase).casefold() in as_seen(sentence).casefold():
        return "Unicode form, zero-width characters, spaces or upper-case letters differ"
    return ""


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _single_spaces(text: str) -> str:
    return _SPACES.sub(" ", text).strip()
