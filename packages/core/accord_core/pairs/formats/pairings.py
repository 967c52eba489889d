"""Functions that combine several translations of each sentence into sentence pairs, as training data for the built-in
aligner.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from accord_core.exchange.faults import Fault, TableError, raise_faults
from accord_core.exchange.tables import Limits, find_column, iter_table
from accord_core.pairs.formats.tabs import tab_line

COLUMNS = ("id", "source", "target")


def pairings(data: bytes, translations: Sequence[str], *, name: str) -> Iterator[tuple[str, str, str]]:
    """Yield the ID and the two sentences of each pair of translations, for each row of a CSV or JSON Lines file.

    `translations` contains the names of the columns. By default, all columns except `id` contain translations. An empty
    cell counts as a missing translation. The ID of a pair consists of the ID or the number of the row, and the two
    columns. Raises TableError if a column is missing, or if there are fewer than two columns.
    """
    table = iter_table(data, name=name, limits=Limits())
    rows = list(table.rows)
    id_column = find_column(table.columns, "id")
    chosen = [column for column in table.columns if column != id_column]
    if translations:
        found = {wanted: find_column(table.columns, wanted) for wanted in translations}
        missing = [Fault(1, wanted, "the column is missing") for wanted, column in found.items() if column is None]
        raise_faults(name, missing)
        chosen = [column for column in found.values() if column]
    if len(chosen) < 2:
        raise TableError(name, [Fault(1, None, "the file needs at least two columns with translations")])
    for number, row in enumerate(rows, start=1):
        key = row.values.get(id_column or "", "").strip() or str(number)
        for one, other in combinations(chosen, 2):
            source, target = (" ".join(row.values.get(column, "").split()) for column in (one, other))
            if source and target:
                yield f"{key}:{one}-{other}", source, target


def write_pairings(pairs: Iterator[tuple[str, str, str]]) -> Iterator[str]:
    """Yield tab-separated text with a header."""
    yield tab_line(COLUMNS)
    yield from map(tab_line, pairs)
