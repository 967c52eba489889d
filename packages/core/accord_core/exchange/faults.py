"""Errors in files, identified by line and column. Readers collect all errors, so that users can fix a file in one
pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

SHOWN = 3


@dataclass
class ListedObjects:
    """The first line of each object in a JSON list. `noun` names an object. In a file of one line, all errors name
    their object.
    """

    noun: str
    one_line: bool
    starts: list[int] = field(default_factory=list)

    def is_unclear(self, number: int) -> bool:
        """Return whether another object begins on the same line, so that the line alone does not identify this
        object."""
        line = self.starts[number - 1]
        return self.one_line or line in self.starts[max(0, number - 2) : number - 1] + self.starts[number : number + 1]


class ObjectLine(int):
    """The first line of an object in a JSON list. Its text also names the object if several are on the line.

    Two objects on the same line are not equal.
    """

    listed: ListedObjects
    number: int

    def __new__(cls, listed: ListedObjects, number: int) -> ObjectLine:
        line = super().__new__(cls, listed.starts[number - 1])
        line.listed, line.number = listed, number
        return line

    @property
    def object_name(self) -> str:
        """The name of the object, such as “pair 3”, or an empty string if the line is enough."""
        return f"{self.listed.noun} {self.number:,}" if self.listed.is_unclear(self.number) else ""

    def __eq__(self, other: object) -> bool:
        return self.number == other.number if isinstance(other, ObjectLine) else int(self) == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(int(self))

    def __str__(self) -> str:
        return f"{int(self)} ({name})" if (name := self.object_name) else str(int(self))

    def __format__(self, _: str) -> str:
        return str(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return int, (int(self),)


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
                f"column {self.column.removeprefix('column ')}" if self.column is not None else "",  # as in “column 2”
            )
            if part
        )
        return f"{place}: {self.message}" if place else self.message


def in_order(faults: Iterable[Fault]) -> list[Fault]:
    """Return the errors sorted by line, starting with errors that concern the whole file. Errors on the same line keep
    their order.
    """
    return sorted(located(faults), key=lambda fault: fault.line or 0)


def located(faults: Iterable[Fault]) -> list[Fault]:
    """Return the errors with plain line numbers. If a line does not identify an object, the message names the
    object.
    """
    return [
        Fault(int(line), column, f"{name}: {message}" if (name := line.object_name) else message)
        if isinstance(line, ObjectLine)
        else Fault(line, column, message)
        for line, column, message in faults
    ]


class TableError(ValueError):
    """Error raised for a file that contains errors. `name` is the name of the file."""

    def __init__(self, name: str, faults: Sequence[Fault]) -> None:
        self.name = name
        self.faults = located(faults)
        super().__init__(name, self.faults)

    @classmethod
    def of_file(cls, name: str, message: str) -> TableError:
        """Return the exception for one error that concerns the whole file."""
        return cls(name, [Fault(None, None, message)])

    def __str__(self) -> str:
        shown = "; ".join(str(fault) for fault in self.faults[:SHOWN])
        more = len(self.faults) - SHOWN
        rest = f"; and {more:,} more" if more > 0 else ""
        separator = ", " if self.faults and self.faults[0].line is not None else ": "
        return f"{self.name}{separator}{shown}{rest}"


def raise_faults(name: str, faults: Sequence[Fault]) -> None:
    """Raise `TableError` with the errors in the order of their lines, if there are any."""
    if faults:
        raise TableError(name, in_order(faults))
