"""The summary page of a word-alignment report: agreement tables, anchoring, annotators and disagreements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from alignment_ui.words.adaptive import ROUNDS
from alignment_ui.words.console.disagreements import disagreement_rows, subcorpus_name
from alignment_ui.words.numerics.gold_scores import MEASURES
from annotate.toolkit import Headline, Report, Shown, Study, people_chart

WORST = 10
METHOD_NAMES = {
    "single": "Single annotators (mean)",
    "majority": "Majority",
    "medoid": "Medoid",
    "model": "Model of the annotators",
}
ROWS = (("precision", "Precision"), ("recall", "Recall"), ("f1", "F1"), ("c", "C"))


@dataclass(frozen=True)
class Table:
    """An agreement table with one row per measure, and two columns per subcorpus: one for all links and one for sure
    links.
    """

    groups: list[tuple[str, int]]
    rows: list[tuple[str, list[Mapping[str, Any]]]]
    crossed: list[Mapping[str, Any]]
    without_start: int


def summary(study: Study, report: Report, query: Mapping[str, str]) -> Shown:
    """Show the agreement on words and phrases, the anchoring effect, the annotators, and the largest disagreements."""
    result = report.result
    against = result["against_start"]
    context = {
        "headline": Headline.from_json(result["headline"]),
        "over_all": {name: result[name][-1] if result[name] else None for name in ("words", "phrases")},
        "words": _table(result["words"]),
        "phrases": _table(result["phrases"]),
        "against": {name: _table(against[name], without=["c"]) for name in ("phrases", "words") if against[name]},
        "modelled": [person for person in result["people"] if person.get("model_precision") is not None],
        "methods": _methods(result.get("gold_methods")),
        "rounds_text": ROUNDS.results,
        "people": people_chart(result, float(study.rule_threshold)),
        "worst": disagreement_rows(study, result["disagreements"][:WORST]),
        "aligned": [row | {"name": subcorpus_name(row["subcorpus"])} for row in result["aligned"]],
        "anchored": _anchored(result["anchoring"]),
        "difference": _points(result["anchoring"]["difference"]) if result["anchoring"] else None,
    }
    return Shown("words/report.html", context)


def _table(rows: Sequence[Mapping[str, Any]], without: Sequence[str] = ()) -> Table | None:
    if not rows:
        return None
    return Table(
        groups=[(subcorpus_name(row["subcorpus"]), row["pairs"]) for row in rows],
        rows=[
            (label, [row[kind][measure] for row in rows for kind in ("possible", "sure")])
            for measure, label in ROWS
            if measure not in without
        ],
        crossed=[row["och_ney"]["f1"] for row in rows if "och_ney" in row],
        without_start=rows[-1]["without_prealignment"],
    )


def _methods(scores: Mapping[str, Any] | None) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """Return one row per method, with its precision, recall, F1 and alignment error rate."""
    by_method = scores["methods"] if scores else {}
    # PostgreSQL does not preserve the order of the methods.
    return [
        (name, [by_method[method][measure] for measure in MEASURES])
        for method, name in METHOD_NAMES.items()
        if method in by_method
    ]


def _anchored(anchoring: Mapping[str, Any] | None) -> list[tuple[str, Mapping[str, Any]]]:
    if anchoring is None:
        return []
    return [("Links shown", anchoring["shown"]), ("Empty", anchoring["empty"])]


def _points(difference: Mapping[str, float | None]) -> dict[str, str]:
    """Format the difference between two shares, with its confidence interval, as signed percentage points."""
    return {
        name: "–" if value is None else f"{100 * value:+.1f}".replace("-", "−") for name, value in difference.items()
    }
