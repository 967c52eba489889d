"""Services that compare a study with a repeat of it, which is another study or an uploaded release."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from annotate.core.permissions import Action, Actor, permitted_study, require
from annotate.core.services.jobs import request_job, requester
from annotate.core.services.writing import write
from annotate.models import Job, Report, Study
from annotate.questions.selectors.data import one_snapshot, study_data
from annotate.results.services import save_report
from annotate.server.refusals import Refused
from annotate.tasktypes import Progress
from releases.compare.comparison import comparison
from releases.compare.runs import CannotCompare, Run, checked, run_of
from releases.contents.archive import UnreadableRelease
from releases.contents.storable import require_storable
from releases.selectors.compare import KIND, UPLOADED
from releases.services.uploads import uploaded_data

LONGEST_TITLE = 200  # characters


@dataclass(frozen=True)
class Uploaded:
    """The zip file of a release, with its name."""

    name: str
    content: bytes


def request_comparison(study: Study, other: Study | Uploaded, *, is_original: bool, user: Actor) -> Job:
    """Request the comparison of a study with another study or with a release. `is_original` states that the other one
    is the original, and that `study` is the repeat.

    Raises `Refused` with the reason `cannot-compare` if the release is damaged or has another task type, and
    `not-allowed` if the user cannot see the other study.
    """
    require(study, user, Action.CALCULATE_REPORTS)
    if isinstance(other, Study):
        require(other, user, Action.LOOK)
        return request_job(study, KIND, parameters={"study": other.public_id, "is_original": is_original}, user=user)
    title = _checked_title(study, other)
    with write():  # a release is not stored if the job is refused, because nobody can remove it
        number = _store(study, other, title, user)
        return request_job(study, KIND, parameters={"release": number, "is_original": is_original}, user=user)


def compare_in_job(job: Job, progress: Progress) -> Report:
    """Calculate the comparison that a job requests, and store it as a report."""
    user, parameters = requester(job), job.parameters
    study = permitted_study(job.study_id, user, Action.CALCULATE_REPORTS)
    progress(0.0, "reading both studies")
    try:
        own, other = _run(study), _other(study, parameters, user)
        runs = [other, own] if parameters["is_original"] else [own, other]
        result = comparison(runs, seed=study.seed % 2**32, progress=progress)
        require_storable(result, other.name)  # titles, settings and labels from the release
    except (CannotCompare, UnreadableRelease) as error:
        raise Refused("cannot-compare", str(error), status=400) from error
    stored = {name: value for name, value in parameters.items() if name != "work"}
    with write():
        return save_report(study, kind=KIND, parameters=stored, seed=study.seed, columns=None, result=result, user=user)


def _run(study: Study) -> Run:
    with one_snapshot():
        return checked(Run(study.title, study_data(study)))


def _other(study: Study, parameters: dict[str, str | int], user: Actor) -> Run:
    if "study" in parameters:
        other = Study.objects.get(public_id=parameters["study"])
        return _run(permitted_study(other.pk, user, Action.LOOK))
    report = study.reports.get(kind=UPLOADED, number=parameters["release"])
    name = report.parameters["name"]
    return run_of(name, lambda: uploaded_data(bytes(report.input or b""), name))


def _checked_title(study: Study, uploaded: Uploaded) -> str:
    """Return the title of the study in a release. Raises `Refused` unless it can be compared with the study."""
    try:
        run = run_of(uploaded.name, lambda: uploaded_data(uploaded.content, uploaded.name))
        title = str(run.data.facts["title"])[:LONGEST_TITLE]
        require_storable([uploaded.name, title], uploaded.name)
    except (CannotCompare, UnreadableRelease, LookupError) as error:
        raise Refused("cannot-compare", str(error), status=400) from error
    if run.task.slug != study.task_type:
        raise Refused(
            "cannot-compare",
            f"{uploaded.name} is a release of the type {run.task.name}. Choose a release of the study’s own type.",
            status=400,
        )
    return title


def _store(study: Study, uploaded: Uploaded, title: str, user: Actor) -> int:
    """Store a release unless it is stored already, and return the number of its report."""
    digest = hashlib.sha256(uploaded.content).hexdigest()
    numbers = study.reports.filter(kind=UPLOADED, input_sha256=digest, parameters__name=uploaded.name)
    number = numbers.values_list("number", flat=True).first()
    if number is not None:
        return number
    parameters = {"name": uploaded.name, "title": title}
    return save_report(
        study, kind=UPLOADED, parameters=parameters, seed=0, columns=uploaded.content, result={}, user=user
    ).number
