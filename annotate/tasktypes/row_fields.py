"""The fields of the rows in downloaded files, from which JSON Schemas and the tables in docs/formats.md follow."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["text", "integer", "number", "boolean", "time", "list", "object", "answer"]

# The version of all schemas. Raise it if a field is renamed or removed, or if its values change.
VERSION = 1
TYPES: Mapping[Kind, Mapping[str, Any]] = {
    "text": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "time": {"type": "string", "format": "date-time"},
    "list": {"type": "array"},
    "object": {"type": "object"},
    "answer": {},  # depends on the task type
}


@dataclass(frozen=True)
class Field:
    """A column of a table, or a key of an object in a JSON file.

    If `can_be_empty` is set, cells can be empty, or values null. Only some studies have `is_optional` fields. `values`
    lists all possible values. If `is_pattern` is set, `name` is a regular expression for the names of several fields.
    """

    name: str
    kind: Kind
    meaning: str
    can_be_empty: bool = False
    is_optional: bool = False
    is_pattern: bool = False
    values: tuple[str, ...] = ()

    def schema(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Return the JSON Schema of the values. `answer` is the one of the task type's answers."""
        values: dict[str, Any] = dict(answer if self.kind == "answer" else TYPES[self.kind])
        if self.values:
            values["enum"] = list(self.values)
        described = {"description": self.meaning}
        return {**described, "anyOf": [values, {"type": "null"}]} if self.can_be_empty else {**described, **values}


@dataclass(frozen=True)
class Rows:
    """The rows of a table, the lines of a JSON Lines file, or the objects in a JSON file.

    `further` describes all other fields, such as metadata, and is empty if there are none. Tables contain them as text.
    """

    fields: tuple[Field, ...] = ()
    further: str = ""

    def meaning(self, name: str) -> str:
        """Return the description of the field with this name, or an empty string."""
        fits = (each for each in self.fields if (re.search(each.name, name) if each.is_pattern else each.name == name))
        return next((each.meaning for each in fits), "")

    def schema(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Return the JSON Schema of a row."""
        further: Any = {"description": self.further, "type": ["string", "null"]} if self.further else False
        return {
            "type": "object",
            "properties": {each.name: each.schema(answer) for each in self.fields if not each.is_pattern},
            "patternProperties": {each.name: each.schema(answer) for each in self.fields if each.is_pattern},
            "required": [each.name for each in self.fields if not (each.is_pattern or each.is_optional)],
            "additionalProperties": further,
        }


@dataclass(frozen=True)
class Lines:
    """A text file in which each line matches the regular expression `pattern`."""

    pattern: str

    def schema(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Return the JSON Schema of a line without its line break."""
        return {"type": "string", "pattern": self.pattern}
