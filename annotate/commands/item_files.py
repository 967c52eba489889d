"""The task type for the files of `accord try`: the requested type, the type that reads the columns, or the type chosen
in the terminal.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

import click

from accord_core.exchange.files import get_encoding
from accord_core.exchange.recognition import UNCLEAR
from annotate import tasktypes
from annotate.cli.options import note
from annotate.data import item_files
from annotate.data.item_files import ItemFile, documents, fits_both_readings, fitting_tasks, what_is_read, what_to_check
from annotate.data.upload_preview import SAMPLE
from annotate.server.refusals import Refused
from annotate.tasktypes import TaskType


def item_file(files: Mapping[str, bytes]) -> ItemFile:
    """Combine the files. Raises `click.ClickException` if they do not belong together."""
    try:
        return item_files.item_file(files, get_encoding())
    except Refused as refusal:
        raise click.UsageError(refusal.message) from refusal


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
        if documents(task) and not file.form:
            raise click.UsageError(f"The task {wanted} also needs a form, as in: accord try {file.name} form.html")
        return task
    try:
        fitting = fitting_tasks(file, installed)
    except Refused as refusal:
        raise click.ClickException(refusal.message) from refusal
    if len(fitting) > 1:
        return _ask(file, fitting)
    [task] = fitting
    note(f"the columns of {file.name} suit the task {task.slug} ({task.name}). For another task, add --task and --data")
    return task


def note_reading(file: ItemFile, task: TaskType) -> None:
    """Print what each item is, and the warnings about lines of the file. If the appearance of the first row does not
    show whether it contains column names, print how it was read.
    """
    preview = file.preview(task, sample=SAMPLE)
    if preview.first_row == UNCLEAR:
        names = " or ".join(", ".join(arrangement) for arrangement in task.arrangements)
        note(
            f"the first row of {file.name} was read as an item: {', '.join(preview.first_rows[0][1])}. If it contains "
            f"the names of columns, replace them with {names}, and choose another folder with --data"
        )
    elif preview.without_errors and fits_both_readings(preview, task):
        note(what_is_read(preview, task))
    if preview.without_errors and (warnings := what_to_check(preview)):
        note(f"{warnings}. If you change the file, choose another folder with --data")


def _ask(file: ItemFile, tasks: Sequence[TaskType]) -> TaskType:
    if not sys.stdin.isatty():
        slugs = ", ".join(f"{task.slug} ({task.name})" for task in tasks)
        raise click.UsageError(f"{file.name} fits several tasks. Choose one with --task: {slugs}.")
    for number, task in enumerate(tasks, start=1):
        click.echo(f"  {number}  {task.name}")
    choices, question = click.IntRange(1, len(tasks)), f"What do annotators do with {file.name}? (1 to {len(tasks)})"
    number = click.prompt(question, type=choices, prompt_suffix=" ")
    return tasks[number - 1]
