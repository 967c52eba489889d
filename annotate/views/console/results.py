"""/console/<study>/results/: computing results, and the reports that hold them for good."""

from __future__ import annotations

from statistics import median
from typing import Any

from django.core.paginator import Paginator
from django.db.models.functions import Length
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate import tasktypes
from annotate.models import Report, Study
from annotate.selectors.progress import judgements_counted
from annotate.selectors.questions import ItemText, item_texts
from annotate.selectors.reports import RESULTS, results_reports
from annotate.services.jobs import ask_for

from . import charts
from .access import ConsoleRequest, study_page
from .downloads import report_files

EXTREMES = 10
PAGE = 100


@study_page()
@require_safe
def results(request: ConsoleRequest, study: Study) -> HttpResponse:
    reports = list(results_reports(study))
    context = {
        "study": study,
        "reports": reports,
        "job": study.jobs.filter(kind="report-results").order_by("-pk").first(),
        "counted": judgements_counted(study),
        "can_compute": RESULTS in tasktypes.get(study.task_type).reports,
    }
    return render(request, "console/results.html", context)


@study_page(may="review")
@require_POST
def compute(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Ask for a report on the judgements there are now. What is said of the pilot is kept with it."""
    parameters = {"pilot": "counted" if study.pilot_counts else "left out"} if study.pilot_hits else {}
    ask_for(study, f"report:{RESULTS}", parameters=parameters, user=request.user)
    return redirect(f"{request.console.home}results/")


@study_page()
@require_safe
def report(request: ConsoleRequest, study: Study, number: int) -> HttpResponse:
    found = _report(study, number)
    result = found.result
    context: dict[str, Any] = {"study": study, "report": found, "result": result, "files": report_files(study, found)}
    if "scores" in result:
        context |= _figures(study, result) | {"ranked": _extremes(study, result)}
    return render(request, "console/report.html", context)


@study_page()
@require_safe
def items(request: ConsoleRequest, study: Study, number: int) -> HttpResponse:
    """Every item with its score, best first."""
    found = _report(study, number)
    scores = found.result.get("scores")
    if scores is None:
        raise Http404("this report has no scores")
    page = Paginator(_ranking(scores), PAGE).get_page(request.GET.get("page"))
    context = {"study": study, "report": found, "page": page, "rows": _rows(study, scores, list(page))}
    return render(request, "console/report_items.html", context)


def _report(study: Study, number: int) -> Report:
    try:
        return (
            study.reports.select_related("created_by", "study")
            .defer("input")
            .annotate(input_size=Length("input"))
            .get(kind=RESULTS, number=number)
        )
    except Report.DoesNotExist:
        raise Http404("no such report") from None


def _figures(study: Study, result: dict[str, Any]) -> dict[str, Any]:
    scores, reliability = result["scores"], result["reliability"]
    within, whole, forecast = (reliability[name] for name in ("within", "whole", "forecast"))
    ends = [half["spearman"]["mean"] for half in (within, whole) if half["spearman"]["mean"] is not None]
    of_all = [forecast[name] for name in ("within_of_all", "whole_of_all") if forecast.get(name) is not None]
    errors = [error for error in scores["standard_error"] if error is not None]
    appearances = [times for times in scores["appearances"] if times]
    threshold = float(study.rule_threshold)
    drawn = {
        "histogram": charts.histogram_chart(result, study),
        "groups": charts.group_charts(result),
        "amount": charts.reliability_by_amount(result),
        "levels": charts.levels_chart(result),
        "positions": charts.positions_chart(result, study),
        "people": charts.people_chart(result, threshold),
    }
    return {
        "charts": drawn,
        "items": len(scores["key"]),
        "scored": sum(unit is not None for unit in scores["unit"]),
        "appearances": (min(appearances), max(appearances)),
        "low": min(ends, default=None),
        "high": max(ends, default=None),
        "within": within,
        "whole": whole,
        "forecast": forecast,
        "of_all": (min(of_all, default=None), max(of_all, default=None)),
        "more": charts.forecast_sentence(
            [forecast["within"], forecast["whole"]], result["judgements"], forecast["target"]
        ),
        # Errors are those of the signed score; on the scale from 0 to 1 they are half as large.
        "error": median(errors) / 2 if errors else None,
        "worst_error": max(errors) / 2 if errors else None,
        "agree": scores["methods_agree"],
    }


def _ranking(scores: dict[str, Any]) -> list[int]:
    """Places in the columns of the scored items, best first, ties by key."""
    scored = [place for place, unit in enumerate(scores["unit"]) if unit is not None]
    return sorted(scored, key=lambda place: (-scores["unit"][place], scores["key"][place]))


def _extremes(study: Study, result: dict[str, Any]) -> dict[str, Any]:
    ranking = _ranking(result["scores"])
    top = ranking[: min(EXTREMES, -(-len(ranking) // 2))]
    bottom = ranking[max(len(top), len(ranking) - EXTREMES) :]
    rows = _rows(study, result["scores"], top + bottom)
    return {"top": rows[: len(top)], "bottom": rows[len(top) :], "all": len(ranking)}


def _rows(study: Study, scores: dict[str, Any], places: list[int]) -> list[dict[str, Any]]:
    texts = item_texts(study, (scores["key"][place] for place in places))
    return [
        {
            "rank": scores["rank"][place],
            "item": texts.get(scores["key"][place]) or ItemText(scores["key"][place], [], {}),
            "unit": scores["unit"][place],
            "error": None if scores["standard_error"][place] is None else scores["standard_error"][place] / 2,
            "appearances": scores["appearances"][place],
            "best": scores["best"][place],
            "worst": scores["worst"][place],
            "maxdiff": scores["maxdiff"][place],
        }
        for place in places
    ]
