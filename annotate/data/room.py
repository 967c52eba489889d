"""Data: files with items, the items, and the design, which makes questions and HITs from the items.

This room builds on questions, results and core. Gold questions and the settings of a study build on it.
"""

from __future__ import annotations

from annotate.core.permissions import Action
from annotate.core.services.jobs import requester
from annotate.data.services.extension import add_items, plan_extension
from annotate.models import Job, Report, Upload
from annotate.tasktypes import Progress
from annotate.tasktypes.extensions import Extension, Work, register

from .known_rows import KnownRows
from .services.design import build_design
from .services.imports import import_upload
from .services.unopened import update_unopened
from .services.uploads import store_preview


def _import(job: Job, progress: Progress) -> None:
    upload = Upload.objects.get(study=job.study, public_id=job.parameters["upload"])
    known = KnownRows(job.parameters.get("known", KnownRows.STOP))
    import_upload(upload.pk, user=requester(job), progress=progress, known=known)


def _preview(job: Job, progress: Progress) -> None:
    store_preview(Upload.objects.select_related("study").get(study=job.study, public_id=job.parameters["upload"]))


def _design(job: Job, progress: Progress) -> Report:
    return build_design(job.study_id, user=requester(job), progress=progress)


def _extension(job: Job, progress: Progress) -> Report:
    return add_items(job.study_id, user=requester(job), progress=progress)


def _extension_plan(job: Job, progress: Progress) -> Report:
    return plan_extension(job.study_id, user=requester(job), progress=progress)


def _unopened(job: Job, progress: Progress) -> None:
    update_unopened(job.study_id, user=requester(job), progress=progress)


register(
    "data",
    Extension(
        jobs={
            "import": Work(_import, Action.IMPORT_FILES, is_long=True),
            "preview": Work(_preview, Action.IMPORT_FILES, is_long=True),
            "design": Work(_design, Action.BUILD_DESIGN),
            "extension": Work(_extension, Action.ADD_ITEMS),
            "extension-plan": Work(_extension_plan, Action.ADD_ITEMS),
            "unopened": Work(_unopened, Action.UPDATE_UNOPENED),
        }
    ),
)
