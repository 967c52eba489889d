"""Lines of Python and R that read a table of a release, for the page of the dataset.

R and pandas guess the type of each column, and R reads the text NA as a missing value. The lines have further arguments
only if these rules would change the table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from releases.contents.tables import Column, Table

# What R converts to a number or a logical value if all cells of a column have this form.
_R_NUMBER = re.compile(
    r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?L?|0[xX][0-9a-fA-F]+|NaN|[+-]?[Ii]nf(?:inity)?", re.ASCII
)
_R_LOGICAL = frozenset(["T", "F", "TRUE", "FALSE", "true", "false", "True", "False"])
_R_NAME = re.compile(r"(?:[A-Za-z]|\.(?!\d))[A-Za-z0-9._]*", re.ASCII)


def in_datasets(table: Table, split: str) -> list[str]:
    return [
        "from datasets import load_dataset",
        f'{_variable(table)} = load_dataset(".", "{table.name}", split="{split}")',
        f"print({_variable(table)}[0])",
    ]


def in_pandas(table: Table, rows: Sequence[Sequence[str]]) -> list[str]:
    """Return lines that read a table whose cells are `rows`, with the same types as the data card."""
    form = ', sep="\\t", quoting=3' if table.separator == "\t" else ""
    texts = ", ".join(f"{json.dumps(column.name)}: str" for column in _converted(table, rows))
    types = f", dtype={{{texts}}}" if texts else ""
    return [
        "import pandas as pd",
        f'{_variable(table)} = pd.read_csv("{table.path}"{form}, keep_default_na=False, na_values=[""]{types})',
        f"print({_variable(table)}.head())",
    ]


def in_r(table: Table, rows: Sequence[Sequence[str]]) -> list[str]:
    """Return lines that read a table whose cells are `rows`, with the same types as the data card."""
    call = f'read.delim("{table.path}", quote = ""' if table.separator == "\t" else f'read.csv("{table.path}"'
    if texts := _converted(table, rows):
        names = ", ".join(f'{_r_name(column.name)} = "character"' for column in texts)
        call += f", colClasses = c({names})"
        if any(not _R_NAME.fullmatch(column.name) for column in texts):
            call += ", check.names = FALSE"
    if any(cell == "NA" for row in rows for cell in row):
        call += ', na.strings = ""'
    return [f"{_variable(table)} <- {call})", f"str({_variable(table)})", f"summary({_variable(table)})"]


def _converted(table: Table, rows: Sequence[Sequence[str]]) -> list[Column]:
    """Return the columns of text that R or pandas would read as numbers or logical values."""
    return [
        column
        for place, column in enumerate(table.columns)
        if column.kind == "text" and _looks_converted([row[place].strip() for row in rows])
    ]


def _looks_converted(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell not in ("", "NA")]
    forms = (_R_LOGICAL.__contains__, _R_NUMBER.fullmatch)
    return bool(filled) and any(all(map(form, filled)) for form in forms)


def _r_name(name: str) -> str:
    return name if _R_NAME.fullmatch(name) else f"`{name}`"


def _variable(table: Table) -> str:
    """Return a variable name for the table that is valid in both languages, such as scores_full."""
    return re.sub(r"\W", "_", table.name, flags=re.ASCII)
