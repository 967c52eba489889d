"""The best–worst report page that relates the scores to item properties."""

from __future__ import annotations

from collections.abc import Mapping

from annotate.toolkit import Report, Shown, Study

from .charts import scatter_chart


def correlations(study: Study, report: Report, query: Mapping[str, str]) -> Shown | None:
    """Show the correlation of the scores with each property, and a scatter plot for each property."""
    related = report.result["goes_with"]
    rows = related["correlations"]
    context = {
        "correlations": rows,
        "scatters": [scatter_chart(row, related["values"][row["name"]], report.result) for row in rows],
    }
    return Shown("bws/report_analysis.html", context)
