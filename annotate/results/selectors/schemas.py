"""The JSON Schemas of the files that can be downloaded from studies, and of other files with a schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate import tasktypes
from annotate.results.selectors.downloads import exports_for
from annotate.tasktypes import Export, TaskType, extensions
from annotate.tasktypes.row_fields import VERSION, Rows

DRAFT = "https://json-schema.org/draft/2020-12/schema"
UNITS = {
    "row": "The schema describes one row, with numbers instead of texts, and with `null` instead of empty cells.",
    "object": "The schema describes one object in the file.",
    "line": "The schema describes one line, without its line break.",
    "file": "The schema describes the text of the whole file.",
}


def schema_names() -> list[str]:
    """Return the names of all schemas, such as `bws/scores.csv`, sorted."""
    files = [schema_name(task, export) for task in tasktypes.installed() for export in exports_for(task)]
    return sorted([*files, *extensions.schemas()])


def schema_name(task: TaskType, export: Export) -> str:
    """Return the name of the schema of a task type's file."""
    return f"{task.slug}/{export.filename}"


def schema_of(name: str) -> Mapping[str, Any] | None:
    """Return the schema with this name, or None if there is none."""
    others = extensions.schemas()
    if name in others:
        return others[name]()
    for task in tasktypes.installed():
        for export in exports_for(task):
            if schema_name(task, export) == name:
                return file_schema(task, export)
    return None


def file_schema(task: TaskType, export: Export) -> dict[str, Any]:
    """Return the JSON Schema of a file's rows, objects or lines, or of the whole text of a file in another format."""
    unit = unit_of(export)
    media_type = export.content_type.partition(";")[0]
    described = export.rows.schema(task.formats.value) if export.rows else _whole(media_type)
    return {
        "$schema": DRAFT,
        "$id": f"urn:accord:{task.slug}:{export.filename}:{VERSION}",
        "title": f"{export.filename} of {task.name}",
        "description": " ".join([f"{_sentence(export.description)} {export.note}".strip(), UNITS[unit]]),
        "version": VERSION,
        "unit": unit,
        **described,
    }


def unit_of(export: Export) -> str:
    """Return the part of the file that its schema describes."""
    if export.rows is None:
        return "file"
    if not isinstance(export.rows, Rows):
        return "line"
    return "object" if export.filename.endswith((".json", ".jsonl")) else "row"


def _whole(media_type: str) -> dict[str, Any]:
    return {"type": "string", "minLength": 1, "contentMediaType": media_type}


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
