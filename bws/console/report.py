"""The summary page of a best–worst report, which shows figures, charts, and the best and worst items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from accord_core.bws.numerics.ceiling import RESTRICTED_RANGE_OF_SCORES as RESTRICTED_RANGE
from accord_core.bws.numerics.reliability import spearman_brown
from accord_core.numerics.printed import coefficient, count, interval, places_of, with_noun
from annotate.toolkit import (
    Figure,
    Headline,
    Report,
    Shown,
    Study,
    basis,
    forecast_sentence,
    main_figure,
    people_chart,
)
from bws.headline import is_rough, too_few
from bws.rounds import ROUNDS
from bws.targets import RELIABILITY

from . import charts
from .items import any_unknown_error, order_of, rows_of

EXTREMES = 10
LEAST_RELIABLE = 5


def summary(study: Study, report: Report, query: Mapping[str, str]) -> Shown:
    """Show the figures and charts of a report, and its ten best and worst items."""
    result = report.result
    scores, reliability = result["scores"], result["reliability"]
    within, whole, forecast = (reliability[name] for name in ("within", "whole", "forecast"))
    headline = Headline.from_json(result["headline"])
    scored = sum(unit is not None for unit in scores["unit"])
    context = {
        "charts": {
            "histogram": charts.histogram_chart(result, study),
            "groups": charts.group_charts(result),
            "amount": charts.reliability_by_amount(result, headline),
            "levels": charts.levels_chart(result),
            "positions": charts.positions_chart(result, study),
            "people": people_chart(study, result),
        },
        "ranked": _best_and_worst(study, scores),
        "conclusion": _conclusion(headline, whole, scored, _goal(study, headline)),
        "figures": _figures(report, headline, _interval_line(forecast, whole), scored),
        "within": within,
        "whole": whole,
        "interval": whole["interval"],
        "forecast": forecast,
        "calculation": {"Splits": within["splits"]},
        "ceilings": _ceilings(result),
        "restricted_range": RESTRICTED_RANGE,
        "model": result["annotator_model"],
        "least_reliable": _least_reliable(result),
        "rounds_text": ROUNDS.results,
    }
    return Shown("bws/report.html", context)


def _goal(study: Study, headline: Headline) -> str:
    """Return the report's target in words. This is the usual target unless the study has its own."""
    if headline.target is None:
        return ""
    usual = headline.target == RELIABILITY.usual and study.target_value is None
    return f"the {'usual ' if usual else ''}target of {coefficient(headline.target, places_of(headline.target))}"


def _conclusion(headline: Headline, whole: Mapping[str, Any], scored: int, goal: str) -> str:
    """Return whether the scores are reliable enough to rank items, and why. The interval is for splits by whole tuples.
    If there are too few tuples or annotators for a reliable interval, the conclusion says so instead.
    """
    items = f"{with_noun(scored, 'item')} scored"
    low, high, target = headline.low, headline.high, headline.target
    ends, few = _ends(whole), too_few(whole)
    if low is None or high is None or target is None:
        return f"{items}. Their reliability is unknown: collect more judgements of the same items."
    if high < target:
        verdict = f"not enough to rank yet, because both estimates are below {goal}."
    elif low < target:
        verdict = f"perhaps enough to rank, because only the optimistic estimate reaches {goal}."
    elif few:
        verb = "is" if few == "1 annotator" else "are"
        verdict = f"it reaches {goal}, but {few} {verb} too few for a reliable interval."
    elif ends is None or ends[0] < target:
        start = f"begins at {coefficient(ends[0])}" if ends else "is unknown"
        verdict = f"probably enough to rank, because both estimates reach {goal}. The 95% interval {start}."
    else:
        verdict = f"enough to rank, because even the 95% interval is above {goal}."
    return f"{items}; reliability {interval(low, high)}: {verdict}"


def _ends(whole: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return the 95% interval of the reliability of all judgements, for splits by whole tuples."""
    halves = (whole.get("interval") or {}).get("spearman") or {}
    if halves.get("low") is None:
        return None
    return spearman_brown(halves["low"]), spearman_brown(halves["high"])


def _interval_line(forecast: Mapping[str, Any], whole: Mapping[str, Any]) -> str:
    """Return the 95% interval and, if there are two values, the value to which it belongs. An interval that contains
    nearly all values is omitted.
    """
    ends = _ends(whole)
    if ends is None or is_rough(whole):
        return ""
    careful, optimistic = forecast["whole_of_all"], forecast["within_of_all"]
    if optimistic is None or coefficient(careful) == coefficient(optimistic):
        return f"95% interval: {interval(*ends)}"
    return f"95% interval of the {'lower' if careful < optimistic else 'higher'} value: {interval(*ends)}"


def _figures(report: Report, headline: Headline, line: str, scored: int) -> list[Figure]:
    result, scores = report.result, report.result["scores"]
    items = ("All items", f"results/{report.number}/items/")
    shown = [times for times in scores["appearances"] if times]
    times = "exactly " + with_noun(shown[0], "time") if min(shown) == max(shown) else _range(shown)
    # Standard errors are for scores from −1 to 1. On the scale from 0 to 1, standard errors are half as large.
    errors = [error / 2 for error in scores["standard_error"] if error is not None]
    error = median(errors) if errors else None
    forecast = forecast_sentence(headline, result["judgements"])
    return [
        Figure(
            "Scored items",
            count(scored),
            f"of {count(len(scores['key']))}",
            f"Each shown {times}",
            explanation="scored",
            rows=items,
            sentence=f"We scored {with_noun(scored, 'item')} with best–worst scaling, based on {basis(report)}.",
        ),
        main_figure(headline, report, line, [forecast]),
        Figure(
            "Standard error of a score",
            coefficient(error),
            line="Median, on a scale from 0 to 1",
            notes=[f"Maximum: {coefficient(max(errors))}"] if errors else [],
            explanation="standard_error",
            rows=items,
            sentence=f"The median standard error of a score was {coefficient(error)} on a scale from 0 to 1."
            if errors
            else "",
        ),
        Figure(
            "Counting against MaxDiff",
            coefficient(scores["methods_agree"]),
            line="Correlation of the two scores",
            explanation="methods_agree",
            rows=items,
            sentence="The Spearman correlation between counting-based scores and MaxDiff utilities was "
            f"{coefficient(scores['methods_agree'])}.",
        ),
    ]


def _range(times: Sequence[int]) -> str:
    return f"{count(min(times))} to {with_noun(max(times), 'time')}"


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
        "unknown": any_unknown_error(rows),
    }
