"""Services for scoring systems. Files are checked, stored and scored in jobs, and managers can publish the
leaderboard.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Collection, Mapping
from typing import Any

from django.conf import settings
from django.db.models import Max
from django.utils import timezone

from accord_core.exchange.faults import TableError
from annotate import tasktypes
from annotate.core.permissions import Action, Actor, locked_study, require, researcher
from annotate.core.services.archived import refuse_if_archived
from annotate.core.services.jobs import request_job
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.data.services.reading import is_large, read_bounded
from annotate.models import Job, Study, User
from annotate.questions.selectors.data import study_data
from annotate.results.services import hash_columns
from annotate.server.refusals import Refused
from annotate.tasktypes import Difference, Progress, StudyData, Systems, TaskType
from annotate.tasktypes.options import InvalidOptions, clean_options
from evaluation.models import SCORING, PublicTable, Submission
from evaluation.selectors.splits import TEST, scored_items

RESAMPLES = 1_000
PERMUTATIONS = 2_000
FAULTS_SHOWN = 100


def submit_system(
    study: Study,
    *,
    system: str,
    description: str = "",
    filename: str,
    data: bytes,
    parameters: Mapping[str, Any] | None = None,
    user: Actor,
) -> Submission:
    """Store a system's file under the study's next system number, and start a scoring job.

    A small file is first scored without intervals, so that an invalid file is rejected immediately. A large file is
    read only by the job, whose error message lists the errors in the file. Raises `Refused` with the reason `faults`
    and all positions, `draft` before the study is opened, `no-measure`, `too-large` or `invalid`.
    """
    require(study, user, Action.REVIEW)
    systems = _systems(study)
    if not system.strip():
        raise Refused("invalid", "Enter a name for the system.", status=400, fields={"system": ["is empty"]})
    limit = settings.LIMIT_UPLOAD_BYTES
    if len(data) > limit:
        message = f"{filename} has {len(data):,} bytes, but the maximum is {limit:,}."
        raise Refused("too-large", message, status=400, fields={"file": [f"is larger than {limit:,} bytes"]})
    try:
        options = clean_options(systems.options, parameters or {})
    except InvalidOptions as error:
        fields = {f"options.{name}": [message] for name, message in error.errors.items()}
        raise Refused("invalid", str(error), status=400, fields=fields) from error
    if not is_large(len(data)):
        try:
            study_rows = study_data(study)
            systems.evaluate(study_rows, data, _scoring_arguments(study, study_rows, options, filename, resamples=0))
        except TableError as error:
            raise _faults(error) from error
    with write():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)  # assign numbers one at a time
        last = Submission.objects.filter(study=study).aggregate(last=Max("number"))["last"] or 0
        submission = Submission.objects.create(
            study=study,
            number=last + 1,
            system=system.strip()[:100],
            description=description.strip()[:2_000],
            filename=filename[-255:],
            content=zlib.compress(data, 6),
            size=len(data),
            sha256=hashlib.sha256(data).hexdigest(),
            parameters=options,
            created_by=researcher(user),
        )
        record(
            study,
            "submitted a system",
            user=user,
            number=submission.number,
            system=submission.system,
            filename=submission.filename,
            sha256=submission.sha256,
        )
        request_job(study, f"{SCORING}:{submission.number}", user=user)
    return submission


def score_again(submission: Submission, *, user: Actor) -> Job:
    """Rescore the system on the current annotations. The previous score stays visible until the new one is
    available.
    """
    return request_job(submission.study, f"{SCORING}:{submission.number}", user=user)


def score(job: Job, progress: Progress) -> None:
    """Score a system in a job, and store the result with a checksum of the annotations used."""
    number = int(job.parameters["work"].partition(":")[2])
    submission = Submission.objects.select_related("study").get(study=job.study, number=number)
    study, systems = submission.study, _systems(submission.study)
    progress(0.0, "reading the annotations")
    data = study_data(study)
    progress(0.2, f"scoring {submission.system}")
    arguments = _scoring_arguments(study, data, submission.parameters, submission.filename, resamples=RESAMPLES)
    try:
        file = file_of(submission)
        result = read_bounded(submission.filename, len(file), systems.evaluate, data, file, arguments).as_json()
        result |= _part(arguments["only"])
    except TableError as error:  # the study has changed since the file was uploaded
        raise _faults(error) from error
    with write():
        refuse_if_archived(study.pk)
        Submission.objects.filter(pk=submission.pk).update(
            result=result, annotations=fingerprint(tasktypes.get(study.task_type), data), scored_at=timezone.now()
        )


def compare_systems(one: Submission, other: Submission) -> list[Difference]:
    """Return the differences between two systems' measures (first minus second), with intervals and p-values.

    Both systems are scored on the current annotations.

    Raises `Refused` with the reason `settings` if the two systems were scored with different settings, `no-measure` if
    the task type does not support comparisons, `faults` if a file no longer matches the study.
    """
    study = one.study
    if one.parameters != other.parameters:
        message = f"{one} and {other} were scored with different settings, so their figures cannot be compared."
        raise Refused("settings", message)
    systems = _systems(study)
    if systems.compare is None:
        raise Refused("no-measure", f"{tasktypes.get(study.task_type).name} does not support comparing two systems.")
    data = study_data(study)
    arguments = _scoring_arguments(study, data, one.parameters, one.filename, resamples=RESAMPLES) | {
        "names": [one.filename, other.filename],
        "permutations": PERMUTATIONS,
    }
    try:
        files = (file_of(one), file_of(other))
        names = f"{one.filename} and {other.filename}"
        differences = read_bounded(names, sum(map(len, files)), systems.compare, data, files, arguments)
    except TableError as error:
        raise Refused("faults", f"{error}.", status=400) from error
    return list(differences)


def publish_table(study_id: int, *, heading: str, user: User) -> PublicTable:
    """Publish the study's leaderboard under this heading. If the leaderboard is already public, only its heading is
    updated.
    """
    if not heading.strip():
        raise Refused("invalid", "The leaderboard needs a heading.", status=400, fields={"heading": ["is empty"]})
    with write():
        study = locked_study(study_id, user, Action.MANAGE)
        table, _ = PublicTable.objects.update_or_create(
            study=study, defaults={"heading": heading.strip()[:200], "published_by": user}
        )
        record(study, "published systems", user=user, heading=table.heading)
        return table


def withdraw_table(study_id: int, *, user: Actor) -> None:
    """Make the leaderboard private. The selection of systems on the leaderboard does not change."""
    with write():
        study = locked_study(study_id, user, Action.MANAGE)
        deleted, _ = PublicTable.objects.filter(study=study).delete()
        if deleted:
            record(study, "withdrew systems", user=user)


def show_in_public(submission: Submission, public: bool, *, user: Actor) -> None:
    """Add a system to the public leaderboard, or remove it. Repeated calls have no additional effect."""
    with write():
        require(submission.study, user, Action.MANAGE)
        if Submission.objects.filter(pk=submission.pk).exclude(public=public).update(public=public):
            verb = "showed a system" if public else "hid a system"
            record(submission.study, verb, user=user, number=submission.number, system=submission.system)


def file_of(submission: Submission) -> bytes:
    """Return a system's file exactly as uploaded."""
    return zlib.decompress(bytes(submission.content))


def fingerprint(task: TaskType, data: StudyData) -> str:
    """Return the SHA-256 hash of the annotations, which equals the `columns_sha256` of a results report on the same
    annotations.
    """
    return hash_columns(tasktypes.report_columns(task, data))


def _systems(study: Study) -> Systems:
    task = tasktypes.get(study.task_type)
    if task.systems is None:
        raise Refused("no-measure", f"{task.name} does not support scoring systems.")
    if study.is_draft:
        raise Refused("draft", "Systems can be scored only after the study has been opened.")
    return task.systems


def _scoring_arguments(
    study: Study, data: StudyData, options: Mapping[str, Any], filename: str, *, resamples: int
) -> dict[str, Any]:
    only = scored_items(study, data)
    return {**options, "name": filename, "seed": study.seed, "resamples": resamples, "only": only}


def _part(only: Collection[str] | None) -> dict[str, Any]:
    """Return the split on which a system was scored and a checksum of the item IDs, or nothing for all items."""
    if only is None:
        return {}
    sha256 = hashlib.sha256("\n".join(sorted(only)).encode()).hexdigest()
    return {"part": {"name": TEST, "items": len(only), "sha256": sha256}}


def _faults(error: TableError) -> Refused:
    """Return the errors in a file with their positions, up to the maximum for a page."""
    shown = [str(fault) for fault in error.faults[:FAULTS_SHOWN]]
    if more := len(error.faults) - len(shown):
        shown.append(f"{more:,} more errors")
    message = f"The file was not stored. {error}"
    return Refused("faults", message, status=400, fields={"file": shown})
