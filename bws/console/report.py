"""The summary page of a best–worst report, which shows figures, charts, and the best and worst items."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import Any

from annotate.toolkit import Headline, Report, Shown, Study, forecast_sentence, people_chart
from bws.numerics.ceiling import RESTRICTED_RANGE_OF_SCORES as RESTRICTED_RANGE
from bws.rounds import ROUNDS

from . import charts
from .items import any_identical_judgements, order_of, rows_of

EXTREMES = 10
LEAST_RELIABLE = 5


def summary(study: Study, report: Report, query: Mapping[str, str]) -> Shown:
    """Show the figures and charts of a report, and its ten best and worst items."""
    result = report.result
    scores, reliability = result["scores"], result["reliability"]
    within, whole, forecast = (reliability[name] for name in ("within", "whole", "forecast"))
    headline = Headline.from_json(result["headline"])
    errors = [error for error in scores["standard_error"] if error is not None]
    appearances = [times for times in scores["appearances"] if times]
    context = {
        "charts": {
            "histogram": charts.histogram_chart(result, study),
            "groups": charts.group_charts(result),
            "amount": charts.reliability_by_amount(result, headline),
            "levels": charts.levels_chart(result),
            "positions": charts.positions_chart(result, study),
            "people": people_chart(result, float(study.rule_threshold)),
        },
        "ranked": _best_and_worst(study, scores),
        "headline": headline,
        "items": len(scores["key"]),
        "scored": sum(unit is not None for unit in scores["unit"]),
        "appearances": (min(appearances), max(appearances)),
        "within": within,
        "whole": whole,
        "interval": whole["interval"],
        "forecast": forecast,
        "more": forecast_sentence(headline, result["judgements"]),
        # Standard errors are for scores from −1 to 1. On the scale from 0 to 1, standard errors are half as large.
        "error": median(errors) / 2 if errors else None,
        "worst_error": max(errors) / 2 if errors else None,
        "agree": scores["methods_agree"],
        "ceilings": _ceilings(result),
        "restricted_range": RESTRICTED_RANGE,
        "model": result["annotator_model"],
        "least_reliable": _least_reliable(result),
        "rounds_text": ROUNDS.results,
    }
    return Shown("bws/report.html", context)


def _ceilings(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of the noise ceiling table."""
    figures = result["noise_ceiling"]
    by_source = [{"name": name, "source": True, **each} for name, each in figures.get("groups", {}).items()]
    return [{"name": "All items", **figures}, *by_source]


def _least_reliable(result: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    people = [row for row in result["people"] if row.get("maxdiff_reliability") is not None]
    return sorted(people, key=lambda row: float(row["maxdiff_reliability"]))[:LEAST_RELIABLE]


def _best_and_worst(study: Study, scores: Mapping[str, Any]) -> dict[str, Any]:
    order = order_of(scores)
    best = order[: min(EXTREMES, -(-len(order) // 2))]
    worst = order[max(len(best), len(order) - EXTREMES) :]
    rows = rows_of(study, scores, best + worst)
    return {
        "top": rows[: len(best)],
        "bottom": rows[len(best) :],
        "all": len(order),
        "alike": any_identical_judgements(rows),
    }
