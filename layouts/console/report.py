"""The page of a layout report, with one table per field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate.numerics.agreement import TITLES
from annotate.toolkit import Headline, Report, Shown, Study, people_chart
from layouts.formats.fields import KINDS


def summary(study: Study, report: Report, query: Mapping[str, str]) -> Shown:
    """Show each field's agreement and labels."""
    result = report.result
    context = {
        "headline": Headline.from_json(result["headline"]),
        "fields": [_field(row) for row in result["fields"]],
        "people": people_chart(result, float(study.rule_threshold)),
    }
    return Shown("layouts/report.html", context)


def _field(row: Mapping[str, Any]) -> dict[str, Any]:
    agreement = row.get("agreement", {})
    return {
        **row,
        "kind_name": KINDS[row["kind"]],
        "coefficients": [(TITLES[name], figures) for name, figures in agreement.items()],
    }
