"""Additions to the OpenAPI schema: the task types' formats, the possible errors, and examples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotate import tasktypes
from annotate.tasktypes import TaskType, extensions
from annotate.tasktypes.options import Option

from .examples import add_examples

Schema = dict[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")
FORMATS = ("content", "payload", "question", "answer", "value")
OBJECT: Schema = {"type": "object", "additionalProperties": {}}
# The types of JSON fields in the database, by property name.
JSON_FIELDS: dict[str, Schema] = {
    "activity": OBJECT,
    "admitted_studies": {"type": "array", "items": {"type": "string"}},
    "data": OBJECT,
    "detail": OBJECT,
    "excluded_studies": {"type": "array", "items": {"type": "string"}},
    "metadata": OBJECT,
    "options": OBJECT,  # of systems
    "parameters": OBJECT,
    "result": OBJECT,
    "shown": {"type": "array", "items": {}},
    "tallies": {"type": "object", "additionalProperties": {"type": "number"}},
    "versions": {"type": "object", "additionalProperties": {"type": "string"}},
}
PATH_PARAMETERS = {
    "assignment": "ID of the assignment.",
    "entry": "ID of a bonus or of a share of a payment.",
    "filename": "Name of the file.",
    "group": "ID of the group of annotators.",
    "invitation": "ID of the invitation.",
    "job": "ID of the job.",
    "kind": "Kind of the report: `design`, `results` or `progress`.",
    "member": "ID of the member.",
    "message": "ID of the message.",
    "named": "ID of the named annotator.",
    "number": "Number of the report, payment or system in its study, starting at 1.",
    "other": "Number of the report to compare with.",
    "person": "ID of the person on the waiting list.",
    "position": "Position of the question in the assignment, starting at 1.",
    "pseudonym": "Pseudonym of the annotator.",
    "submission": "Prolific's ID for the submission.",
    "purpose": "Purpose of the upload: `items`, `gold` or `practice`.",
    "question": "ID of the gold question or gold candidate.",
    "questionnaire": "Name of the questionnaire: `screening` or `survey`.",
    "ref": "Ref of the question, as in the list of questions.",
    "share": "ID of the link to the report.",
    "study": "ID of the study, which is part of the study’s URL in the console.",
    "upload": "ID of the upload.",
}
TYPED = {"type", "$ref", "allOf", "anyOf", "oneOf", "enum"}


def complete(result: Schema, **_: Any) -> Schema:
    """Complete the schema that drf-spectacular generated. drf-spectacular calls this function as a hook."""
    _add_formats(result)
    _add_types(result)
    for operation in operations(result):
        _describe_path(operation)
        _remove_impossible_errors(operation)
    add_examples(result, [task.slug for task in _tasks()])
    return result


def operations(schema: Schema) -> Iterator[Schema]:
    """Yield each operation, with its HTTP method under the key `x-method`."""
    for methods in schema["paths"].values():
        for method, operation in methods.items():
            if method in METHODS:
                operation["x-method"] = method
                yield operation


def _tasks() -> list[TaskType]:
    return sorted(tasktypes.installed(), key=lambda task: task.slug)


def _add_formats(schema: Schema) -> None:
    """Add a component for each format of each task type, and a component that accepts the formats of all task types."""
    components = schema["components"]["schemas"]
    for part in (*FORMATS, "options"):
        names = {}
        for task in _tasks():
            name = f"{part.title()}_{task.slug.replace('-', '_')}"
            own = _options(task.options) if part == "options" else dict(getattr(task.formats, part))
            components[name] = {"title": f"{part.title()} of {task.name}", **own}
            names[task.slug] = {"$ref": f"#/components/schemas/{name}"}
        components[part.title()] = {"anyOf": list(names.values()), "x-task-types": list(names)}
    for component in components.values():
        if "task_type" in component.get("properties", {}):
            component["properties"]["task_type"]["enum"] = [task.slug for task in _tasks()]


def _add_types(schema: Schema) -> None:
    """Add the types of JSON fields, which drf-spectacular cannot derive."""
    for component in schema["components"]["schemas"].values():
        for name, field in component.get("properties", {}).items():
            if name in JSON_FIELDS and not TYPED & field.keys():
                field.update(JSON_FIELDS[name])


def _options(options: Any) -> Schema:
    properties = {option.name: _option(option) for option in options}
    example = {option.name: option.default for option in options}
    return {"type": "object", "properties": properties, "additionalProperties": False, "example": example}


def _option(option: Option) -> Schema:
    schema: Schema = {"description": option.help or option.label, "default": option.default}
    if option.kind in ("integer", "number", "boolean"):
        schema["type"] = option.kind
    else:
        schema["type"] = "string"
    if option.kind == "choice":
        schema["enum"] = [value for value, _ in option.choices]
    if option.minimum is not None:
        schema["minimum"] = option.minimum
    if option.maximum is not None:
        schema["maximum"] = option.maximum
    return schema


def _describe_path(operation: Schema) -> None:
    """Describe the parameters in the operation's path."""
    descriptions = dict(PATH_PARAMETERS)
    for extension in extensions.registered():
        descriptions |= extension.path_parameters
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "path" and parameter["name"] in descriptions:
            parameter.setdefault("description", descriptions[parameter["name"]])


def _remove_impossible_errors(operation: Schema) -> None:
    """Remove the errors that this operation cannot return."""
    parameters = {(parameter["in"], parameter["name"]) for parameter in operation.get("parameters", ())}
    reads, annotates = operation["x-method"] == "get", "annotation" in operation.get("tags", ())
    impossible = set()
    if "requestBody" not in operation:
        impossible |= {"413", "415"}
    if _returns_file(operation):
        impossible.add("406")
    if ("header", "Idempotency-Key") not in parameters:
        impossible.add("422")
    if ("header", "If-Match") not in parameters:
        impossible.add("412")
    names_something = any(place == "path" or name in ("page", "cursor") for place, name in parameters)
    if not names_something and not annotates:
        impossible.add("404")
    if reads and not annotates:
        impossible.add("403")
        if operation["operationId"].endswith("_list"):
            impossible.add("409")
    for status in impossible:
        operation["responses"].pop(status, None)
    del operation["x-method"]


def _returns_file(operation: Schema) -> bool:
    """Return whether the operation returns a file. A file's media type does not depend on the header `Accept`."""
    successes = (reply for status, reply in operation["responses"].items() if status.startswith("2"))
    return any("application/json" not in reply["content"] for reply in successes if "content" in reply)
