"""The downloads for a layout study: the files of a Mechanical Turk project and the labels in a report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from accord_core.exchange.csvtext import write_csv
from accord_core.exchange.mturk_results import Result, write_results
from accord_core.layouts.formats.results import answer_cells
from annotate.tasktypes import ANSWER_FILES, OTHER_FORMATS, AnswerRow, Export, StudyData
from layouts import row_fields
from layouts.lewidi import LEWIDI
from layouts.options import layout_of
from layouts.rows import choice_row, row_of
from layouts.soft_labels import SOFT_LABELS

CSV = "text/csv; charset=utf-8"
LABEL_COLUMNS = (("label", ""), ("votes", " votes"), ("n", " judgements"), ("mean", " mean"))
Stored = Mapping[str, Any] | None


def results(data: StudyData, result: Stored) -> Iterable[bytes]:
    """Yield the project's results file, with one row for each judgement that counts."""
    contents = {item.key: item.content for item in data.items}
    rows = [_result(data, row, contents) for row in data.answers if row.counts]
    return (chunk.encode() for chunk in write_results(rows))


def _result(data: StudyData, row: AnswerRow, contents: Mapping[str, Any]) -> Result:
    layout = layout_of(data.facts["options"])
    fields = layout.fields_for(choice_row(row.payload))
    return Result(
        hit_id=row.ref,
        hit_type_id=data.facts["public_id"],
        title=data.facts["title"],
        assignment_id=f"{row.ref}-{row.pseudonym}",
        worker_id=row.pseudonym,
        submit_time=row.given_at,
        work_time_in_seconds=None if row.seconds is None else round(row.seconds),
        input=row_of(row.payload, contents),
        answers=answer_cells(layout, fields, row.value["fields"]),
    )


def labels(data: StudyData, result: Stored) -> Iterable[bytes]:
    """Yield one row per question in the order of the items, with its item, the batch cells, each field's label, votes
    and judgements, the mean of each number and scale, and whether a reviewer decided the question.
    """
    if not result or "labels" not in result:
        raise LookupError("There are no labels yet. Calculate the results first.")
    named = result["labels"]
    contents = {item.key: item.content for item in data.items}
    inputs = list(dict.fromkeys(name for content in contents.values() for name in content))
    # Only numbers and scales have means, which were added after the first reports.
    parts = [(name, part, title) for name in named for part, title in LABEL_COLUMNS if part in named[name]]
    kept = dict.fromkeys(result.get("kept", []), "kept")  # added after the first reports
    reviewed = kept | dict.fromkeys(result["decided"], "yes")

    def rows() -> Iterator[list[str]]:
        order = {key: place for place, key in enumerate(contents)}
        by_item = sorted(enumerate(data.questions), key=lambda each: order.get(each[1].payload.get("item"), len(order)))
        for place, question in by_item:
            row = row_of(question.payload, contents)
            figures = [_cell(named[name][part][place]) for name, part, _ in parts]
            cells = (row.get(name, "") for name in inputs)
            yield [question.ref, question.payload.get("item", ""), *cells, *figures, reviewed.get(place, "")]

    columns = [f"{name}{title}" for name, _, title in parts]
    header = ["question", "item", *(f"Input.{name}" for name in inputs), *columns, "decided_by_reviewer"]
    return (chunk.encode() for chunk in write_csv(rows(), header))


def _cell(figure: str | float | None) -> str:
    return "" if figure is None else f"{figure:.4g}" if isinstance(figure, float) else str(figure)


def batch(data: StudyData, result: Stored) -> Iterable[bytes]:
    """Yield the project's input file, with one row for each question. Cells are written unchanged, because a host shows
    them to annotators.
    """
    contents = {item.key: item.content for item in data.items}
    inputs = list(dict.fromkeys(name for content in contents.values() for name in content))
    rows = ([row.get(name, "") for name in inputs] for row in (row_of(q.payload, contents) for q in data.questions))
    return (chunk.encode() for chunk in write_csv(rows, inputs, formulas=False))


def layout_file(data: StudyData, result: Stored) -> Iterable[bytes]:
    return [data.facts["options"]["layout"].encode()]


EXPORTS = (
    Export(
        "labels.csv",
        CSV,
        "the label of each field for each question",
        labels,
        needs_report=True,
        note="In the column decided_by_reviewer, yes marks a reviewer’s answer. The value kept means that a reviewer "
        "accepted all answers, and the labels come from the annotators.",
        rows=row_fields.LABELS,
    ),
    Export(
        "mturk-results.csv",
        CSV,
        "one row per judgement that counts, in the format of a batch’s results",
        results,
        group=OTHER_FORMATS,
        rows=row_fields.RESULTS,
    ),
    SOFT_LABELS,
    LEWIDI,
    Export(
        "batch.csv",
        CSV,
        "the input file of the project, with one row per question",
        batch,
        group=ANSWER_FILES,
        rows=row_fields.BATCH,
    ),
    Export("layout.html", "text/html; charset=utf-8", "the layout of the project", layout_file, group=ANSWER_FILES),
)
