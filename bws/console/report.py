"""The console pages of a best–worst report: figures and charts, all items by rank, and correlations with the scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from django.core.paginator import Paginator

from annotate.models import Report, Study
from annotate.selectors.questions import ItemText, item_texts
from annotate.selectors.reports import headline_of
from annotate.tasktypes import Shown
from annotate.views.console.charts import forecast_sentence, people_chart

from . import charts

EXTREMES = 10
PAGE = 100


def report_page(study: Study, report: Report, page: str, query: Mapping[str, str]) -> Shown | None:
    """Show the report, its page `items` with all items by score, or its page `analysis` with correlations of the
    scores.
    """
    if page == "":
        figures = _figures(study, report.result)
        return Shown("bws/report.html", figures | {"ranked": _extremes(study, report.result)})
    if page == "items":
        scores = report.result["scores"]
        ranked = Paginator(_ranking(scores), PAGE).get_page(query.get("page"))
        rows = _rows(study, scores, list(ranked))
        return Shown("bws/report_items.html", {"page": ranked, "rows": rows, "alike": _any_alike(rows)})
    if page == "analysis" and "goes_with" in report.result:
        return Shown("bws/report_analysis.html", _analysis(report.result))
    return None


def _figures(study: Study, result: dict[str, Any]) -> dict[str, Any]:
    scores, reliability = result["scores"], result["reliability"]
    within, whole, forecast = (reliability[name] for name in ("within", "whole", "forecast"))
    lead = headline_of(result["headline"])
    of_all = [forecast[name] for name in ("within_of_all", "whole_of_all") if forecast.get(name) is not None]
    errors = [error for error in scores["standard_error"] if error is not None]
    appearances = [times for times in scores["appearances"] if times]
    drawn = {
        "histogram": charts.histogram_chart(result, study),
        "groups": charts.group_charts(result),
        "amount": charts.reliability_by_amount(result, lead),
        "levels": charts.levels_chart(result),
        "positions": charts.positions_chart(result, study),
        "people": people_chart(result, float(study.rule_threshold)),
    }
    return {
        "charts": drawn,
        "headline": lead,
        "items": len(scores["key"]),
        "scored": sum(unit is not None for unit in scores["unit"]),
        "appearances": (min(appearances), max(appearances)),
        "within": within,
        "whole": whole,
        "forecast": forecast,
        "of_all": (min(of_all, default=None), max(of_all, default=None)),
        "more": forecast_sentence(lead, result["judgements"]),
        # Standard errors belong to the signed score. On the scale from 0 to 1, they are half as large.
        "error": median(errors) / 2 if errors else None,
        "worst_error": max(errors) / 2 if errors else None,
        "agree": scores["methods_agree"],
    }


def _analysis(result: dict[str, Any]) -> dict[str, Any]:
    """Return the correlations, a scatter plot for each, and the scores by group."""
    found = result["goes_with"]
    return {
        "correlations": found["correlations"],
        "scatters": [charts.scatter_chart(row, found["values"][row["name"]], result) for row in found["correlations"]],
        "groups": charts.group_charts(result),
    }


def _ranking(scores: Mapping[str, Any]) -> list[int]:
    """Return the rows of the scored items, best first. Items with equal scores are sorted by key."""
    scored = [place for place, unit in enumerate(scores["unit"]) if unit is not None]
    return sorted(scored, key=lambda place: (-scores["unit"][place], scores["key"][place]))


def _extremes(study: Study, result: Mapping[str, Any]) -> dict[str, Any]:
    ranking = _ranking(result["scores"])
    top = ranking[: min(EXTREMES, -(-len(ranking) // 2))]
    bottom = ranking[max(len(top), len(ranking) - EXTREMES) :]
    rows = _rows(study, result["scores"], top + bottom)
    return {
        "top": rows[: len(top)],
        "bottom": rows[len(top) :],
        "all": len(ranking),
        "alike": _any_alike(rows),
    }


def _rows(study: Study, scores: Mapping[str, Any], places: Sequence[int]) -> list[dict[str, Any]]:
    texts = item_texts(study, (scores["key"][place] for place in places))
    return [
        {
            "rank": scores["rank"][place],
            "item": texts.get(scores["key"][place]) or ItemText(scores["key"][place], [], {}),
            "unit": scores["unit"][place],
            # If all judgements of an item are equal, its standard error is undefined. This does not mean that its score
            # is certain.
            "error": error / 2 if (error := scores["standard_error"][place]) else None,
            "alike": error == 0,
            "appearances": scores["appearances"][place],
            "best": scores["best"][place],
            "worst": scores["worst"][place],
            "maxdiff": scores["maxdiff"][place],
        }
        for place in places
    ]


def _any_alike(rows: Sequence[Mapping[str, Any]]) -> bool:
    return any(row["alike"] for row in rows)
