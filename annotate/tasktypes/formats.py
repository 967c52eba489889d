"""A task type's JSON formats, which the API reference shows.

Each format is a JSON Schema, limited to the keywords of OpenAPI 3.0, with an `example`. All examples of a task type
describe the same question:

- `content`: the contents of an item
- `payload`: the question as Accord stores it
- `question`: the question as the annotator's browser receives it
- `answer`: the answer as the browser sends it
- `value`: the answer as Accord stores it
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Formats:
    """The formats of items, questions and answers. An empty schema accepts any JSON."""

    content: Schema = field(default_factory=dict)
    payload: Schema = field(default_factory=dict)
    question: Schema = field(default_factory=dict)
    answer: Schema = field(default_factory=dict)
    value: Schema = field(default_factory=dict)


def record(
    example: Mapping[str, Any] | None = None, /, *, optional: Mapping[str, Schema] | None = None, **properties: Schema
) -> dict[str, Any]:
    """Return the schema of an object with the required `properties` and the `optional` properties."""
    schema: dict[str, Any] = {"type": "object", "properties": {**properties, **(optional or {})}}
    if properties:
        schema["required"] = list(properties)
    return schema if example is None else {**schema, "example": example}


def listed(items: Schema, **limits: Any) -> dict[str, Any]:
    """Return the schema of a list. `limits` are keywords such as `minItems`."""
    return {"type": "array", "items": items, **limits}


def integer(minimum: int, maximum: int | None = None) -> dict[str, Any]:
    """Return the schema of an integer within these limits."""
    return {"type": "integer", "minimum": minimum} | ({} if maximum is None else {"maximum": maximum})


TEXT: Schema = {"type": "string"}
BOOLEAN: Schema = {"type": "boolean"}
