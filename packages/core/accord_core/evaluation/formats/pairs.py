"""A reader for each item's sentence pair, from an item file or a score file."""

from __future__ import annotations

from accord_core.evaluation.formats.predictions import ITEM, SENTENCES
from accord_core.exchange.faults import Fault, TableError, raise_faults
from accord_core.exchange.tables import Limits, find_column, iter_rows, iter_table

Pairs = dict[str, tuple[str, str]]


def read_pairs(data: bytes, *, name: str) -> Pairs:
    """Return each item's two sentences, in file order.

    The file has the columns item (or id, PairID), sentence1 and sentence2, or, as in STR-2021, one column text with a
    line break between the sentences. Raises TableError with every error: a missing column, an empty cell, a repeated
    item, or a text that does not have two lines.
    """
    stream = iter_table(data, name=name, limits=Limits())
    faults: list[Fault] = []
    rows = list(iter_rows(stream, faults))
    item_column = next((column for each in ITEM if (column := find_column(stream.columns, each))), None)
    sentence_columns = [column for each in SENTENCES if (column := find_column(stream.columns, each))]
    text_column = find_column(stream.columns, "text")
    if item_column is None or not (len(sentence_columns) == 2 or text_column):
        message = f"the file needs the columns id, sentence1 and sentence2. The columns are {', '.join(stream.columns)}"
        raise TableError(name, [*faults, Fault(1, None, message)])
    pairs: Pairs = {}
    line_of: dict[str, int] = {}
    for row in rows:
        item = row.values.get(item_column, "").strip()
        if len(sentence_columns) == 2:
            sentences = [row.values.get(column, "").strip() for column in sentence_columns]
        else:
            sentences = [line.strip() for line in row.values.get(text_column or "", "").strip().splitlines()]
        if line_of.setdefault(item, row.line) != row.line:
            faults.append(Fault(row.line, item_column, f"{item} is already on line {line_of[item]}"))
        elif not item:
            faults.append(Fault(row.line, item_column, "the cell is empty"))
        elif len(sentences) != 2 or not all(sentences):
            faults.append(Fault(row.line, None, f"{item} does not have two sentences"))
        else:
            pairs[item] = (sentences[0], sentences[1])
    raise_faults(name, faults)
    return pairs
