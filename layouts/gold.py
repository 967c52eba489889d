"""Gold questions for layout studies: rows with expected values for each field, or items for authors to answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from accord_core.exchange.cells import IdChecks
from accord_core.exchange.faults import Fault, TableError, in_order
from accord_core.exchange.tables import Limits, Row, find_column, read_table
from accord_core.layouts.formats.fields import CHOICE, CHOICES, FLAG, NUMBER, Field, InvalidField
from accord_core.layouts.formats.layout import Layout
from accord_core.layouts.formats.results import ALL, column_cells, columns_of, read_cells
from annotate.tasktypes import FileColumn, ItemDraft, QuestionDraft, QuestionsRead, draw_held_out
from layouts.rows import ANSWER, HIT, INPUT, example_cell, missing_columns, payload_of

EXPLANATION, REASONS = "explanation", ("comment", "reason", "why")


def gold_columns(layout: Layout) -> Sequence[FileColumn]:
    """Return the columns of a gold file: the batch columns and a column for each expected field. These columns
    can also have the names of the fields.
    """
    other = {*layout.columns, *REASONS}
    return (
        FileColumn("id", example="gold-1"),
        *(
            FileColumn(name, required=True, also=(f"{INPUT}{name}",), example=example_cell(name))
            for name in layout.columns
        ),
        *(
            FileColumn(f"{ANSWER}{name}", aliases=() if name in other else (name,), example=example)
            for name, example in _examples(layout).items()
        ),
        FileColumn(EXPLANATION, aliases=REASONS, example="Why this is right."),
    )


def _examples(layout: Layout) -> dict[str, str]:
    """Return an expected value by answer column, which is empty for text."""
    row = {name: example_cell(name) for name in layout.columns}
    values = {field.name: _example(field) for field in layout.fields_for(row)}
    return dict.fromkeys(columns_of(layout.fields), "") | column_cells(layout.fields, values)


def _example(field: Field) -> Any:
    first = next((choice.value for choice in field.choices), "")
    if field.kind == NUMBER:
        return f"{field.minimum or 0:g}"
    return {CHOICE: first, CHOICES: [first] if first else [], FLAG: True}.get(field.kind, "")


def read_gold(data: bytes, name: str, layout: Layout) -> QuestionsRead:
    """Read a file of gold or practice questions, and report every error with its line number.

    The expected values are in the columns `Answer.…`, as in a results file. Empty cells are not graded.
    """
    try:
        table = read_table(data, name=name, limits=Limits())
    except TableError as error:
        return QuestionsRead([], error.faults)
    inputs = {
        column.removeprefix(INPUT): column
        for column in table.columns
        if not column.startswith(ANSWER) and column.casefold() not in (EXPLANATION, HIT.casefold())
    }
    faults = missing_columns(layout, inputs)
    key_column = find_column(table.columns, "id") or find_column(table.columns, HIT)
    checks = IdChecks(faults, "question")
    questions = []
    for number, row in enumerate(table.rows, start=1):
        faults_before = len(faults)
        key = checks.check(row.values.get(key_column, ""), row.line, key_column) if key_column else f"gold-{number}"
        content = {column: row.values.get(cell, "") for column, cell in inputs.items()}
        expected = _expected(layout, content, row, faults)
        why = row.values.get(find_column(table.columns, EXPLANATION) or "", "")
        if len(faults) == faults_before:
            gold = {"fields": expected}
            numbered = key_column is None
            questions.append(
                QuestionDraft(key, {"content": content}, gold=gold, explanation=why, numbered=numbered, line=row.line)
            )
    return QuestionsRead(questions, in_order(faults))


def _expected(layout: Layout, content: dict[str, str], row: Row, faults: list[Fault]) -> dict[str, Any]:
    cells = {name.removeprefix(ANSWER): cell for name, cell in row.values.items() if name.startswith(ANSWER)}
    try:
        expected = read_cells(layout.fields_for(content), cells)
    except InvalidField as error:
        faults.append(Fault(row.line, f"{ANSWER}{error.field}", str(error)))
        return {}
    # Fields that only scripts create are not among the layout's fields. Their values are texts.
    known = {field.name for field in layout.fields} | set(columns_of(layout.fields)) | {ALL}
    expected |= {name: cell for name, cell in cells.items() if name not in known and cell.strip()}
    if not expected:
        first = next(iter(columns_of(layout.fields)), "…")
        message = f"the row has no expected value. Fill in at least one answer column, such as `{ANSWER}{first}`"
        faults.append(Fault(row.line, None, message))
    return expected


def draw_candidates(
    items: Sequence[ItemDraft], taken: Sequence[Any], count: int, layout: Layout, seed: int
) -> list[QuestionDraft]:
    """Draw items as gold candidates. Raises `CannotBuild` if there are too few items."""
    drawn = draw_held_out(items, taken, count, seed)
    return [
        QuestionDraft(f"candidate-{number}", payload_of(item, layout)) for number, item in enumerate(drawn, start=1)
    ]
