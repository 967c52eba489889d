"""Keeping the figures of open studies fresh while judgements come in."""

from __future__ import annotations

from annotate import tasktypes
from annotate.models import Study
from annotate.selectors.progress import judgements_counted

from .jobs import ask_for

GROWTH = 1.05


def refresh_open_studies() -> int:
    """Ask for a progress report of each open study that has grown by 5 % since its last; returns how many.

    Growing by a share keeps the number of snapshots logarithmic in the judgements collected.
    """
    asked = 0
    for study in Study.objects.filter(state=Study.State.OPEN):
        if "progress" in tasktypes.get(study.task_type).reports and has_grown(study):
            ask_for(study, "report:progress", user=None)
            asked += 1
    return asked


def has_grown(study: Study) -> bool:
    """Whether enough judgements have come in, or ceased to count, since the last progress report."""
    counted = judgements_counted(study, in_scores=True)
    last = study.reports.filter(kind="progress").order_by("-number").first()
    if last is None:
        return counted > 0
    before = last.result.get("judgements", 0)
    return bool(counted >= max(before * GROWTH, before + 1) or counted < before)
