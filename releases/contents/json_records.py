"""The records in a release's JSON and JSON Lines files, with the names and types of their fields, for the Croissant
metadata.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

Kind = Literal["text", "integer", "number", "boolean", "time"]
DATA = "data/"
# Other keys would need quotation marks in a JSON path, which readers interpret differently.
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")


class JsonField(NamedTuple):
    """A value that each record contains. `path` contains the keys that lead to the value. `repeated` is true for a list
    of values.
    """

    path: tuple[str, ...]
    kind: Kind
    repeated: bool

    @property
    def name(self) -> str:
        return ".".join(self.path)


class JsonRecords(NamedTuple):
    """The records in a file. `layout` is `lines` for JSON Lines, `list` for a list of records, or `object` for a file
    with a single record. `complete` is false if some values have no field because they are nested lists, have keys that
    differ between records, or mix several types.
    """

    name: str
    path: str
    layout: Literal["lines", "list", "object"]
    fields: list[JsonField]
    complete: bool


def json_records_in(files: Mapping[str, bytes], taken: Sequence[str]) -> list[JsonRecords]:
    """Return the records in each JSON and JSON Lines file. The names differ from each other and from the names in
    `taken`.

    Files without a describable field, such as a file with a list of lists, are omitted.
    """
    names = set(taken)
    found = []
    for path, data in files.items():
        stem, _, ending = path.removeprefix(DATA).rpartition(".")
        if ending not in ("json", "jsonl"):
            continue
        layout, records = _records(data, lines=ending == "jsonl")
        fields: list[JsonField] = []
        complete = all(isinstance(record, dict) for record in records)
        if records and complete:
            complete = _describe(records, (), fields)
        if not fields:
            continue
        name = stem.replace("/", "-").replace(".", "-")
        name = f"{name}-{ending}" if name in names else name
        names.add(name)
        found.append(JsonRecords(name, path, layout, fields, complete))
    return found


def _records(data: bytes, *, lines: bool) -> tuple[Literal["lines", "list", "object"], list[Any]]:
    if lines:
        return "lines", [json.loads(line) for line in data.decode().split("\n") if line]
    value = json.loads(data)
    return ("list", value) if isinstance(value, list) else ("object", [value])


def _describe(records: Sequence[Mapping[str, Any]], path: tuple[str, ...], fields: list[JsonField]) -> bool:
    """Add a field for each key that all records have. Return whether the fields cover all values."""
    complete = True
    for key in dict.fromkeys(key for record in records for key in record):
        values = [record.get(key) for record in records]
        known = [value for value in values if value is not None]
        here = (*path, key)
        if not _KEY.fullmatch(key) or any(key not in record for record in records):
            complete = False
        elif known and len(known) == len(values) and all(isinstance(value, dict) for value in known):
            complete &= _describe(known, here, fields)
        elif known and all(isinstance(value, list) for value in known):
            kind = _kind(list(_flat(known)))
            if len(known) == len(values) and kind:
                fields.append(JsonField(here, kind, repeated=True))
            else:
                complete = False
        elif kind := _kind(known):
            fields.append(JsonField(here, kind, repeated=False))
        else:
            complete = False
    return complete


def _flat(values: Sequence[Any]) -> Iterator[Any]:
    for value in values:
        yield from value


def _kind(values: Sequence[Any]) -> Kind | None:
    """Return the values' common type, or None if they have different types or are objects or lists. If there are no
    values, the type is `text`.
    """
    if not values:
        return "text"
    if all(isinstance(value, bool) for value in values):
        return "boolean"
    if any(isinstance(value, bool) for value in values):
        return None
    if all(isinstance(value, int) for value in values):
        return "integer"
    if all(isinstance(value, int | float) for value in values):
        return "number"
    if all(isinstance(value, str) for value in values):
        return "time" if all(_is_time(value) for value in values) else "text"
    return None


def _is_time(text: str) -> bool:
    if not _TIME.match(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
