"""Questions: the list of questions with their answers, their agreement, decisions on them, and more judgements."""

from __future__ import annotations

from annotate.core.permissions import Action
from annotate.models import Job
from annotate.tasktypes import Progress
from annotate.tasktypes.extensions import Extension, Work, register

from .services.figures import calculate_figures


def _figures(job: Job, progress: Progress) -> None:
    calculate_figures(job.study_id, progress=progress)


register("questions", Extension(jobs={"figures": Work(_figures, Action.LOOK)}))
