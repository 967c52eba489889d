"""The file format for items, with a sentence, a phrase in it, the phrase's candidate paraphrases, and a domain."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from accord_core.exchange.cells import IdChecks, yes_or_no
from accord_core.exchange.faults import Fault, in_order
from accord_core.exchange.spellings import LookAlikes
from accord_core.exchange.tables import Row, Table, TableStream, find_column
from accord_core.paraphrase.formats.candidate_columns import PARAPHRASE, begin, group_rows, join_numbered
from accord_core.paraphrase.formats.phrases import PhraseChecks

LONGEST_SENTENCE = 2_000
REQUIRED = ("sentence", "phrase", "paraphrases")
ONE_DOMAIN = "all"  # the domain of all items in a file without the column
COLUMNS = ("id", "sentence", "phrase", "start", "paraphrases", "domain")
ONE_QUESTION = "For one question, name the column candidate, and give such rows the same ID or none"
KEYS = ("sentence", "phrase", "start", "domain", "gold_only")


class ItemRow(NamedTuple):
    """An item. `content` has the form {sentence, phrase, start, paraphrases}, and `metadata` contains the domain and
    all other columns.

    `numbered` is true if the row has no ID. In this case, `key` contains the row's position. `start` is an
    offset in characters (code points), counted from 0. Items with `held_out` are not in the design and can become gold
    questions.
    """

    line: int
    key: str
    content: dict[str, Any]
    metadata: dict[str, str]
    held_out: bool
    numbered: bool = False


def read_items(
    table: Table | TableStream, *, longest: int = LONGEST_SENTENCE
) -> tuple[list[ItemRow], list[Fault], list[Fault]]:
    """Return (items, faults, warnings) for a table with the columns sentence, phrase and paraphrases. Without a column
    `id`, the items are named item-1, item-2, … by position. Without a column `domain`, all items have the same domain.
    The paraphrases can also be in numbered columns, or
    in a column `paraphrase` with one row per paraphrase.

    The column or the cell `start` can be omitted if the phrase occurs only once. Items with `gold_only` are held out.
    Rows with errors are not among the items. Errors are sorted by line. `longest` is the maximum number of characters
    in a sentence.
    """
    faults: list[Fault] = []
    warnings: list[Fault] = []
    table = join_numbered(begin(table, faults), {"paraphrases": PARAPHRASE})
    table = group_rows(table, KEYS, "paraphrases", faults, warnings)
    checks = _ItemChecks(PhraseChecks(faults, longest, warnings), faults, warnings)
    items = []
    for number, row in enumerate(table.rows, start=1):
        before = len(faults)
        item = checks.item(row, table.columns, number)
        if len(faults) == before:
            items.append(item)
    missing = [column for column in REQUIRED if find_column(table.columns, column) is None]
    if missing and table.columns:
        columns_present = f"the columns are {', '.join(table.columns)}"
        faults[:] = [fault for fault in faults if fault.column not in missing]
        faults += [
            Fault(1, column, f"the column is missing: {columns_present}. Items have the columns {','.join(COLUMNS)}")
            for column in missing
        ]
    if not faults and not items:
        faults.append(Fault(None, None, "the file has no items"))
    return items, in_order(faults), warnings


def write_items(items: Iterable[tuple[str, dict[str, Any], str]]) -> Iterator[str]:
    """Yield items (id, content, domain) as JSON Lines, one line at a time."""
    for key, content, domain in items:
        yield json.dumps({"id": key, **content, "domain": domain}, ensure_ascii=False) + "\n"


class _ItemChecks:
    """The values in earlier rows, used to detect repeated rows."""

    def __init__(self, phrases: PhraseChecks, faults: list[Fault], warnings: list[Fault]) -> None:
        self.phrases = phrases
        self.faults = faults
        self.warnings = warnings
        self.ids = IdChecks(faults)
        self.look_alikes = LookAlikes()

    def item(self, row: Row, columns: Sequence[str], number: int) -> ItemRow:
        names = {column: find_column(columns, column) or column for column in (*COLUMNS, "gold_only")}
        id_column = find_column(columns, "id")
        cell = row.values.get(id_column, "") if id_column else f"item-{number}"
        key = self.ids.check(cell, row.line, id_column)
        sentence = self.phrases.sentence(row, names["sentence"])
        phrase = self.phrases.phrase(row, names["phrase"])
        start = self.phrases.start(row, names["start"], names["phrase"], sentence, phrase)
        paraphrases = self.phrases.candidates(row, names["paraphrases"], phrase)
        domain = row.values.get(names["domain"], "").strip() if find_column(columns, "domain") else ONE_DOMAIN
        if not domain:
            message = "the cell is empty. Name the domain of the item (all items can have the same domain)"
            self.faults.append(Fault(row.line, names["domain"], message))
        place = (sentence, phrase, sentence[:start])
        if sentence and phrase and (earlier := self.look_alikes.earlier(place, row.line)):
            message = f"the phrase and the sentence are the same as on line {earlier}, or look the same. {ONE_QUESTION}"
            self.warnings.append(Fault(row.line, names["sentence"], message))
        content = {"sentence": sentence, "phrase": phrase, "start": start, "paraphrases": paraphrases}
        rest = {name: cell for name, cell in row.values.items() if name not in names.values()}
        gold_only = names["gold_only"]
        held_out = yes_or_no(row.values.get(gold_only, ""), row.line, gold_only, self.faults)
        return ItemRow(row.line, key, content, {"domain": domain, **rest}, held_out, numbered=id_column is None)
