"""The word-alignment report page that lists the pairs on which two annotators disagree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from accord_core.numerics.printed import coefficient
from alignment_ui.pairs.running_text import running_text
from annotate.tasktypes import MOST_ROWS, RankedRow, Ranking
from annotate.toolkit import Report, Shown, Study, page_of, with_questions

PAGE = 8


def disagreements(study: Study, report: Report, query: Mapping[str, str]) -> Shown:
    """Show all disagreements in a report, starting with the lowest F1."""
    page = page_of(report.result["disagreements"], query, PAGE)
    context = {"page": page, "rows": disagreement_rows(study, page)}
    return Shown("words/report_disagreements.html", context)


def shared_ranking(study: Study, report: Report) -> Ranking:
    """Return the pairs on which annotators disagree, sorted by F1, lowest first."""
    listed = report.result["disagreements"]
    rows = [
        RankedRow(row["sentences"] or [row["ref"]], row["f1"], coefficient(row["f1"], 2))
        for row in disagreement_rows(study, listed[:MOST_ROWS])
    ]
    identical = " or in links between identical words" if report.result["ignore_identical"] else ""
    note = f"F1 between annotators. Pairs with 1.00 differ only in possible links{identical}."
    return Ranking("Pairs on which annotators disagree", "pair", "F1", rows, len(listed), note, highest_first=False)


def disagreement_rows(study: Study, rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return table rows that include the question and its sentences."""
    return [{**row, "sentences": _sentences(row["question"])} for row in with_questions(study, rows)]


def subcorpus_name(subcorpus: str | None) -> str:
    """Return a subcorpus name for display in a table. None means all subcorpora. Pairs without a subcorpus
    are called “Pairs”.
    """
    return "All" if subcorpus is None else subcorpus or "Pairs"


def _sentences(question: Any) -> list[str]:
    return [running_text(question.payload[side]) for side in ("source", "target")] if question else []
