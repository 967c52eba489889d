"""Write the generated part of docs/formats.md: the fields of the files that can be downloaded from studies."""

import textwrap
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from annotate import tasktypes
from annotate.results.selectors.downloads import exports_for
from annotate.tasktypes import Export, TaskType
from annotate.tasktypes.row_fields import Field, Rows

FORMATS = Path(__file__).resolve().parents[2] / "docs" / "formats.md"
START = "## Fields of the downloads\n"
WIDTH = 120
INTRODUCTION = """\
These tables are generated from the program. Each file also has a JSON Schema (draft 2020-12) at
`/api/schemas/{task type}/{filename}.json` of your installation, such as `/api/schemas/bws/scores.csv.json`, and
`/api/schemas/` lists all of them. `unit` names the part of the file that a schema describes. In tables, this is a row
with numbers instead of texts, and with `null` instead of empty cells. `version` is raised if a field is renamed or
removed, or if its values change. The schema `study` describes the `study.json` of releases. Schemas of other text files
describe only a line, or the whole file.
"""
KINDS = {"answer": "object", "time": "time in UTC"}
BOTH = "Several task types"


def document() -> str:
    """Return docs/formats.md with its prose as it is and with new tables."""
    prose = FORMATS.read_text(encoding="utf-8").partition(START)[0]
    return prose.rstrip() + "\n\n" + "\n".join([START, INTRODUCTION, *tables()]).rstrip() + "\n"


def tables() -> Iterator[str]:
    """Yield the lines of all tables, by task type. Files that are the same in several task types come first."""
    groups: dict[tuple[str, Rows], list[tuple[TaskType, Export]]] = {}
    for task in sorted(tasktypes.installed(), key=lambda task: task.slug):
        for export in exports_for(task):
            if isinstance(export.rows, Rows):
                groups.setdefault((export.filename, export.rows), []).append((task, export))
    sections: dict[str, list[str]] = {BOTH: []}
    for (filename, rows), users in groups.items():
        descriptions = {export.description for _, export in users}
        title = f"`{filename}`: {descriptions.pop()}" if len(descriptions) == 1 else f"`{filename}`"
        title = textwrap.fill(title, WIDTH, break_on_hyphens=False)
        heading = BOTH if len(users) > 1 else users[0][0].name
        sections.setdefault(heading, []).extend(
            [textwrap.fill(title, WIDTH, break_on_hyphens=False), "", *_table(rows)]
        )
    for heading, lines in sections.items():
        yield from (f"### Files: {heading}", "", *lines)


def _table(rows: Rows) -> Iterator[str]:
    """Yield the lines of a table. Neighbours that differ only in their name share a row."""
    yield "| field | type | contents |\n|---|---|---|"
    for (kind, meaning), fields in groupby(rows.fields, key=lambda field: (_kind(field), field.meaning)):
        yield f"| {', '.join(map(_name, fields))} | {kind} | {meaning} |"
    if rows.further:
        yield f"| all other names | text, can be empty | {rows.further} |"
    yield ""


def _name(field: Field) -> str:
    return f"all names that match `{field.name}`" if field.is_pattern else f"`{field.name}`"


def _kind(field: Field) -> str:
    kind = (
        f"one of {', '.join(f'`{value}`' for value in field.values)}"
        if field.values
        else KINDS.get(field.kind, field.kind)
    )
    return ", ".join([kind, *["optional"] * field.is_optional, *["can be empty"] * field.can_be_empty])


def write() -> None:
    """Write the tables. `script/reference` calls this function."""
    FORMATS.write_text(document(), encoding="utf-8")
