"""Tables of phrases with their paraphrases: one pair per row, numbered columns of paraphrases, or the format of the
Paraphrase Database (PPDB), such as `[NN] ||| plant ||| factory ||| PPDB2.0Score=4.1 … ||| 0-0 ||| Equivalence`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import isfinite

from accord_core.exchange.cells import shorten
from accord_core.exchange.encoding import as_utf8, open_text
from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.numbers import read_number
from accord_core.exchange.tables import Limits, Row, TableStream, iter_table
from accord_core.paraphrase.formats.candidate_columns import PARAPHRASE, numbered_columns

BARS = " ||| "
FIELDS = 4  # of a line in PPDB 1.0: the constituent, the phrase, the paraphrase and the features
_PPDB = re.compile(r"\[[^\]]+\] \|\|\| ")
_SCORE = re.compile(r"(?:^|\s)PPDB2\.0Score=(\S+)")


def iter_phrase_table(data: bytes, *, name: str) -> TableStream:
    """Return the pairs of phrases and paraphrases as rows with the columns `phrase`, `paraphrase` and, if the file has
    scores, `score`. Other columns do not change. Errors are raised as in `iter_table`.
    """
    data = as_utf8(data, name=name)
    if _PPDB.match(open_text(data, name=name).readline()):
        pairs, has_scores = _ppdb_pairs(data, name)
        return TableStream(name, ["phrase", "paraphrase", *(["score"] if has_scores else [])], iter(pairs))
    table = iter_table(data, name=name, limits=Limits())
    numbered = numbered_columns(table.columns, {"paraphrase": PARAPHRASE}).get("paraphrase", [])
    if not numbered:
        return table
    columns = [column for column in table.columns if column not in numbered]
    return TableStream(name, [*columns, "paraphrase"], _unfolded(table, columns, numbered))


def _ppdb_pairs(data: bytes, name: str) -> tuple[list[Row], bool]:
    """Return each pair once, with its highest score, because PPDB repeats a pair for each constituent."""
    faults: list[Fault] = []
    rows: dict[tuple[str, str], Row] = {}
    for number, line in enumerate(open_text(data, name=name), start=1):
        if not line.strip():
            continue
        fields = line.strip().split(BARS)
        if len(fields) < FIELDS:
            message = f"the line has {len(fields)} fields, but a line of PPDB has at least {FIELDS}"
            faults.append(Fault(number, None, message))
            continue
        _, phrase, paraphrase, features, *_ = fields
        score = found[1] if (found := _SCORE.search(features)) else ""
        if score and not _is_number(score):
            faults.append(Fault(number, None, f"{shorten(score)} is not a number"))
            continue
        pair = (phrase.casefold(), paraphrase.casefold())
        if pair not in rows or float(score or 0) > float(rows[pair].values["score"] or 0):
            rows[pair] = Row(number, {"phrase": phrase, "paraphrase": paraphrase, "score": score})
    raise_faults(name, faults)
    return list(rows.values()), any(row.values["score"] for row in rows.values())


def _is_number(cell: str) -> bool:
    try:
        return isfinite(read_number(cell))
    except ValueError:
        return False


def _unfolded(table: TableStream, columns: Sequence[str], numbered: Sequence[str]) -> Iterator[Row]:
    """Yield one row per paraphrase. Empty cells are not paraphrases."""
    for row in table.rows:
        rest = {column: row.values[column] for column in columns}
        for column in numbered:
            if row.values[column].strip():
                yield Row(row.line, {**rest, "paraphrase": row.values[column]})
