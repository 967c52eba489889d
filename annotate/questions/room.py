"""Questions: the list of questions with their answers, their agreement, decisions on them, and more judgements."""

from __future__ import annotations

from annotate.core.permissions import Action
from annotate.models import Job
from annotate.tasktypes import Progress
from annotate.tasktypes.extensions import Extension, Tab, Work, register

from .selectors.adjudication import undecided
from .services.figures import calculate_figures


def _figures(job: Job, progress: Progress) -> None:
    calculate_figures(job.study_id, progress=progress)


DISAGREEMENTS = Tab("review", "Disagreements", ("adjudicate/",), Action.DECIDE, undecided)
register(
    "questions",
    Extension(jobs={"figures": Work(_figures, Action.LOOK)}, tabs=lambda study: [DISAGREEMENTS]),
)
