"""The default report page, which shows all figures and tables, for task types without their own report page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.models import Report, Study
from annotate.tasktypes import Headline, Shown
from annotate.web.pages.charts import forecast_sentence, people_chart

ROWS = 50  # shown per table on the page; report.json contains all rows
FRAMED = {"headline", "people", "judgements", "annotators"}  # shown in their own parts of the page

Figure = tuple[str, str]


@dataclass(frozen=True)
class PlainTable:
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    all: int


def plain_report(study: Study, report: Report) -> Shown:
    result = report.result
    headline = Headline.from_json(result["headline"]) if result.get("headline") else None
    figures, tables = figures_and_tables({name: part for name, part in result.items() if name not in FRAMED})
    return Shown(
        "console/report_plain.html",
        {
            "headline": headline,
            "forecast": forecast_sentence(headline, result["judgements"]) if headline else None,
            "figures": figures,
            "tables": tables,
            "people": people_chart(result, float(study.rule_threshold)),
        },
    )


def figures_and_tables(result: Mapping[str, Any], above: str = "") -> tuple[list[Figure], list[PlainTable]]:
    """Return the name and value of every figure, including nested figures, and a table for every list.

    The names include the names of the parts that contain a figure.
    """
    figures: list[Figure] = []
    tables: list[PlainTable] = []
    for name, part in result.items():
        title = f"{above}, {_words(name)}" if above else _words(name).capitalize()
        if isinstance(part, Mapping):
            deeper = figures_and_tables(part, title)
            figures += deeper[0]
            tables += deeper[1]
        elif isinstance(part, list):
            tables.append(_table(title, part))
        else:
            figures.append((title, _printed(part)))
    return figures, tables


def _table(title: str, entries: list[Any]) -> PlainTable:
    shown = entries[:ROWS]
    if all(isinstance(entry, Mapping) for entry in entries):
        names = list(dict.fromkeys(name for entry in entries for name in entry))
        rows = [[_printed(entry.get(name)) for name in names] for entry in shown]
        return PlainTable(title, [_words(name) for name in names], rows, len(entries))
    return PlainTable(title, ["value"], [[_printed(entry)] for entry in shown], len(entries))


def _words(name: Any) -> str:
    return str(name).replace("_", " ")


def _printed(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
