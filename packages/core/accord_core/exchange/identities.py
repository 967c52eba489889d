"""Lists of people, given as platform IDs and e-mail addresses, one per line or in a column of a CSV file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .csvtext import iter_records
from .faults import Fault, TableError

LONGEST = 254  # characters of an ID or an address
# Column names in files of Prolific, Mechanical Turk and others, in lower case and without punctuation.
COLUMNS = frozenset("participantid prolificid prolificpid pid email emailaddress mail workerid platformid id".split())


class Identity(NamedTuple):
    """An ID or address, with its line number."""

    line: int
    value: str


def read_identities(data: bytes, *, name: str, most: int) -> list[Identity]:
    """Return the IDs and addresses in the file. A file with several columns needs a header with a known name, such as
    `Participant id`, `Worker ID` or `email`.

    Raises `TableError` if the file is not text, has no known column, has more than `most` rows or contains a value that
    is too long.
    """
    identities: list[Identity] = []
    for line, value in _values(data, name):
        if len(identities) == most:
            raise TableError(name, [Fault(line, None, f"the list has more than {most:,} rows")])
        if len(value) > LONGEST:
            raise TableError(name, [Fault(line, None, f"the value has more than {LONGEST} characters")])
        if value:
            identities.append(Identity(line, value))
    if not identities:
        raise TableError.of_file(name, "the list is empty")
    return identities


def normalized(value: str) -> str:
    """Return the value in the form used for comparisons. Case and surrounding spaces are ignored."""
    return value.strip().casefold()


def _values(data: bytes, name: str) -> Iterator[tuple[int, str]]:
    records = iter_records(data, name=name)
    line, first = next(records, (1, []))
    at = next((at for at, column in enumerate(first) if _plain(column) in COLUMNS), None)
    if at is None:
        if len([cell for cell in first if cell.strip()]) > 1:
            message = "the first row must contain a column such as Participant id, Worker ID or email"
            raise TableError(name, [Fault(line, None, message)])
        at = 0
        if first:
            yield line, first[0].strip()
    for line, cells in records:
        if at < len(cells):
            yield line, cells[at].strip()


def _plain(column: str) -> str:
    return "".join(letter for letter in column.casefold() if letter.isalnum())
