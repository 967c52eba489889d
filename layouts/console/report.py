"""The page of a layout report, with one table per field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate.numerics.agreement import TITLES
from annotate.numerics.printed import coefficient, count, with_noun
from annotate.toolkit import Figure, Headline, Report, Shown, Study, basis, main_figure, people_chart
from layouts.formats.fields import KINDS
from layouts.report import INTERVAL, alpha_of


def summary(study: Study, report: Report, query: Mapping[str, str]) -> Shown:
    """Show each field's agreement and labels."""
    result, headline = report.result, Headline.from_json(report.result["headline"])
    context = {
        "conclusion": _conclusion(headline, len(result["fields"])),
        "figures": [main_figure(headline, report), _fields(report)],
        "calculation": {"Resamples": result["resamples"]},
        "fields": [_field(row) for row in result["fields"]],
        "people": people_chart(result, float(study.rule_threshold)),
    }
    return Shown("layouts/report.html", context)


def _conclusion(headline: Headline, fields: int) -> str:
    if headline.low is None:
        return f"{with_noun(fields, 'form field')}. Agreement is unknown: collect more answers to the same questions."
    return f"{with_noun(fields, 'form field')}; mean agreement is {coefficient(headline.low)} (Krippendorff’s α)."


def _fields(report: Report) -> Figure:
    fields, kept = len(report.result["fields"]), len(report.result.get("kept", []))
    decided = len(report.result["decided"]) + kept
    return Figure(
        "Form fields",
        count(fields),
        line=f"Decided by a reviewer: {with_noun(decided, 'question')}",
        notes=[f"All answers kept: {count(kept)}"] if kept else [],
        explanation="labels",
        sentence=f"Annotators filled in {with_noun(fields, 'form field')}, based on {basis(report)}.",
    )


def _field(row: Mapping[str, Any]) -> dict[str, Any]:
    agreement = row.get("agreement", {})
    return {
        **row,
        "alpha": alpha_of(row),
        "is_interval": INTERVAL in agreement,
        "kind_name": KINDS[row["kind"]],
        "coefficients": [(TITLES[name], figures) for name, figures in agreement.items()],
    }
