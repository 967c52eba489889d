"""Answers in an old project, read from the answer columns of its results file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.layouts.formats.fields import Field, InvalidField
from accord_core.layouts.formats.layout import Layout
from accord_core.layouts.formats.results import ALL, columns_of, columns_read, flat_cells, read_cells
from annotate.tasktypes import InvalidAnswer
from layouts.answer import clean_answer


def read_archived(layout: Layout, row: Mapping[str, str], cells: Mapping[str, str], *, scripts: bool) -> dict[str, Any]:
    """Return an answer in its stored form. Raises `InvalidAnswer` with the column of the first error as its path.

    Columns that do not belong to a field of the layout are answers of fields that scripts added to the form.
    """
    fields = layout.fields_for(row)
    try:
        values = read_cells(fields, cells)
        known = columns_read(fields)
        further = {name: cell for name, cell in flat_cells(cells).items() if cell.strip() and name not in known}
        if further and not scripts:
            name = next(iter(further))
            message = f"The layout has no field for the answer “{name[:80]}”. Only scripts can add fields to a layout."
            raise InvalidAnswer(name if name in cells else ALL, message)
        return clean_answer(layout, row, {"fields": values | further}, scripts=scripts)
    except InvalidField as error:
        raise InvalidAnswer(_column(fields, error.field, cells), str(error)) from error
    except InvalidAnswer as error:
        path = error.path.removeprefix("fields").removeprefix(".")
        raise InvalidAnswer(error.path if error.path in cells else _column(fields, path, cells), str(error)) from error


def _column(fields: Sequence[Field], name: str, cells: Mapping[str, str]) -> str:
    """Return the column that contains a field's value, or that would contain it if it were not missing."""
    if ALL in cells or not name:
        return ALL if ALL in cells else next(iter(cells), ALL)
    own = [field for field in fields if field.name == name]
    return next((column for column in columns_of(own) if column in cells), name)
