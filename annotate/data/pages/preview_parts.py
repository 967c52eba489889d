"""The parts of a file's preview page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from accord_core.exchange.faults import Fault
from accord_core.exchange.layout import JSON_ROWS, NO_HEADER, NO_TABLE
from annotate import tasktypes
from annotate.data.forms import LayoutForm
from annotate.data.services.stored_questions import effects_on_grades
from annotate.data.upload_preview import Preview
from annotate.models import Study, Upload
from annotate.questions.selectors.questions import in_words
from annotate.templatetags.figures import cell_text

CHOICES = {"add": "Add new rows only", "update": "Update stored {}", "replace": "Replace the earlier file"}
NOT_SHOWN = ("judgements", "numbered", "line")
# This mapping contains the columns whose names differ between the preview and the database.
COLUMN_NAMES = {"key": "id", "ref": "id", "held_out": "gold only"}


def layout_form(upload: Upload, summary: Preview, data: Any = None) -> LayoutForm | None:
    """Return the form for the layout, or None if the file is not a table."""
    if summary.layout is None:
        return None
    study = upload.study
    task = tasktypes.get(study.task_type)
    items = upload.purpose == Upload.Purpose.ITEMS
    return LayoutForm(
        data,
        layout=summary.layout,
        header=summary.header,
        sheets=summary.sheets,
        expected=task.file_columns(study.options, of_items=items),
        faulty=_faulty_lines(summary),
        first_rows=summary.first_rows,
    )


def known_rows(upload: Upload, summary: Preview) -> dict[str, Any]:
    """Return the different effects of the choices about known rows, the choices that are not possible, and the current
    contents of the first changed rows.
    """
    known: Any = summary.known
    of_items = upload.purpose == Upload.Purpose.ITEMS
    stored = (_stored_items if of_items else _stored_answers)(upload.study, [key for _, key in known["changed_rows"]])
    choices = [
        {
            **effect,
            "value": name,
            "title": CHOICES[name].format("items" if of_items else "questions"),
            "faults": [Fault(*each) for each in effect["faults"]],
        }
        for name, effect in known["choices"].items()
    ]
    return {
        "of_items": of_items,
        "noun": "item" if of_items else "question",
        "counts": known,
        "changed": [(line, key, stored.get(key, "")) for line, key in known["changed_rows"]],
        "choices": list(_different(choice for choice in choices if choice["possible"])),
        "impossible": [choice for choice in choices if choice["faults"]],
        "grades": effects_on_grades(upload, summary),
    }


def _different(choices: Iterable[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    """Return the first choice with each effect. To update stored items adds only new rows if no item has changed."""
    by_effect: dict[tuple[int, ...], dict[str, Any]] = {}
    for choice in choices:
        by_effect.setdefault(tuple(choice[name] for name in ("adds", "changes", "removes")), choice)
    return by_effect.values()


def _stored_items(study: Study, keys: Sequence[str]) -> dict[str, str]:
    task = tasktypes.get(study.task_type)
    return {
        item.key: ", ".join(cell_text(part) for part in task.item_parts(item.content).values())
        for item in study.items.visible().filter(key__in=keys)
    }


def _stored_answers(study: Study, refs: Sequence[str]) -> dict[str, str]:
    """Return the expected answers to gold or practice questions in words."""
    questions = study.questions.filter(ref__in=refs)
    return {each.ref: f"{in_words(study, each, each.gold)}. {each.explanation}".strip() for each in questions}


def _faulty_lines(summary: Preview) -> list[int]:
    """Return the line numbers of all rows that have errors. Return an empty list if the preview does not list all
    errors, or if some errors cannot be removed by excluding rows.
    """
    layout, lines = summary.layout, [fault.line for fault in summary.faults]
    if layout is None or layout.delimiter == NO_TABLE or summary.fault_count > len(lines):
        return []
    header = 0 if layout.delimiter == JSON_ROWS else 1 if layout.header is None else layout.header
    if len({int(line) for line, _ in summary.first_rows}) < len(summary.first_rows):
        return []  # a JSON list can contain several rows per line
    return sorted({line for line in lines if line is not None and line > header})


def skippable_lines(summary: Preview) -> list[int]:
    """Return the lines of the rows whose exclusion makes the file importable, or an empty list."""
    lines = _faulty_lines(summary)
    return lines if summary.rows and all(fault.line in lines for fault in summary.faults) else []


def first_row_readings(summary: Preview) -> list[dict[str, str]]:
    """Return the readings of the first row between which a researcher can choose."""
    rows = [" · ".join(filter(None, cells)) for _, cells in summary.first_rows[:2]] + ["", ""]
    names = {"title": "Read the first row as column names", "header": "", "names": rows[0], "first": rows[1]}
    data = {"title": "Read the first row as data", "header": str(NO_HEADER), "names": "", "first": rows[0]}
    return {"names": [data], "data": [names], "unclear": [names, data]}.get(summary.first_row, [])


def sample_table(study: Study, preview: Preview) -> tuple[list[str], list[list[tuple[str, str]]]]:
    """Return the first rows as a flat table, with one column for each part of the content and metadata. The heading of
    a renamed column shows its name in the file. Questions show their texts, and the expected answer in words.
    """
    task = tasktypes.get(study.task_type)
    gold_only = any(row.get("held_out") for row in preview.sample)
    sample = [row if gold_only else {name: row[name] for name in row if name != "held_out"} for row in preview.sample]
    keys = {key for row in sample if "payload" in row for key in task.item_keys(row["payload"])}
    texts = _stored_items(study, list(keys)) if keys else {}
    flat = [
        _flat(
            _question_in_words(study, row, texts)
            if "payload" in row
            else row | {"content": task.item_parts(row["content"])}
        )
        for row in sample
    ]
    filled_in = {name for name, value in task.filled_in.items() if all(row.get(name, value) == value for row in flat)}
    columns = [name for name in dict.fromkeys(name for row in flat for name in row) if name not in filled_in]
    labels = {column.name: column.label or column.name for column in task.item_columns}
    renamed = preview.layout.columns.items() if preview.layout else ()
    headings = {name: f"{column} → {labels.get(name, name)}" for column, name in renamed if column != name}
    shown = {name: headings.get("id" if name == COLUMN_NAMES["key"] else name, name) for name in columns}
    return list(shown.values()), [[(shown[name], row.get(name, "")) for name in columns] for row in flat]


def _question_in_words(study: Study, row: dict[str, Any], texts: Mapping[str, str]) -> dict[str, str]:
    """Return a row of a gold or practice file as texts. If all parts of the expected answer are items, each part is a
    column with the item's text.
    """
    task, gold = tasktypes.get(study.task_type), row["gold"]
    keys = task.item_keys(row["payload"])
    parts = [texts.get(key, key) for key in keys] if keys else task.question_texts(row["payload"], {})
    if isinstance(gold, dict) and all(isinstance(part, str) and part in texts for part in gold.values()):
        expected = {f"expected {name}": texts[part] for name, part in gold.items()}
    else:
        expected = {"expected answer": "" if gold is None else task.in_words(row["payload"], [], gold, study.options)}
    return {"ref": row["ref"], "question": " – ".join(parts), **expected, "explanation": row["explanation"]}


def _flat(row: Mapping[str, Any]) -> dict[str, str]:
    cells: dict[str, str] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            cells |= {part: cell_text(each) for part, each in value.items() if not part.startswith("_")}
        elif name not in NOT_SHOWN:
            cells[COLUMN_NAMES.get(name, name.replace("_", " "))] = cell_text(value)
    return cells
