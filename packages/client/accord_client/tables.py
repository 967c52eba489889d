"""The rows of downloaded files, as dictionaries or as a DataFrame of pandas."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .errors import AccordError
from .generated import operations
from .operation import Operation
from .session import Flow, Session

if TYPE_CHECKING:
    import pandas as pd

Schema = Mapping[str, Any]


def download(session: Session, study: str, filename: str) -> Flow[bytes]:
    """Return one of the study's files, such as `scores.csv` or `answers.jsonl`. `exports` lists the files."""
    return (yield from session.send(operations.studies_exports_retrieve(study, filename)))


def rows(session: Session, study: str, filename: str) -> Flow[list[dict[str, Any]]]:
    """Return the rows of a table, or the objects in a JSON or JSON Lines file, as dictionaries.

    The file's JSON Schema determines which cells of a table are numbers. Empty cells are None.
    """
    content = yield from download(session, study, filename)
    schema = yield from file_schema(session, study, filename)
    return parsed(content, filename, schema)


def frame(session: Session, study: str, filename: str) -> Flow[pd.DataFrame]:
    """Return the same rows as a DataFrame. It needs the extra `pandas`."""
    import pandas as pd

    content = yield from download(session, study, filename)
    schema = yield from file_schema(session, study, filename)
    columns = header(content, filename) if schema["unit"] == "row" else None
    return pd.DataFrame(parsed(content, filename, schema), columns=columns)


def file_schema(session: Session, study: str, filename: str) -> Flow[Schema]:
    """Return the JSON Schema of one of the study's files."""
    exports = yield from session.send(operations.studies_exports_list(study))
    path = next(export["schema"] for export in exports if export["filename"] == filename)
    return (yield from session.send(Operation[Schema]("GET", path, repeatable=True)))


def header(content: bytes, filename: str) -> list[str]:
    """Return the column names of a table."""
    return _cells(content.decode(), filename)[0]


def parsed(content: bytes, filename: str, schema: Schema) -> list[dict[str, Any]]:
    """Return the rows of a table or the objects in a file. Raises `AccordError` for other files."""
    text = content.decode()
    if schema["unit"] == "row":
        names, *lines = _cells(text, filename)
        kinds = [_kind(name, schema) for name in names]
        return [
            {name: _value(cell, kind) for name, kind, cell in zip(names, kinds, line, strict=True)} for line in lines
        ]
    if schema["unit"] == "object":
        if filename.endswith(".jsonl"):
            return [json.loads(line) for line in text.splitlines()]
        objects = json.loads(text)
        return list(objects.values()) if isinstance(objects, dict) else list(objects)
    raise AccordError(f"{filename} has no rows. Download it instead.", place=filename, code="no-rows")


def _cells(text: str, filename: str) -> list[list[str]]:
    """Return the cells of a table. Cells of tab-separated files have no quotation marks."""
    if filename.endswith(".tsv"):
        return [line.split("\t") for line in text.removesuffix("\n").split("\n")]
    return list(csv.reader(io.StringIO(text, newline="")))


def _kind(name: str, schema: Schema) -> str:
    """Return the JSON type of a column's values other than null."""
    described: Schema = schema["properties"].get(name) or next(
        (each for pattern, each in schema["patternProperties"].items() if re.search(pattern, name)), {}
    )
    return str(described.get("anyOf", [described])[0].get("type", "string"))


def _value(cell: str, kind: str) -> Any:
    """Return a cell as a number, a text or None. A faulty number remains a text."""
    if not cell:
        return None
    try:
        return int(cell) if kind == "integer" else float(cell) if kind == "number" else cell
    except ValueError:
        return cell
