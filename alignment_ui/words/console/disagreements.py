"""The word-alignment report page that lists the pairs on which two annotators disagree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from annotate.toolkit import Report, Shown, Study, page_of, with_questions

PAGE = 9


def disagreements(study: Study, report: Report, query: Mapping[str, str]) -> Shown:
    """Show all disagreements in a report, starting with the lowest F1."""
    page = page_of(report.result["disagreements"], query, PAGE)
    context = {"page": page, "rows": disagreement_rows(study, page)}
    return Shown("words/report_disagreements.html", context)


def disagreement_rows(study: Study, rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return table rows that include the question, its sentences and the subcorpus name."""
    return [
        {**row, "subcorpus": subcorpus_name(row["subcorpus"]), "sentences": _sentences(row["question"])}
        for row in with_questions(study, rows)
    ]


def subcorpus_name(subcorpus: str | None) -> str:
    """Return a subcorpus name for display in a table. None means all subcorpora. The name is empty for a pair without a
    subcorpus.
    """
    return "All" if subcorpus is None else subcorpus or "Pairs"


def _sentences(question: Any) -> list[str]:
    return [" ".join(question.payload[side]) for side in ("source", "target")] if question else []
