"""The page of a report."""

from __future__ import annotations

from collections.abc import Mapping

from annotate.toolkit import Headline, Report, Shown, Study, main_figure, page_of, people_chart

ROWS = 25


def summary(study: Study, report: Report, query: Mapping[str, str]) -> Shown:
    """Show the agreement, and the items of one scale with the highest mean first."""
    scales = report.result["scales"]
    chosen = next((scale for scale in scales if scale["name"] == query.get("scale")), scales[0])
    context = {
        "figures": [main_figure(Headline.from_json(report.result["headline"]), report)],
        "scales": scales,
        "chosen": chosen,
        "is_order": report.result["mode"] == "ranking",
        "page": page_of(chosen["items"], query, ROWS),
        "people": people_chart(study, report.result),
    }
    return Shown("rating/report.html", context)
