"""Questions: the list of questions with their answers, their agreement, decisions on them, and more judgements."""

from __future__ import annotations

from annotate.core.permissions import Action
from annotate.core.selectors.remarks import open_reports
from annotate.models import Job, Remark, Study
from annotate.tasktypes import Progress
from annotate.tasktypes.extensions import Extension, Tab, Work, register

from .selectors.adjudication import decisions_needed
from .services.figures import calculate_figures


def _figures(job: Job, progress: Progress) -> None:
    calculate_figures(job.study_id, progress=progress)


DISAGREEMENTS = Tab("review", "Disagreements", ("adjudicate/",), Action.DECIDE, decisions_needed)
PROBLEMS = Tab(
    "review", "Problem reports", ("problem-reports/",), Action.LOOK, lambda study: open_reports(study).count()
)


def _tabs(study: Study) -> list[Tab]:
    """Return the tabs of Review. Problem reports get a tab once people have sent any."""
    has_reports = study.remarks.filter(kind=Remark.Kind.PROBLEM, participation__annotator__is_program=False).exists()
    return [DISAGREEMENTS, PROBLEMS] if has_reports else [DISAGREEMENTS]


register(
    "questions",
    Extension(jobs={"figures": Work(_figures, Action.LOOK)}, tabs=_tabs),
)
