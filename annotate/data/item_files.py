"""Files for a new study: a table, two text files with one sentence per line, or a table and an HTML form. Their columns
suggest the task type.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.text import get_text_list

from accord_core.exchange.encoding import as_utf8
from accord_core.exchange.faults import TableError
from accord_core.exchange.layout import FileColumn, Holds, Layout
from accord_core.exchange.recognition import DATA, UNCLEAR
from accord_core.exchange.workbooks import unpacked_size
from accord_core.numerics.printed import with_noun
from annotate.data.services import reading
from annotate.data.upload_preview import Preview, read_preview
from annotate.data.upload_source import Source
from annotate.server.refusals import Refused
from annotate.tasktypes import Option, TaskType

FORMS = (".html", ".htm")


@dataclass(frozen=True)
class ItemFile:
    """The contents of a file with items. `form` is the text of an HTML form, if there is one. Without an `encoding`,
    the encoding is detected.
    """

    name: str
    data: bytes
    form: str = ""
    encoding: str | None = None
    stem: str = ""  # by default, that of the name

    @property
    def title(self) -> str:
        """The title that the file suggests for a study."""
        return self.stem or Path(self.name).stem

    def options(self, task: TaskType) -> dict[str, Any]:
        """Return the options of a new study, with the form as the value of the option that is a document."""
        return {option.name: self.form for option in documents(task)} if self.form else {}

    def preview(self, task: TaskType, *, sample: int = 0) -> Preview:
        """Return what an import into a study of this task type would read."""
        source = Source(
            task=task,
            content=zlib.compress(self.data),
            filename=self.name,
            options=task.clean_options(self.options(task)),
            limits={
                "rows": settings.LIMIT_ROWS,
                "bytes": settings.LIMIT_UPLOAD_BYTES,
                "cell": max(settings.LIMIT_CELL, task.cell_limit),
            },
            items=None,
            layout=Layout(encoding=self.encoding, delimiter=None) if self.encoding else None,
        )
        return read_preview(source, sample=sample)


def is_large(data: bytes) -> bool:
    """Return whether only a background job may read this file."""
    return reading.is_large(max(len(data), unpacked_size(data)))


def what_is_read(preview: Preview, task: TaskType) -> str:
    """Return sentences that describe the items that a study of this task type would import, such as “20 items: Phrase.
    Genre is stored as metadata.”, with the names of the columns in the file.
    """
    if preview.first_row == UNCLEAR:
        return "Next, you choose whether the first row contains column names."
    columns = {column: read_column(name, task) for column, name in column_names(preview).items() if name}
    order = [name for arrangement in task.arrangements for name in arrangement]
    texts = {column: read for column, read in columns.items() if read and read.name in order}
    if not task.arrangements:  # the task type reads every column
        return f"{with_noun(preview.rows, 'item')}: {get_text_list([*columns], 'and')}."
    kinds = [read.holds for read in texts.values()]
    noun = "pair" if kinds == [Holds.TEXT, Holds.TEXT] else "item"
    names = [
        column if len({*kinds}) == 1 or column == read.name else f"{column} ({read.label or read.name})"
        for column, read in sorted(texts.items(), key=lambda each: order.index(each[1].name))
    ]
    ids = [
        f" IDs from {column.removesuffix('.')}."
        for column, read in columns.items()
        if read and read.name == "id" != column
    ]
    further = [
        f"{column} ({read.label or read.name})"
        for column, read in columns.items()
        if read and read.name not in {*order, "id", column}
    ]
    also = f" Accord also reads {get_text_list(further, 'and')}." if further else ""
    others = [column for column, read in columns.items() if read is None]
    kept = (
        f" {get_text_list(others, 'and')} {'is' if len(others) == 1 else 'are'} stored as metadata." if others else ""
    )
    first = " The first row is read as data, because the file seems to have no column names."
    data = first if preview.first_row == DATA else ""
    return f"{with_noun(preview.rows, noun)}: {get_text_list(names, 'and')}.{''.join(ids)}{also}{kept}{data}"


def what_is_asked(preview: Preview) -> str:
    """Return a sentence about the columns that researchers must choose if only required columns are missing."""
    missing = _missing_columns(preview)
    if not missing or len(missing) < len(preview.faults):
        return ""
    noun = "columns" if len(missing) > 1 else "column"
    return f"Next, you choose the {noun} with {get_text_list(missing, 'and')}."


def _missing_columns(preview: Preview) -> list[str]:
    """Return the required columns that a file with a header does not have."""
    names = column_names(preview)
    known = {"", *names, *names.values()} if preview.header else None
    return [column for fault in preview.faults if known and (column := fault.column or "") not in known]


def what_to_check(preview: Preview) -> str:
    """Return a sentence about the warnings that concern lines of the file, or an empty string."""
    warnings = [warning for warning in preview.warnings if warning.line is not None]
    if not warnings:
        return ""
    return f"{with_noun(len(warnings), 'warning')}{', for example' if len(warnings) > 1 else ':'} {warnings[0]}"


def column_names(preview: Preview) -> dict[str, str]:
    """Return the names under which Accord reads the columns of a file, or empty strings for excluded columns."""
    columns = preview.layout.columns if preview.layout else {}
    return {column: columns.get(column, column) for column in preview.header or preview.columns}


def fits_both_readings(preview: Preview, task: TaskType) -> bool:
    """Return whether the contents of columns with other names decided between single texts and pairs."""
    names = column_names(preview)
    read = {column: read_column(name, task) for column, name in names.items()}
    recognised = any(each and each.name != "id" and column != each.name for column, each in read.items())
    others = [name for column, name in names.items() if name and read[column] is None]
    labels = [name for name in others if has_words(preview, name)]
    texts = [each for each in read.values() if each and any(each.name in names for names in task.arrangements)]
    return recognised and len(task.arrangements) > 1 and (len(texts) > 1 or bool(labels))


def has_words(preview: Preview, name: str) -> bool:
    """Return whether a column that becomes metadata contains words in one of the first rows."""
    values = [row["metadata"].get(name) for row in preview.sample]
    return any(isinstance(value, str) and any(map(str.isalpha, value)) for value in values)


def read_column(name: str, task: TaskType) -> FileColumn | None:
    """Return the column that the task type reads under this name."""
    columns = task.item_columns
    exact = (column for column in columns if name.casefold() in {each.casefold() for each in column.names})
    return next(exact, None) or next((column for column in columns if column.is_part(name)), None)


def item_file(files: Mapping[str, bytes], encoding: str | None = None) -> ItemFile:
    """Combine the files. Raises `Refused` (`invalid`) if they do not belong together, and `TableError`."""
    forms = {file: data for file, data in files.items() if file.lower().endswith(FORMS)}
    tables = {file: data for file, data in files.items() if file not in forms}
    if len(forms) <= 1 and len(tables) == 1:
        [(file, data)] = tables.items()
        form = "".join(_text(name, html, encoding) for name, html in forms.items())
        return ItemFile(Path(file).name, data, form, encoding)
    if not forms and len(tables) == 2:
        return _two_texts(tables, encoding)
    raise _refused("The files must be one table, two text files, or one table and one HTML form.")


def fitting_tasks(file: ItemFile, installed: Sequence[TaskType]) -> list[TaskType]:
    """Return the task types that read most of the file's columns, and read them without errors. If several do, return
    only those that know all of these columns by their names in the file, and not just by their contents. If only
    columns are missing for the best task types, return them after those that can read the file, because researchers
    can choose columns after the task. Raises `Refused` (`invalid`) if no task type can read the file.
    """
    tasks = [task for task in installed if bool(documents(task)) == bool(file.form)]
    previews = {task: file.preview(task) for task in tasks}
    known = {task: _known_columns(task, preview) for task, preview in previews.items()}
    best = [task for task in tasks if known[task] == max(known.values())]
    readable = [task for task in best if previews[task].without_errors]
    if not readable:
        readable = [task for task in tasks if previews[task].without_errors]
        lacking = [task for task in best if _missing_columns(previews[task])]
        if readable and lacking:
            return [*readable, *lacking]
        faults = previews[best[0]].faults
        raise _refused(f"{file.name}: {faults[0] if faults else 'the file contains no rows'}")
    return readable


def documents(task: TaskType) -> list[Option]:
    """Return the options of a task type that are documents, such as the HTML form of a layout."""
    return [option for option in task.options if option.kind == "document"]


def _known_columns(task: TaskType, preview: Preview) -> tuple[int, bool]:
    """Return how many of the task type's columns the file has, and whether its header names all of them."""
    known, named = (_among(columns, task) for columns in (preview.columns, preview.header or preview.columns))
    return known, known == named


def _among(columns: Sequence[str], task: TaskType) -> int:
    names = {column.casefold() for column in columns}
    return sum(any(name.casefold() in names for name in column.names) for column in task.item_columns)


def _two_texts(files: Mapping[str, bytes], encoding: str | None) -> ItemFile:
    """Return pairs of the sentences on the same line of two text files, as JSON Lines."""
    first, second = (_text(file, data, encoding).splitlines() for file, data in files.items())
    names = list(files)
    if len(first) != len(second):
        raise _refused(
            f"{names[0]} has {with_noun(len(first), 'line')}, but {names[1]} has {len(second):,}. Line n of one file "
            "must belong to line n of the other."
        )
    columns = _columns_of(names, [*first, *second])
    rows = (dict(zip(columns, pair, strict=True)) for pair in zip(first, second, strict=True))
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    stem = "-".join(Path(name).stem for name in names)
    return ItemFile(" and ".join(Path(name).name for name in names), lines.encode(), stem=stem)


def _columns_of(files: Sequence[str], lines: Sequence[str]) -> Sequence[str]:
    """Return the files' names as column names, because they can contain languages, as in `en.txt` and `de.txt`. If a
    file has no letters or both names are the same, return the usual names, which Accord always recognises.
    """
    names = [Path(file).name for file in files]
    has_letters = all(any(map(str.isalpha, line)) for line in lines)
    return names if has_letters and len({*names}) == 2 else ("sentence1", "sentence2")


def _text(file: str, data: bytes, encoding: str | None) -> str:
    try:
        return as_utf8(data, name=file, encoding=encoding).decode("utf-8-sig")
    except TableError as error:
        raise _refused(str(error)) from error


def _refused(message: str) -> Refused:
    return Refused("invalid", message, status=400)
