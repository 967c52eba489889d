"""How Mechanical Turk writes money, times and rates in a cell of a results file, read and written back the same.

Each kind raises ValueError with a sentence when it cannot read a cell; an empty cell is None.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, NamedTuple

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# Named zones, so that a time is written back in the zone that it was read in.
_ZONES = {
    "UTC": UTC,
    "GMT": timezone(timedelta(0), "GMT"),
    "PST": timezone(timedelta(hours=-8), "PST"),
    "PDT": timezone(timedelta(hours=-7), "PDT"),
}
_TIME = re.compile(
    rf"({'|'.join(_DAYS)}) ({'|'.join(_MONTHS)}) +(\d\d?) (\d\d):(\d\d):(\d\d) (\w+) (\d{{4}})", re.ASCII
)
_MONEY = re.compile(r"\$(\d+(\.\d+)?)", re.ASCII)
_RATE = re.compile(r"(\d+)% \((\d+)/(\d+)\)", re.ASCII)


class Rate(NamedTuple):
    """A share of approved assignments: `95% (19/20)`."""

    percent: int
    approved: int
    of: int


class Kind(NamedTuple):
    """How the cells of a column are read and written."""

    read: Callable[[str], Any]
    write: Callable[[Any], str]


def read_time(cell: str) -> datetime:
    """`Thu Nov 19 14:03:22 UTC 2026`, with its zone: UTC, GMT, PST or PDT."""
    found = _TIME.fullmatch(cell)
    if not found:
        raise ValueError(f"{cell} is no time such as Thu Nov 19 14:03:22 UTC 2026")
    _, month, day, hour, minute, second, zone, year = found.groups()
    if zone not in _ZONES:
        raise ValueError(f"{cell} is in zone {zone}; known are {', '.join(_ZONES)}")
    try:
        return datetime(
            int(year), _MONTHS.index(month) + 1, int(day), int(hour), int(minute), int(second), tzinfo=_ZONES[zone]
        )
    except ValueError as error:
        raise ValueError(f"{cell} is no time ({error})") from error


def write_time(time: datetime) -> str:
    """A time in its own zone if Mechanical Turk knows it, otherwise in UTC. English, whatever the locale."""
    if _ZONES.get(time.tzname() or "") != time.tzinfo:
        time = time.astimezone(UTC)
    day, month = _DAYS[time.weekday()], _MONTHS[time.month - 1]
    return f"{day} {month} {time.day:02} {time:%H:%M:%S} {time.tzname()} {time.year:04}"


def read_money(cell: str) -> Decimal:
    """`$0.25`"""
    if not (found := _MONEY.fullmatch(cell)):
        raise ValueError(f"{cell} is no sum of money such as $0.25")
    return Decimal(found[1])


def read_rate(cell: str) -> Rate:
    """`95% (19/20)`"""
    if not (found := _RATE.fullmatch(cell)):
        raise ValueError(f"{cell} is no rate such as 95% (19/20)")
    return Rate(*map(int, found.groups()))


def read_whole(cell: str) -> int:
    """`3600`"""
    if not (cell.isascii() and cell.isdigit()):
        raise ValueError(f"{cell} is no whole number")
    return int(cell)


def _or_none(read: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda cell: read(cell) if cell else None


def _or_empty(write: Callable[[Any], str]) -> Callable[[Any], str]:
    return lambda value: "" if value is None else write(value)


TEXT = Kind(str, str)
WHOLE = Kind(_or_none(read_whole), _or_empty(str))
MONEY = Kind(_or_none(read_money), _or_empty(lambda sum_: f"${sum_:f}"))
TIME = Kind(_or_none(read_time), _or_empty(write_time))
RATE = Kind(_or_none(read_rate), _or_empty(lambda rate: f"{rate.percent}% ({rate.approved}/{rate.of})"))
