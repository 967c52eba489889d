"""Errors in files, identified by line and column. Readers collect all errors, so that users can fix a file in one
pass.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

SHOWN = 3


class Fault(NamedTuple):
    """One error in a file, with its line and column.

    `line` is the physical line, starting at 1, or None if the error concerns the whole file. `column` is the column's
    name in the header, or None if the error concerns the whole line.
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
    """Return the errors sorted by line, starting with errors that concern the whole file. Errors on the same line keep
    their order.
    """
    return sorted(faults, key=lambda fault: fault.line or 0)


class TableError(ValueError):
    """Error raised for a file that contains errors. `name` is the name of the file."""

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
