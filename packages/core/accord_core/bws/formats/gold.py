"""The file format for gold questions: tuples with the best item, the worst item and an explanation."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.tables import Row, Table, TableStream, find_column, iter_rows


class GoldRow(NamedTuple):
    """A gold question. `items` contains the keys of all items. `best` and `worst` are the keys of the expected choices.
    `numbered` is true if the row has no ID. In this case, `ref` contains the row's position.
    """

    line: int
    ref: str
    items: tuple[str, ...]
    best: str
    worst: str
    explanation: str
    numbered: bool


def gold_columns(size: int) -> list[str]:
    """Return the header of a gold file, without the optional column `id`."""
    return [*(f"Item{n}" for n in range(1, size + 1)), "BestItem", "WorstItem", "Explanation"]


def read_gold(
    table: Table | TableStream, *, size: int, keys: Collection[str], key_of_text: Mapping[str, str] | None = None
) -> list[GoldRow]:
    """Return the gold questions in a table with the columns `gold_columns(size)` and, optionally, `id`.

    `keys` contains the keys of the existing items, and `key_of_text` the keys of items that a file can also name by
    their text. Questions without IDs are named gold-1, gold-2, … by their position in the file. Explanations can be
    empty. Raises TableError with every error and its line: format errors in a streamed
    table, an unknown item, an item that occurs twice in a row, an answer that is not among the items, the same item as
    best and worst, or a repeated ID or set of items.
    """
    faults: list[Fault] = []
    table_rows = list(iter_rows(table, faults))
    missing = [name for name in gold_columns(size) if find_column(table.columns, name) is None]
    unclear = _unclear(table.columns, size, missing) if table.columns else None
    checks = _GoldChecks(size, table.columns, keys, key_of_text or {}, faults)
    rows = [checks.row(number, row) for number, row in enumerate(table_rows, start=1)]
    if unclear:
        faults = [unclear, *(fault for fault in faults if fault.column not in missing)]
    raise_faults(table.name, faults)
    return rows


def _unclear(columns: Sequence[str], size: int, missing: Sequence[str]) -> Fault | None:
    if find_column(columns, f"Item{size + 1}") is not None:
        message = f"the file has a column Item{size + 1}, but the tuples of this study have {size} items"
        return Fault(None, f"Item{size + 1}", message)
    if missing:
        message = f"the file has no column {', '.join(missing)}. The header must be {','.join(gold_columns(size))}"
        return Fault(None, None, message)
    return None


class _GoldChecks:
    """The values in earlier rows, used to detect repeated rows. Cells of missing columns count as empty.

    Answers and repeated sets are not checked if the item columns differ from those of the study.
    """

    def __init__(
        self,
        size: int,
        columns: Sequence[str],
        keys: Collection[str],
        key_of_text: Mapping[str, str],
        faults: list[Fault],
    ) -> None:
        names = [find_column(columns, name) or name for name in gold_columns(size)]
        self.items, (self.best, self.worst, self.explanation) = names[:size], names[size:]
        self.complete = {*self.items} <= {*columns} and find_column(columns, f"Item{size + 1}") is None
        self.id = find_column(columns, "id")
        self.keys = keys if isinstance(keys, set | frozenset | dict) else set(keys)
        self.key_of_text = key_of_text
        self.line_of_ref: dict[str, int] = {}
        self.line_of_set: dict[frozenset[str], int] = {}
        self.faults = faults

    def row(self, number: int, row: Row) -> GoldRow:
        given = row.values.get(self.id, "").strip() if self.id else ""
        ref = given or f"gold-{number}"
        items = tuple(self._key(row, column) for column in self.items)
        best, worst = self._key(row, self.best), self._key(row, self.worst)
        self._check_items(row.line, items)
        self._check_answer(row.line, items, best, worst)
        self._check_repeats(row.line, ref, items)
        explanation = row.values.get(self.explanation, "").strip()
        return GoldRow(row.line, ref, items, best, worst, explanation, numbered=not given)

    def _key(self, row: Row, column: str) -> str:
        item = row.values.get(column, "").strip()
        return item if item in self.keys else self.key_of_text.get(item, item)

    def _check_items(self, line: int, items: tuple[str, ...]) -> None:
        for position, (column, item) in enumerate(zip(self.items, items, strict=True)):
            if not item:
                self._fault(line, column, "the cell is empty")
            elif item in items[:position]:
                self._fault(line, column, f"{item} is already in {self.items[items.index(item)]}")
            elif item not in self.keys:
                self._fault(line, column, f"the study has no item with the ID or text {item}")

    def _check_answer(self, line: int, items: tuple[str, ...], best: str, worst: str) -> None:
        for column, answer in ((self.best, best), (self.worst, worst)):
            if not answer:
                self._fault(line, column, "the cell is empty")
            elif self.complete and answer not in items:
                self._fault(line, column, f"{answer} is not one of the {len(items)} items in this row")
        if best and best == worst:
            self._fault(line, self.worst, f"{best} cannot be both best and worst")

    def _check_repeats(self, line: int, ref: str, items: tuple[str, ...]) -> None:
        if (earlier := self.line_of_ref.setdefault(ref, line)) != line:
            self._fault(line, self.id, f"the ID {ref} is already on line {earlier}")
        if self.complete and (earlier := self.line_of_set.setdefault(frozenset(items), line)) != line:
            self._fault(line, None, f"the items are the same as on line {earlier}. Use each set of items once")

    def _fault(self, line: int, column: str | None, message: str) -> None:
        self.faults.append(Fault(line, column, message))
