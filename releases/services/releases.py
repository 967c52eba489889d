"""Services that create releases. The files come from one report and its database rows."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from accord_core.exchange.arrays import pack, unpack
from annotate import tasktypes
from annotate.core.permissions import Action, Actor, locked_study, permitted_study
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import Report, Study
from annotate.questions.selectors.data import one_snapshot
from annotate.questions.selectors.program_data import program_data
from annotate.results.selectors.exports import report_document
from annotate.results.services import hash_columns
from annotate.server.refusals import Refused, invalid
from annotate.tasktypes import StudyData, TaskType
from evaluation.selectors.assisted import latest
from evaluation.selectors.splits import plan_of, split_settings
from evaluation.study_splits import SplitPlan, published_rows
from releases.contents.archive import SUMS
from releases.contents.contacts import cleaned_facts, contact_remover
from releases.contents.folder import REPORT, About, json_file, release_files
from releases.contents.programs import program_files
from releases.contents.raw import raw_files
from releases.contents.recipe import NOTE as RECIPE_NOTE
from releases.contents.recipe import RECIPE, Recipe, recipe_file
from releases.contents.seal import NOTE as SEAL_NOTE
from releases.contents.seal import OPEN, SEAL, SEALED, has_secrets, is_key, new_key, seal, without_gaps, without_gold
from releases.selectors.recipe import recipe_of
from reporting.questions import checked_answers
from reporting.selectors.answers import author_answers
from reporting.selectors.reported import reported_data

# Zip files cannot store dates before 1980. All files in the archive have this date, so that the same files always
# produce an identical archive.
DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Release:
    """The files in a release by path, and the checksum that identifies the release. The identifying checksum is
    calculated from the list of file checksums. `key` opens its sealed files, and is empty if nothing is sealed.
    """

    name: str
    files: Mapping[str, bytes]
    sha256: str
    key: str = ""


def make_release(study_id: int, about: About, *, user: Actor, key: str = "") -> Release:
    """Create a release of the study's current state, and record its version and checksum in the audit log.

    If gold questions are sealed, `key` is the key to use, and otherwise a new one is made. Accord does not store it.
    The authors' stored answers about the study are part of the release, and `about.statement` replaces some of them.
    Raises `Refused` with the code `invalid` if `key` does not have the form of a key, `no-report` if there are no
    results, `stale` if answers have been added or no longer count since the latest results were calculated, or if the
    parts train, dev and test have changed in the meantime.
    """
    if key and not is_key(key):
        raise invalid("key", "The key must have 44 characters. If you leave it empty, Accord creates one.")
    study = permitted_study(study_id, user, Action.MANAGE)
    with one_snapshot():
        data = reported_data(study)
        report = _report_on(study, data)
        settings = split_settings(study)
        clean = contact_remover(study.contact, study.join_token)
        data = replace(data, facts=cleaned_facts(data.facts, clean))
        recipe = recipe_of(study, data, clean)
        programs = _program_files(study, data, report, sealed=about.gold == SEALED)
        answers = author_answers(study)
    # A large study's files take seconds to create, so they are created before the transaction that stores the release.
    plan = None if settings is None else plan_of(settings)
    about = replace(about, splits=plan, statement={**answers, **_stated(about)})
    if about.gold == SEALED and not has_secrets(data, recipe):
        about = replace(about, gold=OPEN)
    if about.gold == SEALED:
        key = key or new_key()
        files = sealed_release(study, data, recipe, report, about, programs, key)
    else:
        key, files = "", _open_release(study, data, recipe, report, about, programs)
    sha256 = hashlib.sha256(files[SUMS]).hexdigest()
    with write():
        study = locked_study(study_id, user, Action.MANAGE)
        _store_parts(study, plan, files)
        record(study, "released", user=user, version=about.version, report=report.number, sha256=sha256)
    return Release(f"{study.public_id}-{about.version}", files, sha256, key)


def _open_release(
    study: Study,
    data: StudyData,
    recipe: Recipe,
    report: Report,
    about: About,
    programs: Mapping[str, tuple[bytes, str]],
) -> dict[str, bytes]:
    """Return the files in a release whose gold questions are not sealed."""
    task, further = tasktypes.get(study.task_type), {RECIPE: (recipe_file(recipe), RECIPE_NOTE), **programs}
    # The report is calculated again if contact data was removed from options on which it depends.
    return release_files(task, data, _recalculated(task, data, report_document(report), report), about, further)


def sealed_release(
    study: Study,
    data: StudyData,
    recipe: Recipe,
    report: Report,
    about: About,
    programs: Mapping[str, tuple[bytes, str]],
    key: str,
) -> dict[str, bytes]:
    """Return the files in a release whose gold questions are sealed with the key. The readable files follow from the
    rows without gold questions.
    """
    task, document = tasktypes.get(study.task_type), report_document(report)
    open_data, open_recipe = without_gold(task, data, recipe)
    open_document = _recalculated(task, open_data, document, report)
    complete = {**raw_files(data), RECIPE: recipe_file(recipe), REPORT: json_file(document)}
    shown = {**raw_files(open_data), RECIPE: recipe_file(open_recipe), REPORT: json_file(open_document)}
    sealed = {path: content for path, content in complete.items() if content != shown[path]}
    further = {RECIPE: (shown[RECIPE], RECIPE_NOTE), SEAL: (seal(sealed, key), SEAL_NOTE), **programs}
    return release_files(task, open_data, open_document, about, further)


def _recalculated(task: TaskType, data: StudyData, document: dict[str, Any], report: Report) -> dict[str, Any]:
    """Return the report on the released rows. If they lead to other columns than the stored ones, figures by group are
    left out, because no release contains the groups.
    """
    columns = tasktypes.report_columns(task, data)
    if hash_columns(columns) == report.columns_sha256:
        return document
    packed = pack(columns)
    result = tasktypes.report_result(
        task, report.kind, unpack(packed), report.parameters, report.seed, lambda share, text: None
    )
    rest = {name: value for name, value in document.items() if name != "by_group"}
    return {**rest, "input_sha256": hashlib.sha256(packed).hexdigest(), "result": result}


def _stated(about: About) -> dict[str, str]:
    """Return the answers that came with the request. They replace the stored answers in this release only."""
    try:
        return checked_answers(about.statement)
    except ValueError as error:
        raise invalid("statement", error.args[1]) from error


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


def _program_files(study: Study, data: StudyData, report: Report, *, sealed: bool) -> dict[str, tuple[bytes, str]]:
    """Return the files about the program of the latest program-assisted figures, if any.

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
    answered = program_data(data, program)
    if sealed:
        answered = replace(answered, answers=without_gaps(answered.answers))
    return program_files(answered, report_document(assisted))


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
