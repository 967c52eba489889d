"""Regular progress reports for open studies, which keep the studies' figures current."""

from __future__ import annotations

from annotate import tasktypes
from annotate.models import Study
from annotate.permissions import SYSTEM
from annotate.selectors.progress import judgements_counted

from .jobs import request_job

GROWTH = 1.05


def refresh_open_studies() -> int:
    """Request a progress report for each open study that has 5% more judgements than at its last report.

    Because the growth is relative, the number of reports is logarithmic in the number of judgements. Returns the number
    of requested reports.
    """
    requested = 0
    for study in Study.objects.filter(state=Study.State.OPEN):
        if "progress" in tasktypes.get(study.task_type).reports.kinds and has_grown(study):
            request_job(study, "report:progress", user=SYSTEM)
            requested += 1
    return requested


def has_grown(study: Study) -> bool:
    """Return whether the number of judgements has grown enough, or has fallen, since the last progress report."""
    counted = judgements_counted(study, in_scores=True)
    last = study.reports.filter(kind="progress").order_by("-number").first()
    if last is None:
        return counted > 0
    before = last.result.get("judgements", 0)
    return bool(counted >= max(before * GROWTH, before + 1) or counted < before)
