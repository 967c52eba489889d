"""A chunk-alignment report in the console: the official measures, types, confusions, disagreements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.paginator import Paginator

from alignment_ui.chunks.numerics.chunks import TYPES
from annotate.models import Report, Study
from annotate.selectors.reports import headline_of
from annotate.tasktypes import Shown
from annotate.views.console.charts import people_chart

WORST = 10
PAGE = 100
MEASURES = (
    ("f1_ali", "Alignment"),
    ("f1_type", "Type"),
    ("f1_score", "Score"),
    ("f1_typ_sco", "Type and score"),
    ("score_difference", "Mean difference of scores"),
)


def report_page(study: Study, report: Report, page: str, query: Mapping[str, str]) -> Shown | None:
    """The report itself; `disagreements`: all that are kept, worst first."""
    if page == "":
        return Shown("chunks/report.html", _figures(study, report.result))
    if page == "disagreements":
        rows = Paginator(report.result["disagreements"], PAGE).get_page(query.get("page"))
        return Shown("chunks/report_disagreements.html", {"page": rows, "rows": _linked(study, rows)})
    return None


def _figures(study: Study, result: Mapping[str, Any]) -> dict[str, Any]:
    agreement, said = result["agreement"], result["said"]
    parts = [("All", agreement["overall"], agreement["pairs"])]
    if len(agreement["datasets"]) > 1:  # one alone says what stands under All
        parts += [(name or "no dataset", figures, figures["pairs"]) for name, figures in agreement["datasets"].items()]
    return {
        "headline": headline_of(result["headline"]),
        "agreement": agreement,
        "measures": [(label, [figures[name] for _, figures, _ in parts]) for name, label in MEASURES],
        "parts": [(name, pairs) for name, _, pairs in parts],
        "twos": [(two, [two[name] for name, _ in MEASURES]) for two in agreement["annotator_pairs"]],
        "columns": [label for _, label in MEASURES],
        "types": [
            (name, said["types"][name], agreement["by_type"][name], said["scores"].get(name, {}))
            for name in TYPES
            if said["types"][name] or agreement["by_type"][name]["value"] is not None
        ],
        "said": said,
        "confusion": list(zip(agreement["confusion"]["types"], agreement["confusion"]["weights"], strict=True)),
        "people": people_chart(dict(result), float(study.rule_threshold)),
        "worst": _linked(study, result["disagreements"][:WORST]),
    }


def _linked(study: Study, rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Disagreements with the public ids of their questions."""
    listed = list(rows)
    found = study.questions.filter(ref__in=[row["ref"] for row in listed]).values_list("ref", "public_id")
    ids = dict(found)
    return [{**row, "question": ids.get(row["ref"])} for row in listed]
