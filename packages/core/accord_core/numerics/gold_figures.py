"""The figures for a quality rule as plain data, for the console, the API and the command line."""

from __future__ import annotations

from typing import Any

from .gold_advice import advice
from .gold_report import KindFigures, RuleReport, ShareChoice
from .gold_tests import CurvePoint

PLACES = 5  # decimals of probabilities


def as_json(report: RuleReport) -> dict[str, Any]:
    """Return all figures from a report. `simulated_annotators` is 0 if the probabilities are exact."""
    return {
        "rule": {
            "threshold": report.rule.threshold,
            "minimum": report.rule.minimum,
            "window": report.rule.window,
        },
        "hits": report.plan.hits,
        "questions_per_hit": report.plan.questions,
        "gold_per_hit": report.plan.gold,
        "gold_questions": report.gold_questions,
        "gold_answers": report.answers,
        "simulated_annotators": report.runs,
        "annotators": [_kind(kind) for kind in report.kinds],
        "curve": [_point(point) for point in report.curve],
        "false_stops": report.targets.false_stops,
        "survivors": report.targets.survivors,
        "choices": [_choice(each) for each in report.choices],
        "advice": advice(report),
    }


def _kind(kind: KindFigures) -> dict[str, Any]:
    sprt = kind.sprt
    return {
        "name": kind.name,
        "accuracy": round(kind.accuracy, PLACES),
        "stopped": round(kind.stops.stopped, PLACES),
        "standard_error": round(kind.stops.standard_error, PLACES),
        "gold_answers": round(kind.stops.answers, 2),
        "judgements_discarded": None if kind.judgements_discarded is None else round(kind.judgements_discarded, 1),
        "judgements_left": round(kind.judgements_left, 1),
        "stopped_by": [round(float(chance), PLACES) for chance in kind.stops.by],
        "sprt": sprt
        and {
            "stopped": round(sprt.stopped, PLACES),
            "accepted": round(sprt.accepted, PLACES),
            "undecided": round(sprt.undecided, PLACES),
            "gold_answers": round(sprt.answers, 2),
        },
    }


def _point(point: CurvePoint) -> dict[str, float]:
    return {
        "care": point.care,
        "accuracy": round(point.accuracy, PLACES),
        "stopped": round(point.stops.stopped, PLACES),
        "standard_error": round(point.stops.standard_error, PLACES),
    }


def _choice(each: ShareChoice) -> dict[str, Any]:
    choice = each.choice
    return {
        "gold_per_hit": each.gold,
        "gold_answers": choice.answers,
        "minimum": choice.minimum,
        "false_stops": round(choice.false_stops, PLACES),
        "survivor": choice.survivor,
        "survivors": round(choice.survivors, PLACES),
        "meets_targets": each.meets,
    }
