"""Functions that compare a results file with the assignments that were already imported from the same batch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from annotate.models import Study
from annotate.mturk.models import HostedAssignment
from annotate.mturk.services.answers import BatchAssignment

REJECTED = "Rejected"
MOST_LISTED = 200  # changes in a preview
WORKER = "assignment__participation__annotator__external_id"
IDENTITY = ("external_id", WORKER, "hit_id", "digest")


class Known(NamedTuple):
    """An assignment in its imported form. `hit` is the primary key of the assignment's HIT."""

    pk: int
    status: str
    digest: str
    hit: int
    worker: str


@dataclass(frozen=True)
class Change:
    """An assignment that differs from its imported version. `differences` contains the column, the imported value and
    the value in the file for each difference.
    """

    row: BatchAssignment
    known: Known
    differences: list[tuple[str, str, str]]

    @property
    def is_status_only(self) -> bool:
        """Whether only the status has changed, and the assignment still counts with the new status."""
        return [column for column, *_ in self.differences] == ["status"] and self.row.status != REJECTED

    def as_json(self) -> dict[str, Any]:
        differences = [
            {"column": column, "imported": before, "in_file": after} for column, before, after in self.differences
        ]
        return {"line": self.row.line, "assignment": self.row.assignment, "differences": differences}


@dataclass
class Compared:
    """The new and changed assignments in a file, and the numbers of unchanged and rejected ones."""

    new: list[BatchAssignment] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    known: int = 0
    rejected: int = 0


def compare(study: Study, rows: Iterable[BatchAssignment], batch: str) -> Compared:
    """Return the batch's new assignments, and those that have changed since they were imported."""
    imported = _imported(study, batch)
    numbers = dict(study.hits.values_list("pk", "number")) if imported else {}
    elsewhere = _imported_elsewhere(study, batch)
    result = Compared()
    for row in rows:
        known = imported.get(row.assignment)
        if known is None:
            if not elsewhere.isdisjoint(_identities(row)):
                result.known += 1
            elif row.status == REJECTED:
                result.rejected += 1
            else:
                result.new.append(row)
        elif differences := _differences(row, known, numbers):
            result.changes.append(Change(row, known, differences))
        else:
            result.known += 1
    return result


def _imported(study: Study, batch: str) -> dict[str, Known]:
    hosted = HostedAssignment.objects.filter(study=study, batch=batch)
    rows = hosted.values_list("external_id", "assignment_id", "status", "digest", "hit_id", WORKER)
    return {external_id: Known(*rest) for external_id, *rest in rows.iterator()}


def _imported_elsewhere(study: Study, batch: str) -> set[tuple[Any, ...]]:
    """Return the identities of the assignments that were imported under other batch names. Without this check, a file
    that is imported again under another name would add all of its rewards a second time.
    """
    others = HostedAssignment.objects.filter(study=study).exclude(batch=batch)
    return set(others.values_list(*IDENTITY).iterator())


def _identities(row: BatchAssignment) -> list[tuple[Any, ...]]:
    """Return the values that identify an assignment under any batch name, in the order of `IDENTITY`, once with the
    worker's ID and once without it, because removing personal data removes the ID. On batch pages, two assignments with
    the same ID differ at least in the times of their answers.
    """
    return [(row.assignment, worker, row.hit_id, row.digest) for worker in (row.worker, "")]


def _differences(row: BatchAssignment, known: Known, numbers: Mapping[int, int]) -> list[tuple[str, str, str]]:
    """Return the differences. A status or worker ID that was never stored is not compared."""
    found = []
    if known.status and row.status != known.status:
        found.append(("status", known.status, row.status))
    elif row.status == REJECTED:
        found.append(("status", "not rejected", row.status))
    if known.worker and row.worker != known.worker:
        found.append(("worker", known.worker, row.worker))
    if row.hit_id != known.hit:
        found.append(("HIT", str(numbers[known.hit]), str(numbers[row.hit_id])))
    if row.digest != known.digest:
        found.append(("answers", "imported answers", "other answers"))
    return found
