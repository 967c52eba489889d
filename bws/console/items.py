"""The best–worst report page that ranks all items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.numerics.intervals import Z_95
from accord_core.numerics.printed import coefficient
from annotate.tasktypes import MOST_ROWS, RankedRow, Ranking
from annotate.toolkit import ItemText, Report, Shown, Study, item_texts, page_of

PAGE = 14  # pairs of sentences


def ranking(study: Study, report: Report, query: Mapping[str, str]) -> Shown:
    """Show all items with their scores, starting with the best item."""
    scores = report.result["scores"]
    page = page_of(order_of(scores), query, PAGE)
    rows = rows_of(study, scores, list(page))
    return Shown("bws/report_items.html", {"page": page, "rows": rows, "unknown": any_unknown_error(rows)})


def shared_ranking(study: Study, report: Report) -> Ranking:
    """Return the items with their scores and 95% intervals, starting with the best item."""
    scores = report.result["scores"]
    order = order_of(scores)
    rows = rows_of(study, scores, order[:MOST_ROWS])
    return Ranking(
        "Ranked items",
        "item",
        "Score",
        [_ranked(row) for row in rows],
        len(order),
        "Scores from 0 to 1, with 95% intervals (± 1.96 standard errors).",
    )


def _ranked(row: Mapping[str, Any]) -> RankedRow:
    unit, error = row["unit"], row["error"]
    ends = (None, None) if error is None else (max(0.0, unit - Z_95 * error), min(1.0, unit + Z_95 * error))
    return RankedRow(row["item"].texts or [row["item"].key], unit, coefficient(unit), *ends)


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
            # uncertain. Judgements of a single tuple have no standard error.
            "error": error / 2 if (error := scores["standard_error"][place]) else None,
            "unknown": not error,
            "appearances": scores["appearances"][place],
            "best": scores["best"][place],
            "worst": scores["worst"][place],
            "maxdiff": scores["maxdiff"][place],
        }
        for place in places
    ]


def any_unknown_error(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether the standard error of an item is unknown. The page then explains why."""
    return any(row["unknown"] for row in rows)
