"""Readers of item files and of gold files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.exchange.cells import IdChecks, yes_or_no
from accord_core.exchange.faults import Fault, TableError
from accord_core.exchange.numbers import read_number, read_whole
from accord_core.exchange.tables import Limits, Row, read_table
from accord_rating.options import MOST_ITEMS, RANKING, scales_of
from annotate.tasktypes import FileColumn, ItemDraft, ItemsRead, QuestionDraft, QuestionsRead

# `accord try` recognises a file by the column `set`, which no other task type reads.
SET = FileColumn("set", example="q1", aliases=("prompt_id", "group"))
CONTEXT = FileColumn("context", example="Summarise the report.", aliases=("prompt",))
TEXT = FileColumn("text", required=True, example="The report is about trees.", aliases=("output", "response"))
ITEM_COLUMNS = (FileColumn("id", example="q1-a"), SET, CONTEXT, TEXT, FileColumn("gold_only"))
OWN = {"id", "set", "context", "text", "gold_only"}


def read_items(data: bytes, name: str, options: Mapping[str, Any], limits: Mapping[str, int]) -> ItemsRead:
    """Read items with a text, and with a set and a context if the file has these columns."""
    try:
        table = read_table(data, name=name, limits=Limits(**limits))
    except TableError as error:
        return ItemsRead([], error.faults, [], [])
    faults: list[Fault] = []
    ids = IdChecks(faults)
    items = []
    for row in table.rows:
        key = ids.check(row.values.get("id", ""), row.line, "id")
        metadata = {column: cell for column, cell in row.values.items() if column not in OWN}
        held_out = yes_or_no(row.values.get("gold_only", ""), row.line, "gold_only", faults)
        items.append(ItemDraft(key, _content(row, faults), metadata, held_out=held_out, line=row.line))
    faults += _faults_in_sets([(item.content, item.line, item.held_out) for item in items])
    return ItemsRead(items, faults, [], table.columns)


def gold_columns(options: Mapping[str, Any]) -> list[FileColumn]:
    """Return the columns of a gold file: one row per item, with its expected ratings or its expected rank."""
    expected = [FileColumn(scale.name, example=str(scale.low)) for scale in scales_of(options)] or [
        FileColumn("rank", required=True, example="1")
    ]
    id_ = FileColumn("id", required=True, example="g1", label="ID of the question")
    return [id_, CONTEXT, TEXT, *expected, FileColumn("explanation", example="It leaves out the main point.")]


def read_gold(data: bytes, name: str, options: Mapping[str, Any]) -> QuestionsRead:
    """Read gold questions. Rows with the same ID are the items of one question. An empty cell expects nothing."""
    try:
        table = read_table(data, name=name, limits=Limits())
    except TableError as error:
        return QuestionsRead([], error.faults)
    faults: list[Fault] = []
    groups: dict[str, list[Row]] = {}
    for row in table.rows:
        ref = row.values.get("id", "").strip()
        if not ref:
            faults.append(Fault(row.line, "id", "the cell is empty; give the question an ID"))
        groups.setdefault(ref, []).append(row)
    questions = [_gold(ref, rows, options, faults) for ref, rows in groups.items()]
    return QuestionsRead(questions, faults)


def _gold(ref: str, rows: Sequence[Row], options: Mapping[str, Any], faults: list[Fault]) -> QuestionDraft:
    contents = [_content(row, faults) | {"set": ref} for row in rows]
    faults += _faults_in_sets([(content, row.line, False) for content, row in zip(contents, rows, strict=True)])
    gold: dict[str, Any]
    if options["mode"] == RANKING:
        gold = {"ranks": [_rank(row, faults) for row in rows]}
        given = gold["ranks"]
        if len({rank for rank in given if rank is not None}) < 2:
            faults.append(Fault(rows[0].line, "rank", f"the question {ref} needs two items with different ranks"))
    else:
        gold = {"ratings": [_ratings(row, options, faults) for row in rows]}
        given = [value for values in gold["ratings"] for value in values]
        if all(value is None for value in given):
            faults.append(Fault(rows[0].line, None, f"the question {ref} has no expected rating"))
    payload = {"texts": [content["text"] for content in contents], "context": contents[0].get("context", "")}
    why = next((cell for row in rows if (cell := row.values.get("explanation", "").strip())), "")
    return QuestionDraft(ref, payload, gold=gold, explanation=why, line=rows[0].line)


def _content(row: Row, faults: list[Fault]) -> dict[str, str]:
    text = row.values.get("text", "").strip()
    if not text:
        faults.append(Fault(row.line, "text", "the cell is empty"))
    optional = {column: row.values.get(column, "").strip() for column in ("set", "context")}
    return {"text": text} | {column: cell for column, cell in optional.items() if cell}


def _faults_in_sets(rows: Sequence[tuple[Mapping[str, str], int | None, bool]]) -> list[Fault]:
    faults = []
    sizes: dict[str, int] = {}
    first: dict[str, tuple[str, bool]] = {}
    for content, line, held_out in rows:
        if "set" not in content:
            if "context" in content:
                faults.append(Fault(line, "set", "an item with a context needs a set"))
            continue
        name = content["set"]
        sizes[name] = sizes.get(name, 0) + 1
        if sizes[name] == MOST_ITEMS + 1:
            faults.append(Fault(line, "set", f"the set {name} has more than {MOST_ITEMS} items"))
        context, earlier = first.setdefault(name, (content.get("context", ""), held_out))
        if content.get("context", "") != context:
            faults.append(Fault(line, "context", f"the set {name} has another context in an earlier row"))
        if held_out != earlier:
            faults.append(Fault(line, "gold_only", f"all items of the set {name} need the same value"))
    return faults


def _ratings(row: Row, options: Mapping[str, Any], faults: list[Fault]) -> list[float | None]:
    cells = []
    for scale in scales_of(options):
        cell = next((value for name, value in row.values.items() if name.casefold() == scale.name.casefold()), "")
        value = _number(cell, read_number)
        if cell.strip() and (value is None or not scale.low <= value <= scale.high):
            faults.append(Fault(row.line, scale.name, f"{cell} is no number from {scale.low} to {scale.high}"))
        cells.append(value)
    return cells


def _rank(row: Row, faults: list[Fault]) -> int | None:
    cell = row.values.get("rank", "")
    rank = _number(cell, read_whole)
    if cell.strip() and (rank is None or rank < 1):
        faults.append(Fault(row.line, "rank", f"{cell} is no rank such as 1, 2 or 3"))
    return None if rank is None else int(rank)


def _number(cell: str, read: Any) -> Any:
    try:
        return read(cell) if cell.strip() else None
    except ValueError:
        return None
