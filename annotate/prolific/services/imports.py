"""Services that import Prolific's submissions, with a preview and an undo function. An import changes only the statuses
that the file reports.

Importing the same file again changes nothing. Each import stores the earlier values, so that it can be undone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from django.conf import settings

from accord_core.exchange.faults import TableError
from accord_core.exchange.prolific import SubmissionReport, read_status, read_submissions, read_time
from annotate.core.permissions import Actor, researcher
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import ProlificSubmission, ReportedSubmission, Study, SubmissionImport
from annotate.pay.services import payable_study
from annotate.server import clock
from annotate.server.refusals import Refused

FIELDS = ("status", "code", "started_at", "completed_at", "reviewed_at", "seconds")
TIMES = ("started_at", "completed_at", "reviewed_at")
CHANGES_SHOWN = 50


@dataclass(frozen=True)
class Change:
    """A submission whose values are changed by an import. `before` is empty for a new submission."""

    submission_id: str
    participant_id: str
    before: str
    after: str


@dataclass(frozen=True)
class Plan:
    """The effects of an import. `unmatched` is the number of submissions without a matching submission or participant
    in Accord.
    """

    added: Sequence[SubmissionReport]
    changed: Sequence[tuple[ReportedSubmission, SubmissionReport]]
    unchanged: int
    unmatched: int

    @property
    def count(self) -> int:
        return len(self.added) + len(self.changed) + self.unchanged

    @property
    def status_changes(self) -> list[Change]:
        """The first few status changes, which the preview shows."""
        changes = [
            Change(new.submission_id, new.participant_id, old.status, new.status)
            for old, new in self.changed
            if old.status != new.status
        ]
        return changes[:CHANGES_SHOWN]


def preview_import(study_id: int, data: bytes, filename: str, *, user: Actor) -> SubmissionImport:
    """Read a Prolific export, and store its rows for an import. Earlier previews for this study are deleted.

    Raises `Refused` with the code `faults` with lines and columns.
    """
    study = payable_study(study_id, user)
    rows = [_as_json(report) for report in _read(data, filename)]
    with write():
        study.submission_imports.filter(imported_at=None).delete()
        return SubmissionImport.objects.create(
            study=study,
            source=SubmissionImport.Source.FILE,
            filename=filename[-255:],
            rows=rows,
            user=researcher(user),
        )


def import_previewed(study_id: int, import_id: str, *, user: Actor) -> SubmissionImport:
    """Import the rows of a preview. Raises `Refused` with the code `unknown` if the preview no longer exists, for
    example after an import.
    """
    study = payable_study(study_id, user)
    with write():
        _lock(study)
        stored = study.submission_imports.filter(public_id=import_id, imported_at=None).first()
        if stored is None or stored.rows is None:
            raise _unknown()
        return _import(stored, [_from_json(row) for row in stored.rows], user, reported_at=clock.now())


def import_file(
    study_id: int, data: bytes, filename: str, *, user: Actor, dry_run: bool = False
) -> tuple[Plan, SubmissionImport | None]:
    """Import a Prolific export, and return the effects and the import. A dry run stores nothing.

    Raises `Refused` with the code `faults` with lines and columns.
    """
    study = payable_study(study_id, user)
    reports = _read(data, filename)
    if dry_run:
        return plan_import(study, reports), None
    return import_reports(study.pk, reports, source=SubmissionImport.Source.FILE, filename=filename, user=user)


def import_reports(
    study_id: int, reports: Sequence[SubmissionReport], *, source: str, filename: str = "", user: Actor
) -> tuple[Plan, SubmissionImport]:
    """Import these submissions, and return the effects and the import."""
    study = payable_study(study_id, user)
    with write():
        _lock(study)
        plan = plan_import(study, reports)
        new = SubmissionImport(study=study, source=source, filename=filename[-255:], user=researcher(user))
        return plan, _import(new, reports, user, reported_at=clock.now(), plan=plan)


def plan_import(study: Study, reports: Sequence[SubmissionReport]) -> Plan:
    """Return the effects of importing these submissions.

    Raises `Refused` (`conflict`) if a submission already belongs to another participant.
    """
    existing = {each.submission_id: each for each in study.reported_submissions.all()}
    added, changed = [], []
    for report in reports:
        old = existing.get(report.submission_id)
        if old is None:
            added.append(report)
        elif old.participant_id != report.participant_id:
            raise Refused(
                "conflict",
                f"Nothing was imported. The submission {report.submission_id} already belongs to participant "
                f"{old.participant_id}, but the file names {report.participant_id}. Download the export again.",
            )
        elif any(getattr(old, field) != getattr(report, field) for field in FIELDS):
            changed.append((old, report))
    arrived = ProlificSubmission.objects.filter(study=study)
    submissions = set(arrived.values_list("submission_id", flat=True))
    people = set(study.annotators.values_list("external_id", flat=True))
    unmatched = sum(one.submission_id not in submissions and one.participant_id not in people for one in reports)
    return Plan(added, changed, len(reports) - len(added) - len(changed), unmatched)


def plan_of_preview(stored: SubmissionImport) -> Plan:
    """Return the effects of importing a preview."""
    return plan_import(stored.study, [_from_json(row) for row in stored.rows or ()])


def undo_import(study_id: int, import_id: str, *, user: Actor) -> SubmissionImport:
    """Restore the statuses that were stored before the latest import.

    Submissions that Prolific has reported again since the import do not change. Raises `Refused` with the code
    `unknown`, or `not-latest` for an earlier import.
    """
    study = payable_study(study_id, user)
    with write():
        _lock(study)
        done = study.submission_imports.exclude(imported_at=None).filter(undone_at=None)
        stored = done.filter(public_id=import_id).first()
        if stored is None or stored.imported_at is None or not stored.before:
            raise _unknown()
        if done.filter(pk__gt=stored.pk).exists():
            raise Refused("not-latest", "Only the latest import can be undone. Undo the later imports first.")
        _restore(stored, stored.imported_at)
        stored.before, stored.undone_at = {}, clock.now()
        stored.save(update_fields=["before", "undone_at"])
        record(study, "undid import of Prolific submissions", user=user, filename=stored.filename)
        return stored


def _lock(study: Study) -> None:
    """Lock the study, so that imports run one after another."""
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)


def _read(data: bytes, filename: str) -> list[SubmissionReport]:
    try:
        return read_submissions(data, name=filename, most_bytes=settings.LIMIT_UPLOAD_BYTES)
    except TableError as error:
        fields: dict[str, list[str]] = {}
        for fault in error.faults:
            place = str(fault._replace(message="")).removesuffix(": ") or "file"
            fields.setdefault(place, []).append(fault.message)
        raise Refused("faults", f"Nothing was imported. {error}", status=400, fields=fields) from error


def _import(
    stored: SubmissionImport,
    reports: Sequence[SubmissionReport],
    user: Actor,
    *,
    reported_at: datetime,
    plan: Plan | None = None,
) -> SubmissionImport:
    """Store the reports. An import that changes nothing is not stored. The caller must lock the study first."""
    study = stored.study
    plan = plan or plan_import(study, reports)
    stored.added, stored.changed, stored.unchanged = len(plan.added), len(plan.changed), plan.unchanged
    if not plan.added and not plan.changed:
        if stored.pk:
            stored.delete()
        return stored
    before: dict[str, Any] = {old.submission_id: _values(old) for old, _ in plan.changed}
    for old, report in plan.changed:
        for field in FIELDS:
            setattr(old, field, getattr(report, field))
        old.reported_at = reported_at
    ReportedSubmission.objects.bulk_update([old for old, _ in plan.changed], [*FIELDS, "reported_at"], batch_size=500)
    ReportedSubmission.objects.bulk_create(
        [ReportedSubmission(study=study, reported_at=reported_at, **asdict(report)) for report in plan.added],
        batch_size=500,
    )
    before.update({report.submission_id: None for report in plan.added})
    stored.rows, stored.before, stored.imported_at = None, before, reported_at
    stored.save()
    record(
        study,
        "imported Prolific submissions",
        user=user,
        source=stored.source,
        filename=stored.filename,
        added=stored.added,
        changed=stored.changed,
        unchanged=stored.unchanged,
    )
    return stored


def _restore(stored: SubmissionImport, imported_at: datetime) -> None:
    submissions = stored.study.reported_submissions.filter(submission_id__in=stored.before)
    same = list(submissions.filter(reported_at=imported_at))
    changed = [one for one in same if stored.before[one.submission_id] is not None]
    for one in changed:
        for field, value in stored.before[one.submission_id].items():
            setattr(one, field, read_time(value) if field in (*TIMES, "reported_at") and value else value)
    ReportedSubmission.objects.bulk_update(changed, [*FIELDS, "reported_at"], batch_size=500)
    ReportedSubmission.objects.filter(pk__in=[one.pk for one in same]).exclude(
        pk__in=[one.pk for one in changed]
    ).delete()


def _values(submission: ReportedSubmission) -> dict[str, Any]:
    values = {field: getattr(submission, field) for field in (*FIELDS, "reported_at")}
    return {field: value.isoformat() if isinstance(value, datetime) else value for field, value in values.items()}


def _as_json(report: SubmissionReport) -> dict[str, Any]:
    values: Mapping[str, Any] = asdict(report)
    return {field: value.isoformat() if isinstance(value, datetime) else value for field, value in values.items()}


def _from_json(row: Mapping[str, Any]) -> SubmissionReport:
    times: dict[str, Any] = {field: read_time(row[field] or "") for field in TIMES}
    return replace(SubmissionReport(**row), status=read_status(row["status"]), **times)


def _unknown() -> Refused:
    return Refused(
        "unknown",
        "This import no longer exists. Choose the export of submissions again.",
        status=404,
    )
