"""The API reference of the documentation site, as Markdown: one page per tag, from the OpenAPI schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from annotate.api.reference import Field, Operation, operations_by_tag
from annotate.web.api.error_codes import ALL_CODES

FRONT = "operations"
INTRODUCTION = (
    "All URLs begin with `/api/v1/`. See [The API](../docs/api.md) for tokens, the format of requests and responses, "
    "and a complete study. [openapi.json](site:openapi.json) is the OpenAPI schema."
)


def pages(schema: dict[str, Any]) -> dict[str, str]:
    """Return the Markdown pages by name: a front page with the errors, then one page per tag."""
    groups = operations_by_tag(schema)
    names = {tag: tag.replace(" ", "-") for tag in groups}
    front = [
        "# API reference",
        INTRODUCTION,
        _table(
            ["group", "operations"],
            ([f"[{tag.capitalize()}]({names[tag]}.md)", str(len(groups[tag]))] for tag in groups),
        ),
        "## Error codes",
        "An error has a `code`, a `message` and, for faulty fields, `fields`.",
        _table(
            ["code", "status", "meaning"],
            ([f"`{each.code}`", " or ".join(map(str, each.statuses)), each.meaning] for each in ALL_CODES),
        ),
    ]
    return {FRONT: "\n\n".join(front) + "\n"} | {
        names[tag]: "\n\n".join([f"# {tag.capitalize()}", *(part for each in groups[tag] for part in _parts(each))])
        for tag in groups
    }


def _parts(operation: Operation) -> Iterator[str]:
    """Yield the Markdown blocks of one operation."""
    yield f"## `{operation.method} {operation.path}`"
    yield from filter(None, [operation.words.strip()])
    for title, fields in (
        ("Parameters", operation.parameters),
        ("Body", operation.body),
        (f"Response {operation.status}", operation.reply),
    ):
        if fields:
            yield f"**{title}**"
            yield _table(["name", "type", "description"], map(_row, fields))
    if operation.status and not operation.reply:
        yield f"The response has status {operation.status} and no JSON body."
    for title, example in operation.examples:
        yield f"{title}:"
        yield f"```text\n{example}\n```"  # colours would triple the size of the page


def _row(field: Field) -> list[str]:
    name = f"`{field.name}`" + (" (required)" if field.required else "")
    return [name, field.type, field.note]


def _table(heads: list[str], rows: Iterable[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(
        "| " + " | ".join(" ".join(cell.replace("|", r"\|").split()) for cell in line) + " |" for line in lines
    )
