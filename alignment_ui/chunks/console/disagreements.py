"""The chunk-alignment report page that lists the pairs on which annotators disagree."""

from __future__ import annotations

from collections.abc import Mapping

from accord_core.numerics.printed import coefficient
from annotate.tasktypes import MOST_ROWS, RankedRow, Ranking
from annotate.toolkit import Report, Shown, Study, page_of, with_questions

PAGE = 14


def disagreements(study: Study, report: Report, query: Mapping[str, str]) -> Shown:
    """Show all disagreements in the report, starting with the lowest F1."""
    page = page_of(report.result["disagreements"], query, PAGE)
    return Shown("chunks/report_disagreements.html", {"page": page, "rows": with_questions(study, page)})


def shared_ranking(study: Study, report: Report) -> Ranking:
    """Return the pairs on which annotators disagree, sorted by F1, lowest first."""
    rows = [
        RankedRow([row["source"], row["target"]], row["f1"], coefficient(row["f1"], 2))
        for row in report.result["disagreements"][:MOST_ROWS]
    ]
    return Ranking(
        "Pairs on which annotators disagree",
        "pair",
        "F1",
        rows,
        report.result["disagreements_in_all"],
        "F1 of type and score, mean over pairs of annotators.",
        highest_first=False,
    )
