"""The answer columns in a results file, which has one column per field, one per radio button, or a single column for
all answers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.layouts.formats.fields import CHOICE, CHOICES, FLAG, NUMBER, Choice, Field, InvalidField
from accord_core.layouts.formats.layout import Layout

Json = Any
ALL = "taskAnswers"
TRUE = frozenset({"true", "yes", "1", "on"})


def answer_cells(layout: Layout, fields: Sequence[Field], values: Mapping[str, Json]) -> dict[str, str]:
    """Return an answer's cells by column, without the prefix `Answer.`, in the form that Mechanical Turk wrote."""
    if not layout.flattened:
        known = {field.name: field for field in fields}
        nested: dict[str, Json] = {}
        for name, value in values.items():
            _nest(nested, known.get(name), name, value)
        return {ALL: json.dumps([nested], ensure_ascii=False)}
    return column_cells(fields, values)


def column_cells(fields: Sequence[Field], values: Mapping[str, Json]) -> dict[str, str]:
    """Return an answer's cells with a column for each field, or for each radio button with its own column."""
    known = {field.name: field for field in fields}
    cells: dict[str, str] = {}
    for name, value in values.items():
        cells |= _cells(known.get(name), name, value)
    return cells


def read_cells(fields: Sequence[Field], cells: Mapping[str, str]) -> dict[str, Json]:
    """Return the values in a results file's columns, by field. Fields without a value are omitted. Raises
    `InvalidField`.
    """
    cells = flat_cells(cells)
    values = {}
    for field in fields:
        cell = _cell_of(field, cells)
        if cell.strip():
            values[field.name] = field.clean(_typed(field, cell))
    return values


def flat_cells(cells: Mapping[str, str]) -> dict[str, str]:
    """Return one cell per answer. The column `taskAnswers` is replaced by the answers that it contains. Raises
    `InvalidField`.
    """
    return {name: cell for name, cell in cells.items() if name != ALL} | _flat(cells.get(ALL, ""))


def columns_read(fields: Sequence[Field]) -> set[str]:
    """Return all columns that can contain the fields' values, without the prefix `Answer.`."""
    named = {name for field in fields for name in (field.name, f"{field.name}.{field.suffix}", _ticked_column(field))}
    return named | {_choice_column(field, choice) for field in fields for choice in field.choices}


def columns_of(fields: Sequence[Field]) -> list[str]:
    """Return the fields' answer columns, without the prefix `Answer.`."""
    return [column for field in fields for column in _cells(field, field.name, None)]


# ── write ─────────────────────────────────────────────────────────────────────────────────────────────────────────
def _cells(field: Field | None, name: str, value: Json) -> dict[str, str]:
    if field and field.kind == CHOICE and any(choice.column for choice in field.choices):
        return {choice.column: str(choice.value == value).lower() for choice in field.choices}
    column = f"{name}.{field.suffix}" if field and field.suffix else name
    if field and field.kind == FLAG:
        ticked = str(bool(value)).lower() if field.suffix else field.value if value else ""
        return {column: ticked}
    if isinstance(value, list):
        return {column: "|".join(value)}
    return {column: "" if value is None else str(value)}


def _nest(nested: dict[str, Json], field: Field | None, name: str, value: Json) -> None:
    """Add a field's value to the nested object that crowd elements submit."""
    if field and field.kind == CHOICE and any(choice.column for choice in field.choices):
        for choice in field.choices:
            own, _, key = choice.column.rpartition(".")
            nested.setdefault(own, {})[key] = choice.value == value
    elif field and field.suffix:
        nested[name] = {field.suffix: value}
    else:
        nested[name] = value


# ── read ──────────────────────────────────────────────────────────────────────────────────────────────────────────
def _cell_of(field: Field, cells: Mapping[str, str]) -> str:
    ticked = [choice.value for choice in field.choices if _is_true(cells.get(_choice_column(field, choice), ""))]
    if ticked:
        return "|".join(ticked if field.kind == CHOICES else ticked[:1])
    if field.kind == FLAG and _is_true(cells.get(_ticked_column(field), "")):
        return "true"
    return cells.get(f"{field.name}.{field.suffix}" if field.suffix else field.name) or cells.get(field.name, "")


def _choice_column(field: Field, choice: Choice) -> str:
    """Return the column for a choice. A `<crowd-form>` has one column for each HTML radio button and checkbox."""
    return choice.column or f"{field.name}.{choice.value}"


def _ticked_column(field: Field) -> str:
    """Return the column that a `<crowd-form>` produces for a single checkbox."""
    return f"{field.name}.{field.suffix or field.value or 'on'}"


def _is_true(cell: str) -> bool:
    return cell.strip().lower() in TRUE


def _typed(field: Field, cell: str) -> Json:
    if field.kind == FLAG:
        return _is_true(cell) or (bool(field.value) and cell.strip() == field.value)
    if field.kind == CHOICES:
        return [part.strip() for part in cell.split("|") if part.strip()]
    return cell.strip() if field.kind in (CHOICE, NUMBER) else cell


def _flat(text: str) -> dict[str, str]:
    """Return the values in the column `taskAnswers` by column name, such as `topic.label`."""
    try:
        (nested,) = json.loads(text) if text.strip() else [{}]
        pairs = list(nested.items())
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise InvalidField(ALL, f"The column {ALL} does not contain the answers of one assignment as JSON.") from error
    flat: dict[str, str] = {}
    for name, value in pairs:
        parts = value.items() if isinstance(value, dict) else [("", value)]
        flat |= {f"{name}.{key}" if key else name: _as_cell(part) for key, part in parts}
    return flat


def _as_cell(value: Json) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "|".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)
