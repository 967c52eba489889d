"""The page of a layout report, with one table per field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.layouts.formats.fields import CHOICE, KINDS, TEXT
from accord_core.numerics.agreement import TITLES
from accord_core.numerics.printed import coefficient, count, with_noun
from annotate.toolkit import Figure, Headline, Report, Shown, Study, basis, main_figure, people_chart
from layouts.report import INTERVAL, alpha_of


def summary(study: Study, report: Report, query: Mapping[str, str]) -> Shown:
    """Show each field's agreement and labels."""
    result, headline = report.result, Headline.from_json(report.result["headline"])
    averaged = _averaged(result["fields"])
    context = {
        "conclusion": _conclusion(headline, result["fields"]),
        "figures": [main_figure(headline, report), _questions(report)],
        "calculation": {"Resamples": result["resamples"]},
        "fields": [_field(row) | {"is_averaged": row["name"] in averaged} for row in result["fields"]],
        "people": people_chart(study, result),
    }
    return Shown("layouts/report.html", context)


def _averaged(fields: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the fields whose mean is the main figure."""
    closed = [row for row in fields if row["kind"] != TEXT]
    return [row["name"] for row in closed or fields if alpha_of(row) is not None]


def _conclusion(headline: Headline, fields: Sequence[Mapping[str, Any]]) -> str:
    named, averaged = with_noun(len(fields), "form field"), len(_averaged(fields))
    if headline.low is None:
        return f"{named}. Agreement is unknown: collect more answers to the same questions."
    agreement = "Mean agreement" if averaged > 1 else "Agreement"
    of_them = named if averaged == len(fields) else f"{count(averaged)} of {named}"
    return f"{agreement} on {of_them} is {coefficient(headline.low)} (Krippendorff’s α)."


def _questions(report: Report) -> Figure:
    fields, kept = report.result["fields"], len(report.result.get("kept", []))
    questions = max((sum(n > 0 for n in each["n"]) for each in report.result["labels"].values()), default=0)
    decided = len(report.result["decided"]) + kept
    return Figure(
        "Answered questions",
        count(questions),
        line=f"Decided by a reviewer: {count(decided)}",
        notes=[f"All answers kept: {count(kept)}"] if kept else [],
        explanation="labels",
        sentence=f"Annotators filled in {with_noun(len(fields), 'form field')} for {with_noun(questions, 'question')}, "
        f"based on {basis(report)}.",
    )


def _field(row: Mapping[str, Any]) -> dict[str, Any]:
    agreement = row.get("agreement", {})
    return {
        **row,
        "alpha": alpha_of(row),
        "is_interval": INTERVAL in agreement,
        "kind_name": "scale" if row["kind"] == CHOICE and "mean" in row else KINDS[row["kind"]],
        "coefficients": [(TITLES[name], figures) for name, figures in agreement.items()],
    }
