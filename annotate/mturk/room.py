"""Mechanical Turk: batches for hosts of this format, and their results."""

from __future__ import annotations

from annotate.core.permissions import Action
from annotate.core.services.jobs import requester
from annotate.models import Job, ResultImport
from annotate.tasktypes import Progress
from annotate.tasktypes.extensions import Extension, Work, register

from .exports import BATCH
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


register(
    "mturk",
    Extension(
        jobs={"results": Work(_results, Action.IMPORT_RESULTS, is_long=True)},
        exports=lambda task: BATCH if task.batch else (),
    ),
)
