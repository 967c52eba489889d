"""The page of a layout report, with one table per field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.layouts.formats.fields import CHOICE, KINDS
from accord_core.numerics.agreement import TITLES
from accord_core.numerics.printed import coefficient, count, with_noun
from annotate.toolkit import Figure, Headline, Report, Shown, Study, basis, main_figure, people_chart
from layouts.report import INTERVAL, alpha_of, averaged


def summary(study: Study, report: Report, query: Mapping[str, str]) -> Shown:
    """Show each field's agreement and labels."""
    result, headline = report.result, Headline.from_json(report.result["headline"])
    in_mean = averaged(result["fields"])
    context = {
        "conclusion": _conclusion(headline, result["fields"]),
        "figures": [main_figure(headline, report), _questions(report)],
        "calculation": {"Resamples": result["resamples"]},
        "fields": [_field(row) | {"is_averaged": row["name"] in in_mean} for row in result["fields"]],
        "people": people_chart(study, result),
    }
    return Shown("layouts/report.html", context)


def _conclusion(headline: Headline, fields: Sequence[Mapping[str, Any]]) -> str:
    named, number = with_noun(len(fields), "form field"), len(averaged(fields))
    if headline.low is None:
        return f"{named}. Agreement is unknown: collect more answers to the same questions."
    agreement = "Mean agreement" if number > 1 else "Agreement"
    of_them = named if number == len(fields) else f"{count(number)} of {named}"
    return f"{agreement} on {of_them} is {coefficient(headline.low)} (Krippendorff’s α)."


def _questions(report: Report) -> Figure:
    fields, kept = report.result["fields"], len(report.result.get("kept", []))
    questions = max((sum(n > 0 for n in each["n"]) for each in report.result["labels"].values()), default=0)
    return Figure(
        "Answered questions",
        count(questions),
        line=f"Decided by a reviewer: {count(len(report.result['decided']))}",
        notes=[f"All answers kept: {count(kept)}"] if kept else [],
        explanation="labels",
        sentence=f"Annotators filled in a form with {with_noun(len(fields), 'field')} for "
        f"{with_noun(questions, 'question')}, based on {basis(report)}.",
    )


def _field(row: Mapping[str, Any]) -> dict[str, Any]:
    agreement = row.get("agreement", {})
    is_scale = row["kind"] == CHOICE and "mean" in row
    return {
        **row,
        "labels": sorted(row["labels"], key=lambda each: int(each[0])) if is_scale else row["labels"],
        "shows_all": len(row["labels"]) == row["different"],
        "alpha": alpha_of(row),
        "is_interval": INTERVAL in agreement,
        "kind_name": "scale" if is_scale else KINDS[row["kind"]],
        "coefficients": [(TITLES[name], figures) for name, figures in agreement.items()],
    }
