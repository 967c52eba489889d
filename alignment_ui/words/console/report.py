"""A word-alignment report in the console: the paper's tables, anchoring, disagreements, phrase pairs of any pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator

from alignment_ui.words.console.phrase_table import phrase_table
from annotate.models import Report, Study
from annotate.selectors.reports import headline_of
from annotate.tasktypes import Shown
from annotate.views.console.charts import people_chart

WORST = 10
PAGE = 100
ROWS = (("precision", "Precision"), ("recall", "Recall"), ("f1", "F1"), ("c", "C"))


@dataclass(frozen=True)
class Table:
    """A table of the paper: measures down, subcorpora across, each with a column for all links and one for sure."""

    groups: list[tuple[str, int]]
    rows: list[tuple[str, list[Mapping[str, Any]]]]
    crossed: list[Mapping[str, Any]]
    without_start: int


def report_page(study: Study, report: Report, page: str, query: Mapping[str, str]) -> Shown | None:
    """The report itself; `disagreements`: all of them, worst first; `phrases`: those of the pair that `ref` names."""
    if page == "":
        return Shown("words/report.html", _figures(study, report.result))
    if page == "disagreements":
        rows = Paginator(report.result["disagreements"], PAGE).get_page(query.get("page"))
        return Shown("words/report_disagreements.html", {"page": rows, "rows": _linked(study, rows)})
    if page == "phrases":
        return Shown("words/report_phrases.html", phrase_table(report, query))
    return None


def _figures(study: Study, result: Mapping[str, Any]) -> dict[str, Any]:
    against = result["against_start"]
    return {
        "headline": headline_of(result["headline"]),
        "over_all": {name: result[name][-1] if result[name] else None for name in ("words", "phrases")},
        "words": _table(result["words"]),
        "phrases": _table(result["phrases"]),
        "against": {name: _table(against[name], without=["c"]) for name in ("phrases", "words") if against[name]},
        "people": people_chart(dict(result), float(study.rule_threshold)),
        "worst": _linked(study, result["disagreements"][:WORST]),
        "aligned": [row | {"name": _name(row["subcorpus"])} for row in result["aligned"]],
        "anchored": _anchored(result["anchoring"]),
        "difference": _points(result["anchoring"]["difference"]) if result["anchoring"] else None,
    }


def _table(rows: Sequence[Mapping[str, Any]], without: Sequence[str] = ()) -> Table | None:
    if not rows:
        return None
    return Table(
        groups=[(_name(row["subcorpus"]), row["pairs"]) for row in rows],
        rows=[
            (label, [row[kind][measure] for row in rows for kind in ("possible", "sure")])
            for measure, label in ROWS
            if measure not in without
        ],
        crossed=[row["och_ney"]["f1"] for row in rows if "och_ney" in row],
        without_start=rows[-1]["without_prealignment"],
    )


def _anchored(anchoring: Mapping[str, Any] | None) -> list[tuple[str, Mapping[str, Any]]]:
    if anchoring is None:
        return []
    return [("Links shown", anchoring["shown"]), ("Empty", anchoring["empty"])]


def _points(difference: Mapping[str, float | None]) -> dict[str, str]:
    """A difference of two shares and its interval, in percentage points with their sign."""
    return {
        name: "–" if value is None else f"{100 * value:+.1f}".replace("-", "−") for name, value in difference.items()
    }


def _linked(study: Study, rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Disagreements with the address of their question and its sentences."""
    found = list(rows)
    questions = {
        question.ref: question
        for question in study.questions.filter(ref__in={row["ref"] for row in found}, kind="regular")
    }
    return [
        {
            **row,
            "subcorpus": _name(row["subcorpus"]),
            "question": questions.get(row["ref"]),
            "sentences": [" ".join(questions[row["ref"]].payload[side]) for side in ("source", "target")]
            if row["ref"] in questions
            else [],
        }
        for row in found
    ]


def _name(subcorpus: str | None) -> str:
    """A subcorpus as it is said: None is all of them, and pairs may be in none."""
    return "All" if subcorpus is None else subcorpus or "Pairs"
