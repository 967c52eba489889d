"""Mechanical Turk: batches for hosts of this format, and their results."""

from __future__ import annotations

from annotate.core.permissions import Action
from annotate.core.services.jobs import requester
from annotate.models import Job, Study
from annotate.mturk.models import HostedAssignment, ResultImport
from annotate.tasktypes import Progress
from annotate.tasktypes.extensions import ErrorCode, Extension, Way, Work, register
from annotate.tasktypes.personal import Table, declare, emptied, impersonal, kept
from annotate.templatetags.figures import with_noun

from . import tasks  # noqa: F401 - adds a task to the schedule
from .downloads import has_results, live_files
from .exports import BATCH
from .selectors import waiting_files_naming
from .services.result_imports import import_stored, store_preview, undo_import


def _results(job: Job, progress: Progress) -> None:
    """Read, import or undo a results file."""
    chosen = ResultImport.objects.only("pk").get(study=job.study, public_id=job.parameters["import"]).pk
    user, step = requester(job), job.parameters["step"]
    if step == "preview":
        store_preview(chosen, user=user)
    elif step == "undo":
        undo_import(chosen, user=user)
    else:
        options = {name: job.parameters[name] for name in ("skip_faulty", "changes")}
        import_stored(chosen, user=user, progress=progress, **options)


def _imported(study: Study) -> str:
    number = ResultImport.objects.filter(study=study).count()
    return with_noun(number, "results file") if number else ""


RESULTS = Way(
    "Mechanical Turk and Turkle",
    "Publish the study’s batch there, then import the results.",
    "results-files/",
    Action.IMPORT_RESULTS,
    _imported,
    has_results,
    brings="Results of a Mechanical Turk or Turkle batch",
)
ERROR_CODES = [
    ErrorCode(
        "answered-again",
        (409,),
        "The import cannot be undone, because workers have answered some of its questions again in another import.",
    ),
    ErrorCode("changes", (409,), "Assignments in the file have changed since they were imported."),
    ErrorCode("paid", (409,), "The import cannot be undone, because workers have been paid for its assignments."),
]

register(
    "mturk",
    Extension(
        console_urls="annotate.mturk.urls",
        api_urls="annotate.mturk.api_urls",
        jobs={"results": Work(_results, Action.IMPORT_RESULTS, is_long=True)},
        exports=lambda task: BATCH if task.batch else (),
        live_files=live_files,
        ways=[RESULTS],
        path_parameters={"result_import": "ID of the results file."},
        error_codes=ERROR_CODES,
    ),
)

declare(
    Table(
        ResultImport,
        {
            "public_id batch filename sha256 counts": impersonal("about the file"),
            "content preview": emptied(reason="worker IDs in a file that is not imported, deleted after 7 days"),
        },
        named=waiting_files_naming,
    ),
    Table(
        HostedAssignment,
        {
            "external_id": kept("assignments_on_the_host[].assignment_id"),
            "batch": kept("assignments_on_the_host[].batch"),
            "status": kept("assignments_on_the_host[].status"),
            "cells": kept("assignments_on_the_host[].other_columns"),
            "digest": kept(reason="a hash of the answers"),
        },
        of="assignment__participation__annotator",
    ),
)
