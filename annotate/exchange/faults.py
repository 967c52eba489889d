"""What is wrong in a file, and where: readers collect faults, so that a person mends a file in one go."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

SHOWN = 3


class Fault(NamedTuple):
    """One thing wrong with a file.

    `line` counts physical lines from 1, as an editor does; None where the whole file is meant.
    `column` is the header's name of the column, or None where the whole line is meant.
    """

    line: int | None
    column: str | None
    message: str

    def __str__(self) -> str:
        place = ", ".join(
            part
            for part in (
                f"line {self.line}" if self.line is not None else "",
                f"column {self.column}" if self.column is not None else "",
            )
            if part
        )
        return f"{place}: {self.message}" if place else self.message


def in_order(faults: Iterable[Fault]) -> list[Fault]:
    """Faults from the top of the file to its end, those of the whole file first; within a line as they were found."""
    return sorted(faults, key=lambda fault: fault.line or 0)


class TableError(ValueError):
    """A file that cannot be taken as it is. `name` is the file's, `faults` are all that were found."""

    def __init__(self, name: str, faults: Sequence[Fault]) -> None:
        super().__init__(name, list(faults))
        self.name = name
        self.faults = list(faults)

    def __str__(self) -> str:
        shown = "; ".join(str(fault) for fault in self.faults[:SHOWN])
        more = len(self.faults) - SHOWN
        rest = f"; and {more:,} more" if more > 0 else ""
        separator = ", " if self.faults and self.faults[0].line is not None else ": "
        return f"{self.name}{separator}{shown}{rest}"
