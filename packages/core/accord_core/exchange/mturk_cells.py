"""Functions that convert the amounts of money, times and rates in Mechanical Turk's results files without loss.

Each reader raises ValueError for a cell that it cannot read. An empty cell becomes None.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, NamedTuple

from accord_core.exchange.cells import is_empty

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# The time zones by name, with their difference from UTC in hours. Mechanical Turk wrote times in UTC, GMT, PST or PDT.
# Turkle writes times in the time zone of its server. Abbreviations that stand for several time zones in Europe or Asia
# are not in the list.
_HOURS = {
    "UTC": 0,
    "GMT": 0,
    "PST": -8,
    "PDT": -7,
    "MST": -7,
    "MDT": -6,
    "CST": -6,
    "CDT": -5,
    "EST": -5,
    "EDT": -4,
    "HST": -10,
    "AKST": -9,
    "AKDT": -8,
    "WET": 0,
    "WEST": 1,
    "BST": 1,
    "CET": 1,
    "CEST": 2,
    "EET": 2,
    "EEST": 3,
    "MSK": 3,
    "JST": 9,
    "KST": 9,
}
# Time zones keep their names, so that each time is written in the zone in which it was read.
_ZONES = {name: timezone(timedelta(hours=hours), name) for name, hours in _HOURS.items()} | {"UTC": UTC}
_TIME = re.compile(
    rf"({'|'.join(_DAYS)}) ({'|'.join(_MONTHS)}) +(\d\d?) (\d\d):(\d\d):(\d\d) ([\w+:-]+) (\d{{4}})", re.ASCII
)
_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)?", re.ASCII)
_MONEY = re.compile(r"\$?(\d+(\.\d+)?)", re.ASCII)
_WHOLE = re.compile(r"(\d+)(?:\.0+)?", re.ASCII)
_RATE = re.compile(r"(\d+)% \((\d+)/(\d+)\)", re.ASCII)

YEARS = range(2000, 2100)


class Rate(NamedTuple):
    """The share of a worker's assignments that were approved, such as `95% (19/20)`."""

    percent: int
    approved: int
    of: int


class Kind(NamedTuple):
    """The functions that read and write a column's cells."""

    read: Callable[[str], Any]
    write: Callable[[Any], str]


def read_time(cell: str) -> datetime:
    """Read a time such as `Thu Nov 19 14:03:22 UTC 2026`, in one of the time zones above or with an offset such as
    `+0100`. ISO 8601 times with an offset are also accepted, because other programs write them when they save a file
    again.
    """
    time = _iso_time(cell) or _time(cell)
    if time.year not in YEARS:  # databases cannot store the first and last times of the calendar in every time zone
        raise ValueError(f"{cell} is not in the years {YEARS[0]} to {YEARS[-1]}")
    return time


def _time(cell: str) -> datetime:
    match = _TIME.fullmatch(cell)
    if not match:
        raise ValueError(f"{cell} is not a time such as Thu Nov 19 14:03:22 UTC 2026")
    _, month, day, hour, minute, second, zone, year = match.groups()
    known = _ZONES.get(zone) or _offset(zone)
    if known is None:
        raise ValueError(
            f"{cell} has an unknown time zone: {zone}. The known time zones are {', '.join(_ZONES)} "
            "and offsets such as +0100"
        )
    try:
        return datetime(
            int(year), _MONTHS.index(month) + 1, int(day), int(hour), int(minute), int(second), tzinfo=known
        )
    except ValueError as error:
        raise ValueError(f"{cell} is not a valid time ({error})") from error


def _iso_time(cell: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(cell)
    except ValueError:
        return None
    return time if time.tzinfo else None


def _offset(zone: str) -> timezone | None:
    """Return the time zone for an offset such as `+0100` or `-03`, or None for any other text."""
    if not (match := _OFFSET.fullmatch(zone)) or int(match[2]) >= 24 or int(match[3] or 0) >= 60:
        return None
    offset = timedelta(hours=int(match[2]), minutes=int(match[3] or 0))
    return timezone(-offset if match[1] == "-" else offset)


def write_time(time: datetime) -> str:
    """Return a time as English text, in its own zone if Mechanical Turk uses that zone, or otherwise in UTC."""
    if _ZONES.get(time.tzname() or "") != time.tzinfo:
        time = time.astimezone(UTC)
    day, month = _DAYS[time.weekday()], _MONTHS[time.month - 1]
    return f"{day} {month} {time.day:02} {time:%H:%M:%S} {time.tzname()} {time.year:04}"


def read_money(cell: str) -> Decimal:
    """Read an amount of money such as `$0.25`, with or without the dollar sign."""
    if not (match := _MONEY.fullmatch(cell)):
        raise ValueError(f"{cell} is not an amount of money such as $0.25")
    return Decimal(match[1])


def read_rate(cell: str) -> Rate:
    """Read a rate such as `95% (19/20)`."""
    if not (match := _RATE.fullmatch(cell)):
        raise ValueError(f"{cell} is not a rate such as 95% (19/20)")
    return Rate(*map(int, match.groups()))


def read_whole(cell: str) -> int:
    """Read a whole number such as `3600`, or `3600.0` as pandas writes it in a column with empty cells."""
    if not (match := _WHOLE.fullmatch(cell)):
        raise ValueError(f"{cell} is not a whole number")
    return int(match[1])


def _or_none(read: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda cell: None if is_empty(cell) else read(cell)


def _or_empty(write: Callable[[Any], str]) -> Callable[[Any], str]:
    return lambda value: "" if value is None else write(value)


TEXT = Kind(str, str)
WHOLE = Kind(_or_none(read_whole), _or_empty(str))
MONEY = Kind(_or_none(read_money), _or_empty(lambda sum_: f"${sum_:f}"))
TIME = Kind(_or_none(read_time), _or_empty(write_time))
RATE = Kind(_or_none(read_rate), _or_empty(lambda rate: f"{rate.percent}% ({rate.approved}/{rate.of})"))
