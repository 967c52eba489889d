"""The choice between single texts and pairs, for a file whose columns allow both."""

from __future__ import annotations

from dataclasses import replace

from django.utils.text import get_text_list

from accord_core.exchange.layout import Layout
from accord_core.exchange.recognition import LABEL
from annotate.data.item_files import column_names, has_words, read_column
from annotate.data.upload_preview import Preview
from annotate.tasktypes import TaskType

BOTH = {1, 2}  # numbers of texts in the arrangements of a task type that reads single texts and pairs
MOST = 4  # columns between which a researcher can choose


def readings(preview: Preview, task: TaskType) -> dict[str, str]:
    """Return the readings of a file as the positions of their columns, each with a label, such as “pairs of German and
    English”. The current reading is the first. Return an empty dictionary if there is no choice.
    """
    columns = _columns_with_texts(preview, task)
    if not preview.without_errors or len(columns) < 2:
        return {}
    header, current = list(column_names(preview)), _read_as_texts(preview, task)
    others = [column for column in columns if column not in current]
    pairs = [sorted([*current, other], key=columns.index) for other in others] if len(current) == 1 else [current]
    choices = sorted([*([column] for column in columns), *pairs], key=lambda chosen: chosen != current)
    return {
        "-".join(str(header.index(column)) for column in chosen): (
            f"pairs of {get_text_list(chosen, 'and')}" if len(chosen) > 1 else f"single texts: {chosen[0]}"
        )
        for chosen in choices
    }


def read_as(preview: Preview, task: TaskType, reading: str) -> Layout | None:
    """Return the layout for one of the `readings` of a file, or None for an unknown reading."""
    if reading not in readings(preview, task) or preview.layout is None:
        return None
    names = column_names(preview)
    chosen = [list(names)[int(position)] for position in reading.split("-")]
    roles = dict(zip(chosen, next(each for each in task.arrangements if len(each) == len(chosen)), strict=True))
    # A column with the name of a text that is not chosen gets another name, so that it becomes metadata.
    others = {column: column if name in _arranged(task) else name for column, name in names.items()}
    kept = {column: f"{name}{LABEL}" if _is_text(name, task) else name for column, name in others.items()}
    return replace(preview.layout, columns={c: name for c, name in (kept | roles).items() if name != c})


def _read_as_texts(preview: Preview, task: TaskType) -> list[str]:
    """Return the columns that the task type reads as texts, in the order of the texts."""
    named = {name: column for column, name in column_names(preview).items()}
    return [named[name] for names in task.arrangements for name in names if name in named]


def _columns_with_texts(preview: Preview, task: TaskType) -> list[str]:
    """Return the columns that the task type reads as texts, or could read as texts."""
    if {len(names) for names in task.arrangements} != BOTH or preview.layout is None:
        return []
    names, current = column_names(preview), _read_as_texts(preview, task)
    could = [name for name in names.values() if name and not read_column(name, task) and has_words(preview, name)]
    columns = [column for column, name in names.items() if column in current or name in could]
    return columns if current and len(columns) <= MOST else []


def _is_text(name: str, task: TaskType) -> bool:
    column = read_column(name, task)
    return column is not None and column.name in _arranged(task)


def _arranged(task: TaskType) -> set[str]:
    return {name for names in task.arrangements for name in names}
