"""Recruiting: links, named annotators, groups, lists of people, waiting lists, screening and surveys."""

from __future__ import annotations

from annotate.core.permissions import Action
from annotate.core.services.jobs import requester
from annotate.models import Job
from annotate.tasktypes import Progress
from annotate.tasktypes.extensions import Extension, Work, register

from .services.link_mail import send_links
from .ways import WAYS


def _links(job: Job, progress: Progress) -> None:
    send_links(job.study_id, user=requester(job), progress=progress)


register("recruiting", Extension(jobs={"links": Work(_links, Action.NAME_ANNOTATORS)}, ways=WAYS))
