"""Jobs that read large uploads for a preview."""

from __future__ import annotations

from annotate.core.permissions import Actor
from annotate.core.services.jobs import request_job
from annotate.models import Job, Upload


def preview_job(upload: Upload, *, user: Actor) -> Job:
    """Return the latest job that reads a large upload. Create a job if there is none, or if the file's layout has
    changed since the latest job.
    """
    kind = f"preview:{upload.public_id}"
    jobs = Job.objects.filter(study=upload.study_id, kind=kind.replace(":", "-"))
    latest = jobs.order_by("-pk").first()
    outdated = latest is not None and latest.state == Job.State.DONE and not upload.preview
    if latest is None or outdated:
        return request_job(upload.study, kind, parameters={"upload": upload.public_id}, user=user)
    return latest
