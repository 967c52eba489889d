"""Prolific's submission exports, and the lists that Prolific's bulk actions accept.

Prolific has renamed the columns of the export. Files with the old names and files with the new names are both read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum

from accord_core.exchange import layout as layouts
from accord_core.exchange.conversion import convert, needs_conversion
from accord_core.exchange.encoding import as_utf8
from accord_core.exchange.faults import Fault, TableError, raise_faults
from accord_core.exchange.mturk_cells import YEARS
from accord_core.exchange.tables import Limits, Row, find_column, iter_rows, iter_table

MOST_ROWS = 20_000
NO_CODE = "NOCODE"
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ROUNDED_BY_EXCEL = re.compile(r"\d+([.,]\d+)?E\+\d+", re.IGNORECASE)
_SECONDS = re.compile(r"\d{1,9}(\.\d+)?", re.ASCII)


class Status(StrEnum):
    """The status of a submission on Prolific."""

    RESERVED = "RESERVED"
    ACTIVE = "ACTIVE"
    AWAITING_REVIEW = "AWAITING REVIEW"
    APPROVED = "APPROVED"
    PARTIALLY_APPROVED = "PARTIALLY APPROVED"
    REJECTED = "REJECTED"
    RETURNED = "RETURNED"
    TIMED_OUT = "TIMED-OUT"
    SCREENED_OUT = "SCREENED OUT"
    PROCESSING = "PROCESSING"


class RejectionCategory(StrEnum):
    """The reasons for a rejection that Prolific accepts."""

    TOO_QUICKLY = "TOO_QUICKLY"
    TOO_SLOWLY = "TOO_SLOWLY"
    FAILED_INSTRUCTIONS = "FAILED_INSTRUCTIONS"
    INCOMP_LONGITUDINAL = "INCOMP_LONGITUDINAL"
    FAILED_CHECK = "FAILED_CHECK"
    LOW_EFFORT = "LOW_EFFORT"
    MALINGERING = "MALINGERING"
    NO_CODE = "NO_CODE"
    BAD_CODE = "BAD_CODE"
    NO_DATA = "NO_DATA"
    UNSUPP_DEVICE = "UNSUPP_DEVICE"
    OTHER = "OTHER"


@dataclass(frozen=True, kw_only=True, slots=True)
class SubmissionReport:
    """One submission, as reported by Prolific. Times are in UTC.

    `code` is the completion code that the participant entered, `NOCODE` for a submission without a code, or an empty
    text if the submission is not complete.
    """

    submission_id: str
    participant_id: str
    status: Status
    code: str = ""
    started_at: datetime | None = None
    completed_at: datetime | None = None
    reviewed_at: datetime | None = None
    seconds: int | None = None


# Each column's current name, and its name in older exports.
COLUMNS = {
    "submission_id": ("Submission id", "session_id"),
    "participant_id": ("Participant id", "participant_id"),
    "status": ("Status", "status"),
    "code": ("Completion code", "entered_code"),
    "started_at": ("Started at", "started_datetime"),
    "completed_at": ("Completed at", "completed_date_time"),
    "reviewed_at": ("Reviewed at", "reviewed_at_datetime"),
    "seconds": ("Time taken", "time_taken"),
}
REQUIRED = ("submission_id", "participant_id", "status")


def read_submissions(data: bytes, *, name: str, most_bytes: int | None = None) -> list[SubmissionReport]:
    """Return the submissions in a Prolific export, in file order. Other columns are ignored.

    A file that was saved again by Excel, as a workbook or in another encoding, is read in the same way.

    Raises `TableError` with all errors: a missing required column, an invalid ID, an unknown status, an unreadable
    time, or a submission that occurs twice.
    """
    faults: list[Fault] = []
    stream = iter_table(
        _as_utf8(data, name, faults), name=name, limits=Limits(rows=MOST_ROWS, bytes=most_bytes, cell=20_000)
    )
    rows = list(iter_rows(stream, faults))  # a converted workbook names its columns only in its rows
    columns = {field: _column(stream.columns, names) for field, names in COLUMNS.items()}
    missing = [COLUMNS[field][0] for field in REQUIRED if columns[field] is None]
    if missing:
        wording = f"the file has no column {' or '.join(missing)}. Choose the export of a study's submissions"
        raise TableError(name, [*faults, Fault(None, None, f"{wording} from Prolific")])
    submissions = [_read_row(row, columns, faults) for row in rows]
    _refuse_repeated([row.line for row in rows], submissions, faults, str(columns["submission_id"]))
    raise_faults(name, faults)
    return [submission for submission in submissions if submission is not None]


def read_status(text: str) -> Status:
    """Return the status with this name, in any of Prolific's spellings. Raises `ValueError`."""
    name = text.strip().upper().replace("_", " ")
    try:
        return Status("TIMED-OUT" if name == "TIMED OUT" else name)
    except ValueError:
        raise ValueError(f"{text} is not a valid status. The statuses are {', '.join(Status)}") from None


def read_time(text: str) -> datetime | None:
    """Return a time in UTC, or None for an empty string. Times without a zone are in UTC. Raises `ValueError`."""
    text = text.strip()
    if not text:
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        time = None
    if time is None or time.year not in YEARS:
        raise ValueError(f"{text} is not a valid time, such as 2026-11-20T12:27:09.179000Z")
    return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)


def id_list(ids: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a list for Prolific's bulk actions “Approve” and “Reject”, with one ID per line."""
    return (f"{each}\n" for each in ids)


def bonus_list(amounts: Iterable[tuple[str, Decimal]]) -> Iterator[str]:
    """Yield the lines of a list for Prolific's bulk bonus payments, which has one ID and one amount per line.

    Prolific's reader accepts neither a header nor spaces, and expects two decimal places.
    """
    return (f"{participant},{amount:.2f}\n" for participant, amount in amounts)


def _as_utf8(data: bytes, name: str, faults: list[Fault]) -> bytes:
    """Return the table in a form that `iter_table` can read. Add an error for each row that does not match the
    header.
    """
    text = as_utf8(data, name=name)
    if not layouts.is_table(text):
        return text
    layout = layouts.detect(data, name=name)
    if not needs_conversion(data, layout, name=name):
        return text
    converted = convert(data, layout, name=name)
    faults += converted.faults
    return converted.data


def _column(columns: list[str], names: tuple[str, ...]) -> str | None:
    return next((column for name in names if (column := find_column(columns, name))), None)


def _read_row(row: Row, columns: dict[str, str | None], faults: list[Fault]) -> SubmissionReport | None:
    """Return the submission in this row, or None after adding the row's errors to `faults`."""
    readers = {
        "submission_id": _read_id,
        "participant_id": _read_id,
        "status": read_status,
        "code": _read_code,
        "started_at": read_time,
        "completed_at": read_time,
        "reviewed_at": read_time,
        "seconds": _read_seconds,
    }
    values, before = {}, len(faults)
    for field, read in readers.items():
        column = columns[field]
        try:
            values[field] = read(row.values.get(column, "") if column else "")
        except ValueError as error:
            faults.append(Fault(row.line, column, str(error)))
    return SubmissionReport(**values) if len(faults) == before else None  # type: ignore[arg-type]


def _read_id(text: str) -> str:
    text = text.strip()
    if not text:
        raise ValueError("the cell is empty")
    if _ROUNDED_BY_EXCEL.fullmatch(text):
        raise ValueError(f"a spreadsheet program has rounded this ID to {text}. Download the export again")
    if not _ID.fullmatch(text):
        raise ValueError(f"{text[:80]} is not a valid ID")
    return text


def _read_code(text: str) -> str:
    text = text.strip()
    if len(text) > 128:
        raise ValueError(f"the completion code has {len(text)} characters, more than the limit of 128")
    return NO_CODE if text.upper().replace(" ", "") == NO_CODE else text


def _read_seconds(text: str) -> int | None:
    text = text.strip()
    if not text:
        return None
    if not _SECONDS.fullmatch(text):
        raise ValueError(f"{text[:80]} is not a number of seconds")
    return round(float(text))


def _refuse_repeated(
    lines: list[int], submissions: list[SubmissionReport | None], faults: list[Fault], column: str
) -> None:
    first: dict[str, int] = {}
    for line, submission in zip(lines, submissions, strict=True):
        if submission is None:
            continue
        earlier = first.setdefault(submission.submission_id, line)
        if earlier != line:
            faults.append(Fault(line, column, f"the submission is already on line {earlier}"))
