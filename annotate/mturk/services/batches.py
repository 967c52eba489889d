"""Services that import a batch's results, which creates annotators, assignments and answers.

The page of a batch sends `answers` as JSON, with one object per question in the order on the page: `position`,
`question` (its ref), `shown`, `value` and `seconds`, as in Accord's own pages. If the annotator missed a gold question,
the object also has `feedback` (seen or disputed) and possibly a `note`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from accord_core.exchange.chunked import Chunked
from accord_core.exchange.faults import TableError
from accord_core.numerics.printed import with_noun
from annotate.core.permissions import Action, Actor, require, researcher
from annotate.core.services.archived import refuse_archived, refuse_if_archived
from annotate.core.services.bulk import all_of
from annotate.core.services.locks import lock_imports
from annotate.core.services.log import record
from annotate.core.services.regrading import regrade_late_answers
from annotate.core.services.slot_counts import note_opened_slots
from annotate.core.services.slots import free_slots
from annotate.core.services.writing import write
from annotate.models import Study
from annotate.mturk.models import HostedAssignment, ResultImport
from annotate.mturk.services.answers import Read, read_assignments
from annotate.mturk.services.changes import MOST_LISTED, REJECTED, Change, Compared, compare
from annotate.mturk.services.plan import ImportedResults, count, judge, outcomes, wanted_slots, workers_of
from annotate.mturk.services.removal import remove_assignments
from annotate.mturk.services.store import add_workers, store
from annotate.server import clock
from annotate.server.refusals import Refused
from annotate.tasktypes import Progress

__all__ = ["CHANGES", "KEEP", "STOP", "TAKE", "ImportedResults", "Previewed", "import_file", "import_results"]

STOP, TAKE, KEEP = "stop", "take", "keep"
CHANGES = {
    STOP: "If an assignment has changed since it was imported, import nothing.",
    TAKE: "Replace changed assignments with their new version.",
    KEEP: "Keep the imported version of changed assignments.",
}


@dataclass
class Previewed:
    """The effects that an import would have. `changes` lists the first changed assignments.

    If `has_statuses` is false, the file has no AssignmentStatus column, and all assignments count as submitted.
    """

    counts: ImportedResults
    has_statuses: bool
    changes: list[dict[str, Any]] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def import_results(
    study_id: int,
    data: bytes,
    filename: str,
    *,
    user: Actor,
    skip_faulty: bool = False,
    dry_run: bool = False,
    batch: str = "",
    changes: str = STOP,
) -> ImportedResults:
    """Import all results of a batch, or none.

    Assignments are imported in the order of submission. Only a worker's first answer to a question counts, only the
    first answer to a gold question is graded, and the quality rule applies after each assignment. A worker must answer
    exactly the gold questions of the row: a missing or an additional gold question counts as missed. An assignment
    fills an open slot of its HIT, or becomes surplus. If `skip_faulty` is true, assignments with unreadable answers are
    not imported, and the log lists them. Otherwise such an assignment prevents the import. If `dry_run` is true,
    nothing is stored.

    IDs of assignments are unique within a `batch`. `changes` is a key of `CHANGES`, and determines what happens to
    assignments that have changed since they were imported.

    Raises `Refused` with the code `faults` with lines and columns, `draft` before the study is opened, or `changes` if
    `changes` is `stop` and assignments have changed.
    """
    study = Study.objects.get(pk=study_id)
    file = Chunked(filename, lambda: [data])
    if dry_run:
        return preview_file(study, file, batch=batch, skip_faulty=skip_faulty, user=user).counts
    record_of_import = ResultImport(
        study=study,
        batch=batch,
        filename=filename[-255:],
        size=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        created_by=researcher(user),
    )
    return import_file(record_of_import, file, skip_faulty=skip_faulty, changes=changes, user=user)


def preview_file(study: Study, file: Chunked, *, batch: str, skip_faulty: bool, user: Actor) -> Previewed:
    """Return the effects of an import, without storing or locking anything. Raises `Refused` like `import_results`."""
    read = _read(study, file, skip_faulty, user)
    compared = compare(study, read.assignments, batch)
    counts = _counts(read, compared)
    workers = workers_of(study, compared.new, lock=False)
    judge(workers)
    for outcome in outcomes(workers, free_slots(study.pk, wanted_slots(workers), lock=False)):
        count(outcome, counts)
    return Previewed(
        counts,
        read.has_statuses,
        [change.as_json() for change in compared.changes[:MOST_LISTED]],
        [f"Assignment {one.assignment}: {one.fault}" for one in read.unreadable[:MOST_LISTED]],
    )


def import_file(
    record_of_import: ResultImport,
    file: Chunked,
    *,
    skip_faulty: bool = False,
    changes: str = STOP,
    user: Actor,
    progress: Progress | None = None,
    waiting: bool = False,
) -> ImportedResults:
    """Import a results file in one transaction, and store a record of the import. `waiting` is whether the record of an
    uploaded file is already stored. Raises `Refused` like `import_results`.
    """
    study = record_of_import.study
    report = progress or _no_progress
    report(0, "Reading the file")
    read = _read(study, file, skip_faulty, user)
    try:
        with write():
            if waiting:
                _refuse_imported(record_of_import)
            counts = _import(record_of_import, read, changes, user, report)
    except BaseException:
        # Some annotators may have found no open slot while this import held the locks on slots.
        with write():
            note_opened_slots(study)
        raise
    regrade_late_answers(study)
    return counts


def _read(study: Study, file: Chunked, skip_faulty: bool, user: Actor) -> Read:
    require(study, user, Action.IMPORT_RESULTS)
    refuse_archived(study)
    if study.is_draft:
        raise Refused("draft", "Open the study before you import results. The questions in a draft can still change.")
    if study.has_quotas:
        raise Refused("quotas", "Groups have quotas, but the workers of a batch belong to no group.")
    try:
        return read_assignments(study, file, skip_faulty=skip_faulty)
    except TableError as error:
        raise _refusal(error) from error


def _refuse_imported(record_of_import: ResultImport) -> None:
    """Refuse the import if another job has imported or discarded the file. The lock waits for the other job to end."""
    waiting = ResultImport.objects.select_for_update(no_key=True).filter(pk=record_of_import.pk, imported_at=None)
    if not waiting.filter(content__isnull=False).exists():
        message = f"{record_of_import.filename} has already been imported or discarded. Upload the file again."
        raise Refused("imported", message)


def _import(
    record_of_import: ResultImport, read: Read, changes: str, user: Actor, progress: Progress
) -> ImportedResults:
    study = record_of_import.study
    lock_imports(study.pk)
    refuse_if_archived(study.pk)
    compared = compare(study, read.assignments, record_of_import.batch)
    counts = _counts(read, compared)
    if compared.changes and changes == STOP:
        raise _changed(compared.changes)
    record_of_import.imported_at, record_of_import.content, record_of_import.preview = clock.now(), None, None
    record_of_import.save()
    new = compared.new
    if changes == TAKE:
        new = [*new, *_take(study, compared.changes, user, record_of_import.filename)]
        counts.replaced = len(compared.changes)
    workers = workers_of(study, new, lock=True)
    judge(workers)
    add_workers(workers)
    wanted = wanted_slots(workers)
    slots = free_slots(study.pk, wanted, lock=True)
    store(record_of_import, outcomes(workers, slots), counts, progress, len(new))
    record_of_import.counts = asdict(counts)
    record_of_import.save(update_fields=["counts"])
    _log(record_of_import, read, compared.changes, changes, counts, user)
    return counts


def _take(study: Study, changes: Iterable[Change], user: Actor, filename: str) -> list[Any]:
    """Remove the imported versions of changed assignments, and return their new versions, which must be imported.

    If only the status has changed, the assignment stays.
    """
    replaced = [change for change in changes if not change.is_status_only]
    for change in changes:
        if change.is_status_only:
            HostedAssignment.objects.filter(assignment=change.known.pk).update(status=change.row.status)
    if replaced:
        chosen = HostedAssignment.objects.filter(assignment__in=all_of([change.known.pk for change in replaced]))
        reason = f"{filename} contains other versions of assignments that had been imported"
        remove_assignments(study, chosen, reason=reason, user=user)
    return [change.row for change in replaced if change.row.status != REJECTED]


def _log(
    record_of_import: ResultImport,
    read: Read,
    changes: list[Change],
    choice: str,
    counts: ImportedResults,
    user: Actor,
) -> None:
    study, filename = record_of_import.study, record_of_import.filename
    if counts.assignments or counts.replaced:
        record(study, "imported Mechanical Turk results", user=user, filename=filename, **asdict(counts))
    for one in read.unreadable:
        reason = f"Assignment {one.assignment}: {one.fault}"
        record(study, "skipped a Mechanical Turk assignment", user=user, reason=reason, filename=filename)
    verb = "replaced a Mechanical Turk assignment" if choice == TAKE else "kept a Mechanical Turk assignment"
    for change in changes:
        columns = ", ".join(column for column, *_ in change.differences)
        reason = f"Assignment {change.row.assignment}, line {change.row.line}: changed {columns}"
        record(study, verb, user=user, reason=reason, filename=filename)


def _counts(read: Read, compared: Compared) -> ImportedResults:
    return ImportedResults(
        known=compared.known,
        rejected=compared.rejected,
        faulty=len(read.unreadable),
        changed=len(compared.changes),
    )


def _changed(changes: list[Change]) -> Refused:
    fields: dict[str, list[str]] = {}
    for change in changes[:MOST_LISTED]:
        fields[f"line {change.row.line}"] = [
            f"the {column} of assignment {change.row.assignment} changed from {before} to {after}"
            for column, before, after in change.differences
        ]
    first = changes[0]
    changed = with_noun(len(changes), "assignment has,assignments have")
    message = (
        f"Nothing was imported, because {changed} changed since the last import. "
        f"The first is assignment {first.row.assignment} on line {first.row.line}: "
        f"{', '.join(column for column, *_ in first.differences)}. Choose whether to accept the changes or to keep the "
        "imported assignments. If the file is from another batch, enter a name for that batch."
    )
    return Refused("changes", message, fields=fields)


def _refusal(error: TableError) -> Refused:
    fields_of_faults: dict[str, list[str]] = {}
    for fault in error.faults:
        fields_of_faults.setdefault(str(fault._replace(message="")).removesuffix(": ") or "file", []).append(
            fault.message
        )
    return Refused("faults", f"Nothing was imported. {error}", status=400, fields=fields_of_faults)


def _no_progress(share: float, message: str) -> None:
    """Ignore progress updates, for callers that do not show them."""
