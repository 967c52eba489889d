"""Results files from Mechanical Turk batches, with or without payment decisions.

A file is written exactly as it was read, except for the columns Approve and Reject.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from accord_core.exchange.cells import is_empty
from accord_core.exchange.csvtext import write_csv
from accord_core.exchange.faults import Fault
from accord_core.exchange.mturk_cells import MONEY, RATE, TEXT, TIME, WHOLE, Kind, Rate
from accord_core.exchange.tables import Row, Table, TableStream, iter_rows

INPUT, ANSWER = "Input.", "Answer."
APPROVE, REJECT = "Approve", "Reject"


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """One assignment in a results file. Times have a zone. The keys of `input` and `answers` are column names without
    their prefixes.

    When the file is uploaded to Mechanical Turk, `approve` pays the assignment, and `reject` rejects it with this
    reason. None means an empty cell.
    """

    hit_id: str
    hit_type_id: str = ""
    title: str = ""
    description: str = ""
    keywords: str = ""
    reward: Decimal | None = None
    creation_time: datetime | None = None
    max_assignments: int | None = None
    requester_annotation: str = ""
    assignment_duration_in_seconds: int | None = None
    auto_approval_delay_in_seconds: int | None = None
    expiration: datetime | None = None
    number_of_similar_hits: int | None = None
    lifetime_in_seconds: int | None = None
    assignment_id: str
    worker_id: str
    assignment_status: str = "Submitted"
    accept_time: datetime | None = None
    submit_time: datetime | None = None
    auto_approval_time: datetime | None = None
    approval_time: datetime | None = None
    rejection_time: datetime | None = None
    requester_feedback: str = ""
    work_time_in_seconds: int | None = None
    lifetime_approval_rate: Rate | None = None
    last_30_days_approval_rate: Rate | None = None
    last_7_days_approval_rate: Rate | None = None
    input: Mapping[str, str]
    answers: Mapping[str, str]
    approve: bool = False
    reject: str = ""


STATUS = "AssignmentStatus"
# Text columns whose cells are `NA` only if they are empty.
DESCRIPTIONS = ("title", "description", "keywords", "requester_annotation", "assignment_status", "requester_feedback")
STATUSES = ("Submitted", "Approved", "Rejected")
REQUIRED = ("HITId", "AssignmentId", "WorkerId")
COLUMNS: dict[str, tuple[str, Kind]] = {
    "HITId": ("hit_id", TEXT),
    "HITTypeId": ("hit_type_id", TEXT),
    "Title": ("title", TEXT),
    "Description": ("description", TEXT),
    "Keywords": ("keywords", TEXT),
    "Reward": ("reward", MONEY),
    "CreationTime": ("creation_time", TIME),
    "MaxAssignments": ("max_assignments", WHOLE),
    "RequesterAnnotation": ("requester_annotation", TEXT),
    "AssignmentDurationInSeconds": ("assignment_duration_in_seconds", WHOLE),
    "AutoApprovalDelayInSeconds": ("auto_approval_delay_in_seconds", WHOLE),
    "Expiration": ("expiration", TIME),
    "NumberOfSimilarHITs": ("number_of_similar_hits", WHOLE),
    "LifetimeInSeconds": ("lifetime_in_seconds", WHOLE),
    "AssignmentId": ("assignment_id", TEXT),
    "WorkerId": ("worker_id", TEXT),
    "AssignmentStatus": ("assignment_status", TEXT),
    "AcceptTime": ("accept_time", TIME),
    "SubmitTime": ("submit_time", TIME),
    "AutoApprovalTime": ("auto_approval_time", TIME),
    "ApprovalTime": ("approval_time", TIME),
    "RejectionTime": ("rejection_time", TIME),
    "RequesterFeedback": ("requester_feedback", TEXT),
    "WorkTimeInSeconds": ("work_time_in_seconds", WHOLE),
    "LifetimeApprovalRate": ("lifetime_approval_rate", RATE),
    "Last30DaysApprovalRate": ("last_30_days_approval_rate", RATE),
    "Last7DaysApprovalRate": ("last_7_days_approval_rate", RATE),
}


def iter_results(table: Table | TableStream, faults: list[Fault]) -> Iterator[tuple[int, Result]]:
    """Yield each assignment's line and contents, and add all errors in the file to `faults`: a missing required column,
    an empty or unreadable cell, an unknown status, or an assignment that occurs twice.

    Assignments with an error are not yielded. Columns that Mechanical Turk does not define are ignored. If the file has
    no AssignmentStatus column, as in the files of Turkle, all assignments count as submitted.
    """
    missing = [column for column in REQUIRED if column not in table.columns]
    if missing:
        message = f"the file has no column {', '.join(missing)}. Choose the results file of a batch"
        faults.append(Fault(None, None, message))
        return
    required = [*REQUIRED, STATUS] if STATUS in table.columns else REQUIRED
    line_of: dict[str, int] = {}
    for row in iter_rows(table, faults):
        before = len(faults)
        values = _read_row(row, required, faults)
        earlier = line_of.setdefault(values["assignment_id"], row.line)
        if earlier != row.line:
            faults.append(Fault(row.line, "AssignmentId", f"the assignment is already on line {earlier}"))
        if len(faults) == before:
            yield row.line, Result(**values)


def write_results(results: Sequence[Result]) -> Iterator[str]:
    """Return the CSV text of a results file, with the fixed columns first, followed by the columns Input.*, Answer.*,
    Approve and Reject.
    """
    inputs = list(dict.fromkeys(key for result in results for key in result.input))
    answers = list(dict.fromkeys(key for result in results for key in result.answers))
    columns = [
        *COLUMNS,
        *(INPUT + key for key in inputs),
        *(ANSWER + key for key in answers),
        APPROVE,
        REJECT,
    ]
    rows = (
        [
            *(kind.write(getattr(result, field)) for field, kind in COLUMNS.values()),
            *(result.input.get(key, "") for key in inputs),
            *(result.answers.get(key, "") for key in answers),
            "x" if result.approve else "",
            result.reject,
        ]
        for result in results
    )
    return write_csv(rows, columns)


def mark(results: Iterable[Result], decisions: Mapping[str, str | None]) -> list[Result]:
    """Return the results with the columns Approve and Reject filled in. `decisions` maps each assignment ID to None
    (pay for the assignment) or to a reason for rejection.

    Other assignments do not change. Raises ValueError for an unknown assignment, for a rejection without a reason, for
    a rejection of an assignment that is not submitted, and for a second approval.
    """
    results = list(results)
    unknown = decisions.keys() - {result.assignment_id for result in results}
    if unknown:
        raise ValueError(f"Assignment {min(unknown)} is not in the results, so no decision was stored.")
    return [
        _marked(result, decisions[result.assignment_id]) if result.assignment_id in decisions else result
        for result in results
    ]


def _read_row(row: Row, required: Sequence[str], faults: list[Fault]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for column, (field, kind) in COLUMNS.items():
        cell = row.values.get(column, "")
        try:
            values[field] = kind.read(cell)
        except ValueError as error:
            faults.append(Fault(row.line, column, str(error)))
        if not cell and column in required:
            way = ". Turkle leaves it empty if the batch requires no login" if column == "WorkerId" else ""
            faults.append(Fault(row.line, column, f"the cell is empty{way}"))
    values |= {name: "" for name in DESCRIPTIONS if is_empty(values[name])}
    status = values["assignment_status"] = values["assignment_status"] or STATUSES[0]
    if status not in STATUSES:
        faults.append(
            Fault(row.line, STATUS, f"{status} is not a valid status. The statuses are {', '.join(STATUSES)}")
        )
    decisions = (row.values.get(column, "") for column in (APPROVE, REJECT))
    approve, reject = ("" if is_empty(cell) else cell for cell in decisions)
    approve = approve.strip()
    if approve and reject.strip():
        faults.append(Fault(row.line, REJECT, "the assignment is marked for both approval and rejection"))
    values["input"] = _part(row, INPUT)
    values["answers"] = _part(row, ANSWER)
    return {**values, "approve": bool(approve), "reject": reject}


def _part(row: Row, prefix: str) -> dict[str, str]:
    return {column.removeprefix(prefix): cell for column, cell in row.values.items() if column.startswith(prefix)}


def _marked(result: Result, reason: str | None) -> Result:
    place = f"Assignment {result.assignment_id}"
    if reason is None:
        if result.assignment_status == "Approved":
            raise ValueError(f"{place} has already been approved.")
        return replace(result, approve=True, reject="")
    if not reason.strip():
        raise ValueError(f"{place}: enter a reason for the rejection. The worker can read this reason.")
    if result.assignment_status != "Submitted":
        raise ValueError(f"{place} has already been {result.assignment_status.lower()} and can no longer be rejected.")
    return replace(result, approve=False, reject=reason)
