"""A compact table of the line on which each value in a file first appears, used to detect repeated IDs and rows."""

from __future__ import annotations

from array import array
from collections.abc import Hashable

from accord_core.exchange.faults import ObjectLine

SMALLEST = 1 << 10  # entries, a power of two
_NO_LINE = -1


class FirstLines:
    """A hash table that maps each value to its first line without storing the value. One million values need 34 MB.

    Two different values with the same 64-bit hash would count as equal. In a file with a million values, the
    probability of such a pair is below 1 in 10 million.
    """

    def __init__(self) -> None:
        self._hashes = array("q", bytes(8 * SMALLEST))
        self._lines = array("q", bytes(8 * SMALLEST))  # 0 marks an empty entry, and lines are stored plus one
        self._used = 0

    def setdefault(self, value: Hashable, line: int | None) -> int | None:
        """Return the line on which the value first appeared. If the value is new, store and return `line`."""
        hashed = hash(value)
        place = self._place(hashed)
        if stored := self._lines[place]:
            if stored == _NO_LINE:
                return None
            return ObjectLine(line.listed, stored - 1) if isinstance(line, ObjectLine) else stored - 1
        number = line.number if isinstance(line, ObjectLine) else line
        self._hashes[place], self._lines[place] = hashed, _NO_LINE if number is None else number + 1
        self._used += 1
        if 2 * self._used > len(self._lines):
            self._grow()
        return line

    def __contains__(self, value: Hashable) -> bool:
        return self._lines[self._place(hash(value))] != 0

    def _place(self, hashed: int) -> int:
        """Return the position of the entry with this hash, or the empty position where the entry should be stored."""
        mask = len(self._lines) - 1
        place = hashed & mask
        while self._lines[place] and self._hashes[place] != hashed:
            place = (place + 1) & mask
        return place

    def _grow(self) -> None:
        hashes, lines = self._hashes, self._lines
        self._hashes, self._lines = (array("q", bytes(16 * len(lines))) for _ in range(2))
        for hashed, line in zip(hashes, lines, strict=True):
            if line:
                place = self._place(hashed)
                self._hashes[place], self._lines[place] = hashed, line
