"""The tables in a release, with the names and types of their columns, for the data card and the Croissant metadata."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Kind = Literal["text", "integer", "number"]
SEPARATORS = {"csv": ",", "tsv": "\t"}
# Identifier columns contain text, even if all identifiers in a study are numbers such as 007.
IDENTIFIERS = frozenset(
    "annotator bestitem candidate dataset domain group hit id item pair paraphrase phrase question sentence source "
    "source_word stratum subcorpus target target_word text tuple worstitem".split()
)
_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,17})", re.ASCII)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", re.ASCII)


class Column(NamedTuple):
    """A column in a table, with the type of its cells."""

    name: str
    kind: Kind


class Table(NamedTuple):
    """A table with one header line. `name` is unique in the release, and `separator` is a comma or a tab.

    `parts` contains the paths of the files with only the rows of one part (train, dev or test).
    """

    name: str
    path: str
    separator: str
    columns: list[Column]
    parts: Mapping[str, str] = MappingProxyType({})


def tables_in(files: Mapping[str, bytes]) -> list[Table]:
    """Return the CSV and TSV tables among the files. Tables with empty or repeated column names are excluded, because
    programs cannot distinguish their columns.
    """
    tables: list[Table] = []
    names: set[str] = set()
    for path, data in files.items():
        stem, _, ending = path.rsplit("/", 1)[-1].rpartition(".")
        if ending not in SEPARATORS:
            continue
        header, *rows = list(cells(data, SEPARATORS[ending])) or [[]]
        if not header or "" in header or len(set(header)) < len(header):
            continue
        name = stem if stem not in names else f"{stem}-{ending}"
        names.add(name)
        columns = [Column(title, _kind(title, (row[place] for row in rows))) for place, title in enumerate(header)]
        tables.append(Table(name, path, SEPARATORS[ending], columns))
    return tables


def cells(data: bytes, separator: str) -> Iterator[list[str]]:
    """Yield each row's cells. Tab-separated files contain no quotation marks around cells."""
    text = data.decode("utf-8-sig")
    if separator == "\t":
        yield from (line.split("\t") for line in text.removesuffix("\n").split("\n"))
    else:
        yield from csv.reader(io.StringIO(text, newline=""))


def _kind(title: str, cells: Iterable[str]) -> Kind:
    """Return a column's type. Columns of whole numbers with empty cells have the type `number`, because an integer
    cannot be empty.
    """
    if title.lower().rstrip("0123456789") in IDENTIFIERS:
        return "text"
    values = list(cells)
    filled = [cell for cell in values if cell]
    if not filled or not all(_NUMBER.fullmatch(cell) and math.isfinite(float(cell)) for cell in filled):
        return "text"
    whole = len(filled) == len(values) and all(_INTEGER.fullmatch(cell) for cell in filled)
    return "integer" if whole else "number"
