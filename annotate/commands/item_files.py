"""The files of `accord try`: a table, two text files with one sentence per line, or a table and an HTML form."""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from django.conf import settings

from annotate import tasktypes
from annotate.cli.options import note
from annotate.data.upload_contents import Preview, Source, read_preview
from annotate.exchange.encoding import as_utf8
from annotate.exchange.files import get_encoding
from annotate.exchange.layout import Layout
from annotate.exchange.recognition import UNCLEAR
from annotate.tasktypes import TaskType

FORMS = (".html", ".htm")


@dataclass(frozen=True)
class ItemFile:
    """The contents of a file with items. `form` is the text of an HTML form, if there is one."""

    name: str
    data: bytes
    form: str = ""

    def options(self, task: TaskType) -> dict[str, Any]:
        """Return the options of a new study, with the form as the value of the option that is a document."""
        return {option.name: self.form for option in _documents(task)} if self.form else {}


def item_file(files: Mapping[str, bytes]) -> ItemFile:
    """Combine the files. Raises `click.ClickException` if they do not belong together."""
    forms = {file: data for file, data in files.items() if file.lower().endswith(FORMS)}
    tables = {file: data for file, data in files.items() if file not in forms}
    if len(forms) <= 1 and len(tables) == 1:
        [(file, data)] = tables.items()
        texts = [_text(form, data) for form, data in forms.items()]
        return ItemFile(Path(file).name, data, *texts)
    if not forms and len(tables) == 2:
        return _two_texts(tables)
    raise click.UsageError("The files must be one table, two text files, or one table and one HTML form.")


def choose_task(file: ItemFile, wanted: str | None) -> TaskType:
    """Return the wanted task type, or the one that reads most of the file's columns. If several types are possible, ask
    in a terminal. Raises `click.ClickException`.
    """
    installed = tasktypes.installed()
    if wanted is not None:
        task = next((task for task in installed if task.slug == wanted), None)
        if task is None:
            slugs = ", ".join(task.slug for task in installed)
            raise click.BadParameter(f"There is no task type {wanted}. Task types: {slugs}.", param_hint="--task")
        if _documents(task) and not file.form:
            raise click.UsageError(f"The task {wanted} also needs a form, as in: accord try {file.name} form.html")
        return task
    fitting = _fitting(file, [task for task in installed if bool(_documents(task)) == bool(file.form)])
    return fitting[0] if len(fitting) == 1 else _ask(file, fitting)


def note_unclear_first_row(file: ItemFile, task: TaskType) -> None:
    """Print how the first row of a table was read if its appearance does not show whether it contains column names."""
    preview = _preview(file, task)
    if preview.first_row == UNCLEAR:
        names = " or ".join(", ".join(arrangement) for arrangement in task.arrangements)
        note(
            f"the first row of {file.name} was read as an item: {', '.join(preview.first_rows[0][1])}. If it contains "
            f"the names of columns, replace them with {names}, and choose another folder with --data"
        )


def _fitting(file: ItemFile, tasks: Sequence[TaskType]) -> list[TaskType]:
    """Return the task types that read most of the file's columns, and read them without errors."""
    previews = {task: _preview(file, task) for task in tasks}
    known = {task: _known_columns(task, preview) for task, preview in previews.items()}
    best = [task for task in tasks if known[task] == max(known.values())]
    readable = [task for task in best if previews[task].without_errors]
    if not readable:
        faults = previews[best[0]].faults
        raise click.ClickException(f"{file.name}: {faults[0] if faults else 'the file contains no rows'}")
    return readable


def _preview(file: ItemFile, task: TaskType) -> Preview:
    encoding = get_encoding()
    source = Source(
        task=task,
        content=zlib.compress(file.data),
        filename=file.name,
        options=task.clean_options(file.options(task)),
        limits={
            "rows": settings.LIMIT_ROWS,
            "bytes": settings.LIMIT_UPLOAD_BYTES,
            "cell": max(settings.LIMIT_CELL, task.cell_limit),
        },
        items=None,
        layout=Layout(encoding=encoding, delimiter=None) if encoding else None,
    )
    return read_preview(source, sample=0)


def _known_columns(task: TaskType, preview: Preview) -> int:
    columns = {column.casefold() for column in preview.columns}
    return sum(any(name.casefold() in columns for name in column.names) for column in task.item_columns)


def _ask(file: ItemFile, tasks: Sequence[TaskType]) -> TaskType:
    if not sys.stdin.isatty():
        slugs = ", ".join(f"{task.slug} ({task.name})" for task in tasks)
        raise click.UsageError(f"{file.name} fits several tasks. Choose one with --task: {slugs}.")
    for number, task in enumerate(tasks, start=1):
        click.echo(f"  {number}  {task.name}")
    choices, question = click.IntRange(1, len(tasks)), f"What do annotators do with {file.name}? (1 to {len(tasks)})"
    number = click.prompt(question, type=choices, prompt_suffix=" ")
    return tasks[number - 1]


def _documents(task: TaskType) -> list[tasktypes.Option]:
    return [option for option in task.options if option.kind == "document"]


def _two_texts(files: Mapping[str, bytes]) -> ItemFile:
    """Return pairs of the sentences on the same line of two text files, as JSON Lines."""
    first, second = (_text(file, data).splitlines() for file, data in files.items())
    names = list(files)
    if len(first) != len(second):
        raise click.ClickException(
            f"{names[0]} has {len(first):,} lines, but {names[1]} has {len(second):,}. Line n of one file must belong "
            "to line n of the other."
        )
    rows = ({"sentence1": one, "sentence2": other} for one, other in zip(first, second, strict=True))
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return ItemFile("-".join(Path(name).stem for name in names) + ".jsonl", lines.encode())


def _text(file: str, data: bytes) -> str:
    return as_utf8(data, name=file, encoding=get_encoding()).decode("utf-8-sig")
