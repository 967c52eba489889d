"""The best–worst report page that ranks all items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotate.toolkit import ItemText, Report, Shown, Study, item_texts, page_of

PAGE = 14  # pairs of sentences


def ranking(study: Study, report: Report, query: Mapping[str, str]) -> Shown:
    """Show all items with their scores, starting with the best item."""
    scores = report.result["scores"]
    page = page_of(order_of(scores), query, PAGE)
    rows = rows_of(study, scores, list(page))
    return Shown("bws/report_items.html", {"page": page, "rows": rows, "alike": any_identical_judgements(rows)})


def order_of(scores: Mapping[str, Any]) -> list[int]:
    """Return the positions of the scored items in the report's columns, with the best item first. Items with the same
    score are sorted by key.
    """
    scored = [place for place, unit in enumerate(scores["unit"]) if unit is not None]
    return sorted(scored, key=lambda place: (-scores["unit"][place], scores["key"][place]))


def rows_of(study: Study, scores: Mapping[str, Any], places: Sequence[int]) -> list[dict[str, Any]]:
    """Return a table row for each of these items."""
    texts = item_texts(study, (scores["key"][place] for place in places))
    return [
        {
            "rank": scores["rank"][place],
            "item": texts.get(scores["key"][place]) or ItemText(scores["key"][place], [], {}),
            "unit": scores["unit"][place],
            # If all judgements of an item are identical, its standard error is 0, although the score is still
            # uncertain.
            "error": error / 2 if (error := scores["standard_error"][place]) else None,
            "alike": error == 0,
            "appearances": scores["appearances"][place],
            "best": scores["best"][place],
            "worst": scores["worst"][place],
            "maxdiff": scores["maxdiff"][place],
        }
        for place in places
    ]


def any_identical_judgements(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether the report contains an item whose judgements are all identical. The page then explains the
    standard errors of such items.
    """
    return any(row["alike"] for row in rows)
