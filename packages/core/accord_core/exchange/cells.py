"""Checks for single cells in item files, such as IDs and cells that contain "yes" or "no"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from html import unescape

from accord_core.exchange.faults import Fault
from accord_core.exchange.first_lines import FirstLines

LONGEST_ID = 200
YES = frozenset({"yes", "true", "1"})
NO = frozenset({"no", "false", "0", ""})
_FORMULA_ERRORS = frozenset(
    ["#NAME?", "#REF!", "#VALUE!", "#N/A", "#DIV/0!", "#NUM!", "#NULL!", "#SPILL!", "#CALC!", "#ERROR!"]
)
_SHORTENED = re.compile(r"\d[.,]\d+E\+\d+", re.ASCII)
# UTF-8 read as Windows-1252, such as Ã© or â€™. Ends of words such as ß…, é » and é… are excluded.
_MISREAD = re.compile(r"[\u00c2-\u00de][^\x00-\x9f]|[\u00e0-\u00ef][^\x00-\xa0…][^\x00-\x9f]|\u00f0[^\x00-\x9f]{3}")
_BYTES = {ord(bytes([byte]).decode("windows-1252", "ignore") or chr(byte)): byte for byte in range(0x80, 0xA0)}
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#[0-9]{1,6}|#x[0-9a-fA-F]{1,5});")
_BREAK = re.compile(r"[\t\r\n]")


class IdChecks:
    """Checks for the IDs in a file. The checks append every error to `faults`."""

    def __init__(self, faults: list[Fault], noun: str = "item") -> None:
        self.faults = faults
        self.noun = noun
        self.lines = FirstLines()

    def check(self, cell: str, line: int | None, column: str | None) -> str:
        """Return the ID in a cell without surrounding whitespace, and record any errors in it."""
        key = cell.strip()
        if not key:
            self._fault(line, column, f"the cell is empty; give the {self.noun} an ID")
            return key
        if _BREAK.search(key):
            self._fault(line, column, "an ID cannot contain tabs or line breaks")
        if len(key) > LONGEST_ID:
            self._fault(line, column, f"the ID has {len(key):,} characters; the limit is {LONGEST_ID}")
        is_new = key not in self.lines
        earlier = self.lines.setdefault(key, line)
        if not is_new and (earlier != line or line is None):
            place = "earlier in the file" if earlier is None else f"in line {earlier}"
            self._fault(line, column, f"the ID {shorten(key)} is already {place}; give each {self.noun} its own ID")
        return key

    def _fault(self, line: int | None, column: str | None, message: str) -> None:
        self.faults.append(Fault(line, column, message))


def damage_before_import(key: str, texts: Sequence[str]) -> str:
    """Return a description of the damage that a spreadsheet or another program did to an item before the import, or an
    empty string."""
    if _SHORTENED.fullmatch(key):
        return (
            f"the ID {key} is a number that a spreadsheet shortened. Format the column as text, and enter the IDs again"
        )
    for text in texts:
        if damage := _damage(text):
            return damage
    error = next((text.strip() for text in texts if text.strip() in _FORMULA_ERRORS), "")
    return f"“{error}” is the error of a spreadsheet's formula, not a text" if error else ""


def _damage(text: str) -> str:
    """Return how a text was damaged by a wrong encoding or by HTML, or an empty string."""
    if not text.isascii() and (found := _MISREAD.search(text)):
        with suppress(UnicodeError):
            _reread(text)  # fails if a character was not damaged, such as “ in “CAFÉ”
            wrong, right = found[0], _reread(found[0])
            return f"“{wrong}” is probably “{right}” in a wrong encoding. Save the original file again in UTF-8"
    if "&" in text and (entity := _ENTITY.search(text)):
        return f"the text contains {entity[0]}, which is HTML for “{unescape(entity[0])}”. Annotators see it unchanged"
    return ""


def _reread(text: str) -> str:
    """Return UTF-8 that was read as Windows-1252. Raises UnicodeError for other texts."""
    return text.translate(_BYTES).encode("latin-1").decode("utf-8")


def yes_or_no(cell: str, line: int | None, column: str | None, faults: list[Fault]) -> bool:
    """Return whether a cell contains "yes". An empty cell means "no". Any text other than "yes" or "no" is reported as
    an error.
    """
    word = cell.strip().casefold()
    if word not in YES | NO:
        faults.append(Fault(line, column, f"{shorten(word)} is neither yes nor no"))
    return word in YES


def says_yes(cell: str) -> bool:
    """Return whether a cell contains "yes", without checking the cell for errors."""
    return cell.strip().casefold() in YES


def is_empty(cell: str) -> bool:
    """Return whether a cell is empty. R writes `NA` in empty cells."""
    return cell in ("", "NA")


def shorten(text: str, longest: int = 40) -> str:
    """Return the text, shortened with an ellipsis if it is longer than `longest` characters."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def listed(names: Sequence[str], most: int = 6) -> str:
    """Return the first names, shortened and separated by commas."""
    return ", ".join(map(shorten, names[:most])) + (", …" if len(names) > most else "")
