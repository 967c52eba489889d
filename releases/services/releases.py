"""Services that create releases. The files come from one report and its database rows."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace

from annotate import tasktypes
from annotate.core.permissions import Action, Actor, locked_study, permitted_study
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import Report, Study
from annotate.questions.selectors.data import one_snapshot
from annotate.questions.selectors.program_data import program_data
from annotate.results.selectors.exports import report_document
from annotate.results.services import hash_columns
from annotate.server.refusals import Refused
from annotate.tasktypes import StudyData
from evaluation.selectors.assisted import latest
from evaluation.selectors.splits import plan_of, split_settings
from evaluation.study_splits import SplitPlan, published_rows
from releases.contents.folder import SUMS, About, release_files
from releases.contents.programs import program_files
from reporting.selectors.reported import reported_data

# Zip files cannot store dates before 1980. All files in the archive have this date, so that the same files always
# produce an identical archive.
DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Release:
    """The files in a release by path, and the checksum that identifies the release. The identifying checksum is
    calculated from the list of file checksums.
    """

    name: str
    files: Mapping[str, bytes]
    sha256: str


def make_release(study_id: int, about: About, *, user: Actor) -> Release:
    """Create a release of the study's current state, and record its version and checksum in the audit log.

    Raises `Refused` with the reason `no-report` if there are no results, `stale` if answers have been added or no
    longer count since the latest results were calculated, or if the parts train, dev and test have changed in the
    meantime.
    """
    study = permitted_study(study_id, user, Action.MANAGE)
    with one_snapshot():
        data = reported_data(study)
        report = _report_on(study, data)
        settings = split_settings(study)
        further = _program_files(study, data, report)
    plan = None if settings is None else plan_of(settings)
    # A large study's files take seconds to create, so they are created before the transaction that stores the release.
    task = tasktypes.get(study.task_type)
    files = release_files(task, data, report_document(report), replace(about, splits=plan), further)
    sha256 = hashlib.sha256(files[SUMS]).hexdigest()
    with write():
        study = locked_study(study_id, user, Action.MANAGE)
        _store_parts(study, plan, files)
        record(study, "released", user=user, version=about.version, report=report.number, sha256=sha256)
    return Release(f"{study.public_id}-{about.version}", files, sha256)


def _store_parts(study: Study, plan: SplitPlan | None, files: Mapping[str, bytes]) -> None:
    """Store the splits in a release, so that later releases contain the same training and test items.

    Raises `Refused` if the files do not follow the study's current settings.
    """
    settings = split_settings(study)
    if plan != (None if settings is None else plan_of(settings)):
        raise Refused(
            "stale",
            "The train, dev and test parts changed while Accord was creating the release. Create the release again.",
        )
    if settings is not None:
        settings.earlier = {row["item"]: row["split"] for row in published_rows(files)}
        settings.save(update_fields=["earlier"])


def as_zip(release: Release) -> bytes:
    """Return a zip file that contains a folder named after the release. The same release always produces an identical
    archive.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in release.files.items():
            entry = zipfile.ZipInfo(f"{release.name}/{path}", DATE)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, data)
    return buffer.getvalue()


def _program_files(study: Study, data: StudyData, report: Report) -> dict[str, tuple[bytes, str]]:
    """Return the files about the program of the latest program-assisted figures, if there are such figures.

    Raises `Refused` (`stale`) if the figures are not based on the answers of the released report.
    """
    assisted = latest(study)
    if assisted is None:
        return {}
    if assisted.columns_sha256 != report.columns_sha256:
        raise Refused(
            "stale",
            "Answers or decisions have changed since the program-assisted figures were calculated. Recalculate them, "
            "then create the release.",
        )
    program = study.participations.get(pseudonym=assisted.parameters["program"])
    return program_files(program_data(data, program), report_document(assisted))


def _report_on(study: Study, data: StudyData) -> Report:
    report = study.reports.filter(kind="results").order_by("-number").first()
    if report is None or not report.result.get("judgements"):
        raise Refused("no-report", "There are no results to release yet. Calculate the results first.")
    if hash_columns(tasktypes.report_columns(tasktypes.get(study.task_type), data)) != report.columns_sha256:
        raise Refused(
            "stale",
            f"Answers or decisions have changed since report {report.number} was calculated. Recalculate the "
            f"results, then create the release.",
        )
    return report
