"""Readers of item files and gold files. Both report all errors with their lines and columns."""

from accord_core.exchange.cells import IdChecks, yes_or_no
from accord_core.exchange.faults import Fault, TableError
from accord_core.exchange.tables import Limits, read_table
from annotate.tasktypes import FileColumn, ItemDraft, ItemsRead, QuestionDraft, QuestionsRead

# A file with the column `statement` is recognised by `accord try`, because no other task type reads this column.
STATEMENT = FileColumn("statement", required=True, example="The sky is green.")
ITEM_COLUMNS = (FileColumn("id", example="s1"), STATEMENT, FileColumn("gold_only"))
GOLD_COLUMNS = (
    FileColumn("id", required=True, example="g1"),
    STATEMENT,
    FileColumn("expected", required=True, example="no"),
    FileColumn("explanation", example="The sky is blue."),
)


def read_items(data, name, limits):
    try:
        table = read_table(data, name=name, limits=Limits(**limits))
    except TableError as error:
        return ItemsRead([], error.faults, [], [])
    faults = []
    ids = IdChecks(faults)
    items = []
    for row in table.rows:
        key = ids.check(row.values.get("id", ""), row.line, "id")
        content = {"statement": _statement(row, faults)}
        held_out = yes_or_no(row.values.get("gold_only", ""), row.line, "gold_only", faults)
        items.append(ItemDraft(key, content, held_out=held_out, line=row.line))
    return ItemsRead(items, faults, [], table.columns)


def read_gold(data, name):
    try:
        table = read_table(data, name=name, limits=Limits())
    except TableError as error:
        return QuestionsRead([], error.faults)
    faults = []
    ids = IdChecks(faults, "question")
    questions = []
    for row in table.rows:
        ref = ids.check(row.values.get("id", ""), row.line, "id")
        payload = {"statement": _statement(row, faults)}
        expected = yes_or_no(row.values.get("expected", ""), row.line, "expected", faults)
        why = row.values.get("explanation", "")
        questions.append(QuestionDraft(ref, payload, gold={"yes": expected}, explanation=why, line=row.line))
    return QuestionsRead(questions, faults)


def _statement(row, faults):
    statement = row.values.get("statement", "").strip()
    if not statement:
        faults.append(Fault(row.line, "statement", "the cell is empty"))
    return statement
