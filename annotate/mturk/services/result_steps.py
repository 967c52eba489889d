"""The steps of a results import, which run immediately for small files and as background jobs for large files."""

from __future__ import annotations

from typing import Any

from annotate.core.permissions import Actor
from annotate.core.services.jobs import request_job
from annotate.models import Job
from annotate.mturk.models import ResultImport
from annotate.server.refusals import Refused

from .result_imports import import_stored, is_large, store_preview, undo_import

PREVIEW, IMPORT, UNDO = "preview", "import", "undo"


def carry_out(chosen: ResultImport, step: str, *, user: Actor, **options: Any) -> Job | None:
    """Preview, import or undo a results file. For a large file, return the job that performs the step.

    `options` are the options of `import_stored`. Raises `Refused` like the services of `result_imports`.
    """
    if is_large(chosen):
        _refuse_state(chosen, step)
        parameters = {"import": chosen.public_id, "step": step, **options}
        return request_job(chosen.study, f"results:{chosen.public_id}", parameters=parameters, user=user)
    if step == PREVIEW:
        store_preview(chosen.pk, user=user)
    elif step == IMPORT:
        import_stored(chosen.pk, user=user, **options)
    else:
        undo_import(chosen.pk, user=user)
    return None


def latest_job(chosen: ResultImport) -> Job | None:
    """Return the latest job for the file, or None."""
    return chosen.study.jobs.filter(kind=f"results-{chosen.public_id}").order_by("-pk").first()


def _refuse_state(chosen: ResultImport, step: str) -> None:
    expected = "imported" if step == UNDO else "waiting"
    if chosen.state != expected:
        raise Refused("state", f"This step is not possible, because {chosen.filename} is {chosen.state}.")
