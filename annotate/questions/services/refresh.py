"""Regular progress reports for open studies, and updates of the stored agreement figures of questions."""

from __future__ import annotations

from datetime import timedelta

from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.core.selectors.progress import judgements_counted
from annotate.core.services.jobs import request_job
from annotate.models import Study
from annotate.questions.selectors.agreement import FiguresAge, figures_age
from annotate.server import clock
from annotate.tasktypes import extensions

from .figures import calculate_figures

GROWTH = 1.05
AT_ONCE = 2_000  # judgements; the figures of larger studies are calculated by a job
SHORTEST_INTERVAL = timedelta(minutes=10)  # between two jobs that calculate the figures of a study


def refresh_open_studies() -> int:
    """Request a progress report for each open study with 5% more judgements than at the time of its last report, and
    update everything else that depends on the answers.

    Because the growth is relative, the number of reports is logarithmic in the number of judgements. Returns the number
    of requested reports.
    """
    requested = 0
    for study in Study.objects.filter(state=Study.State.OPEN):
        extensions.refresh(study)
        if "progress" in tasktypes.get(study.task_type).reports.kinds and has_grown(study):
            request_job(study, "report:progress", user=SYSTEM)
            requested += 1
    return requested


def has_grown(study: Study) -> bool:
    """Return whether the number of judgements has grown sufficiently, or has fallen, since the last progress report."""
    counted = judgements_counted(study, in_scores=True)
    last = study.reports.filter(kind="progress").order_by("-number").first()
    if last is None:
        return counted > 0
    before = last.result.get("judgements", 0)
    return bool(counted >= max(before * GROWTH, before + 1) or counted < before)


def current_figures(study: Study) -> FiguresAge:
    """Recalculate outdated agreement figures of questions, and return the age of the figures.

    The figures of a small study are calculated at once. A job calculates the figures of a large study, at most every
    10 minutes, and until then the page shows the earlier figures. The figures of drafts and of archived studies do not
    change.
    """
    age = figures_age(study)
    if age.current or study.state in (Study.State.DRAFT, Study.State.ARCHIVED):
        return age
    if age.judgements <= AT_ONCE:
        calculate_figures(study.pk, progress=lambda share, step: None)
        return figures_age(study)
    if age.calculated_at is None or clock.now() - age.calculated_at > SHORTEST_INTERVAL:
        request_job(study, "figures", user=SYSTEM)
    return age
