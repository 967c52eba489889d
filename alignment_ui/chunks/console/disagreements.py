"""The chunk-alignment report page that lists the pairs on which annotators disagree."""

from __future__ import annotations

from collections.abc import Mapping

from annotate.toolkit import Report, Shown, Study, page_of, with_questions

PAGE = 14


def disagreements(study: Study, report: Report, query: Mapping[str, str]) -> Shown:
    """Show all disagreements in the report, starting with the lowest F1."""
    page = page_of(report.result["disagreements"], query, PAGE)
    return Shown("chunks/report_disagreements.html", {"page": page, "rows": with_questions(study, page)})
