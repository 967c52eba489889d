"""The API reference page, built from the OpenAPI schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from annotate.web.api.error_codes import ALL_CODES

Schema = dict[str, Any]


@dataclass(frozen=True)
class Field:
    name: str
    type: str
    required: bool
    note: str


@dataclass(frozen=True)
class Operation:
    """One API operation, with its parameters, request body and successful response."""

    id: str
    method: str
    path: str
    words: str
    parameters: list[Field]
    body: list[Field]
    status: str
    reply: list[Field]
    examples: list[tuple[str, str]]


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """Show all operations of the API, grouped by tag."""
    schema = SchemaGenerator().get_schema(request=None, public=True)
    return render(request, "api/reference.html", {"groups": operations_by_tag(schema), "codes": ALL_CODES})


def operations_by_tag(schema: Schema) -> dict[str, list[Operation]]:
    """Return all operations of an OpenAPI schema, grouped by their first tag."""
    groups: dict[str, list[Operation]] = {}
    for path, methods in schema["paths"].items():
        for method, described in methods.items():
            if method in ("get", "post", "put", "patch", "delete"):
                tag = (described.get("tags") or ["other"])[0]
                groups.setdefault(tag, []).append(_operation(schema, path, method, described))
    return groups


def _operation(schema: Schema, path: str, method: str, described: Schema) -> Operation:
    status, reply = next(
        ((code, reply) for code, reply in described["responses"].items() if code.startswith("2")), ("", {})
    )
    return Operation(
        id=described["operationId"],
        method=method.upper(),
        path=path,
        words=described.get("description", ""),
        parameters=[
            Field(
                parameter["name"],
                f"{_type(schema, parameter['schema'])}, {parameter['in']}",
                parameter.get("required", False),
                parameter.get("description", ""),
            )
            for parameter in described.get("parameters", ())
        ],
        body=_fields(schema, _content(described.get("requestBody", {}))),
        status=status,
        reply=_fields(schema, _content(reply)),
        examples=[*_examples("body", described.get("requestBody", {})), *_examples("reply", reply)],
    )


def _examples(place: str, part: Schema) -> Iterator[tuple[str, str]]:
    """Yield the title and JSON of each example for a body, which can have one example per task type."""
    media_type = part.get("content", {}).get("application/json", {})
    if "example" in media_type:
        yield f"Example of the {place}", _printed(media_type["example"])
    for task_type, example in media_type.get("examples", {}).items():
        yield f"Example of the {place} for the task type {task_type}", _printed(example["value"])


def _printed(example: Any) -> str:
    return json.dumps(example, indent=2, ensure_ascii=False)


def _content(part: Schema) -> Schema:
    """Return the schema of a request or response body. If the body has several content types, the function returns the
    schema for JSON.
    """
    content = part.get("content", {})
    media_type: Schema = content.get("application/json") or next(iter(content.values()), {})
    schema: Schema = media_type.get("schema", {})
    return schema


def _fields(schema: Schema, part: Schema, prefix: str = "") -> list[Field]:
    """Return the fields of an object, or of the objects in a list. The fields of a page include the fields of its
    rows.
    """
    part = _resolved(schema, part)
    if part.get("type") == "array":
        part = _resolved(schema, part["items"])
    required, properties = set(part.get("required", ())), part.get("properties", {})
    fields = [
        Field(prefix + name, _type(schema, field), name in required, _resolved(schema, field).get("description", ""))
        for name, field in properties.items()
    ]
    return fields + (_fields(schema, properties["results"], "results[].") if "results" in properties else [])


def _type(schema: Schema, part: Schema) -> str:
    """Describe a type in words, such as `string`, `list of objects` or `one of open, paused`."""
    part = _resolved(schema, part)
    if "enum" in part:
        return "one of " + ", ".join(str(value) for value in part["enum"] if value not in (None, ""))
    if "x-task-types" in part:
        return "JSON that depends on the task type"
    if "oneOf" in part:
        return " or ".join(dict.fromkeys(_type(schema, choice) for choice in part["oneOf"]))
    if part.get("type") == "array":
        return f"list of {_type(schema, part['items'])}"
    kind = str(part.get("type") or "anything")
    return f"{kind} or null" if part.get("nullable") else kind


def _resolved(schema: Schema, part: Schema) -> Schema:
    while True:
        if "$ref" in part:
            part = schema["components"]["schemas"][part["$ref"].rsplit("/", 1)[1]]
        elif len(part.get("allOf", ())) == 1:
            part = {**part["allOf"][0], **{name: value for name, value in part.items() if name != "allOf"}}
        else:
            return part
