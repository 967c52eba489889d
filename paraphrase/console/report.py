"""The summary page of a paraphrase report, which shows labels, agreement, methods and domains."""

from __future__ import annotations

from collections.abc import Mapping

from annotate.numerics.agreement import TITLES
from annotate.toolkit import Headline, Report, Shown, Study
from paraphrase.console.candidates import METHODS
from paraphrase.console.charts import accuracy_chart, votes_chart
from paraphrase.console.domains import contrasts_of
from paraphrase.rounds import ROUNDS

FIRST_CONTRASTS = 6


def summary(study: Study, report: Report, query: Mapping[str, str]) -> Shown:
    """Show the figures and charts of a report, and the first pairs that have opposite labels in two domains."""
    result = report.result
    names = result["domains"]
    context = {
        "headline": Headline.from_json(result["headline"]),
        "counts": result["counts"],
        "accuracy": result["worker_accuracy"],
        "coefficients": [(TITLES[name], figures) for name, figures in result["agreement"].items()],
        "methods": [row | {"name": METHODS[row["method"]]} for row in result["methods"]["rows"]],
        "warnings": [(METHODS[name], text) for name, text in result["methods"]["warnings"]],
        "between": [row | {"one": names[row["one"]], "other": names[row["other"]]} for row in result["between"]],
        "contrasts": contrasts_of(study, result, result["contrasts"][:FIRST_CONTRASTS]),
        "all_contrasts": len(result["contrasts"]),
        "rounds_text": ROUNDS.results,
        "charts": {"votes": votes_chart(result), "people": accuracy_chart(study, result)},
    }
    return Shown("paraphrase/report.html", context)
