"""The entry of reporting in a study's navigation."""

from __future__ import annotations

from annotate.toolkit import Panel, Study

from .report_it import report_it


def panels(study: Study) -> list[Panel]:
    return [Panel("reporting", "Report it", report_it, place="results", guide="reporting")]
