"""The page of a dataset, which is a file of the release: what the data is, its results, charts, sample rows, and how to
load, verify and repeat it.

The page is one HTML file without scripts. It loads nothing, neither from the release nor from another host.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from django.template.loader import render_to_string

from annotate.tasktypes import Headline, StudyData, TaskType
from releases.contents.card import SPLIT
from releases.contents.charts import MOST_BARS, Chart, bar_chart, chart_of
from releases.contents.reading import in_datasets, in_pandas, in_r
from releases.contents.tables import Table, cells

if TYPE_CHECKING:
    from releases.contents.folder import About

PAGE, NOTE = "index.html", "page of the dataset, for a browser"
MOST_CHARTS, CHARTS_PER_TABLE = 3, 2
SAMPLE_TABLES, SAMPLE_ROWS, LONGEST_CELL = 2, 5, 160
MOST_COLUMNS = 16  # wider tables are in the list of files only


class Sample(NamedTuple):
    """The first rows of a table, with long cells cut. `rows` is the number of all rows."""

    name: str
    path: str
    note: str
    header: list[str]
    first: list[list[str]]
    rows: int


def dataset_page(
    task: TaskType,
    data: StudyData,
    result: Mapping[str, Any],
    tables: Sequence[Table],
    files: Mapping[str, bytes],
    *,
    about: About,
    description: str,
    languages: Sequence[str],
    simulated: bool,
    notes: Mapping[str, str],
) -> bytes:
    """Return the page. `files` contains the tables, and `notes` describes each file that the page lists."""
    readable = [table for table in tables if len(table.columns) <= MOST_COLUMNS]
    contents = [list(cells(files[table.path], table.separator)) for table in readable]
    stored = result.get("headline")
    context = {
        "title": data.facts["title"],
        "task": task,
        "about": about,
        "citation": about.cited(data.facts["title"]),
        "description": description,
        "languages": languages,
        "simulated": simulated,
        "headline": Headline.from_json(stored) if stored else None,
        "charts": [*_charts(readable, contents), *_per_annotator(data)],
        "samples": [
            _sample(table, rows, notes) for table, rows in islice(zip(readable, contents, strict=True), SAMPLE_TABLES)
        ],
        "loading": _loading(readable, contents),
        "notes": notes,
    }
    return render_to_string("releases/dataset.html", context).encode()


def _charts(tables: Sequence[Table], contents: Sequence[Sequence[Sequence[str]]]) -> list[Chart]:
    charts: list[Chart] = []
    titles: set[str] = set()
    for table, (_, *rows) in zip(tables, contents, strict=True):
        of_table = 0
        for place, column in enumerate(table.columns):
            if column.name in titles or of_table == CHARTS_PER_TABLE or len(charts) == MOST_CHARTS:
                continue
            if chart := chart_of(f"{column.name} in {table.name}", column.kind, [row[place] for row in rows]):
                charts.append(chart)
                titles.add(column.name)
                of_table += 1
    return charts


def _per_annotator(data: StudyData) -> list[Chart]:
    """Return the number of judgements of each annotator, or the distribution of these numbers for many annotators."""
    counts = sorted(Counter(row.pseudonym for row in data.answers if row.counts).values(), reverse=True)
    title = "Judgements per annotator"
    if 0 < len(counts) <= MOST_BARS:
        return [bar_chart(title, [(f"annotator {place}", count) for place, count in enumerate(counts, start=1)])]
    chart = chart_of("Annotators by judgements", "integer", [str(count) for count in counts])
    return [chart] if chart else []


def _sample(table: Table, contents: Sequence[Sequence[str]], notes: Mapping[str, str]) -> Sample:
    header, *rows = contents
    first = [[_short(cell) for cell in row] for row in rows[:SAMPLE_ROWS]]
    return Sample(table.name, table.path, notes.get(table.path, ""), list(header), first, len(rows))


def _short(cell: str) -> str:
    return cell if len(cell) <= LONGEST_CELL else f"{cell[: LONGEST_CELL - 1]}…"


def _loading(tables: Sequence[Table], contents: Sequence[Sequence[Sequence[str]]]) -> list[tuple[str, str]]:
    """Return the lines that load the first table in each language, by the name of the library."""
    if not tables:
        return []
    table, (_, *rows) = tables[0], contents[0]
    lines = {
        "datasets (Python)": in_datasets(table, SPLIT),
        "pandas (Python)": in_pandas(table, rows),
        "R": in_r(table, rows),
    }
    return [(name, "\n".join(each)) for name, each in lines.items()]
