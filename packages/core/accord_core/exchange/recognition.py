"""The columns of a researcher's own table, recognised by their names or, if these are unknown, by their contents.

A task type reads one of several arrangements of columns, such as (`text`,) or (`sentence1`, `sentence2`). All other
columns become metadata. The first row contains column names or data. If its appearance does not show which, its reading
is `UNCLEAR`. A task type with arrangements then reads it as data, so that no row is lost. Researchers can change each
decision in the preview.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from statistics import median

from accord_core.exchange.faults import TableError
from accord_core.exchange.layout import (
    JSON_ROWS,
    NO_HEADER,
    WHOLE_LINES,
    FileColumn,
    Holds,
    Layout,
    first_rows,
    guess_columns,
    header_of,
    letters,
)

NAMES, DATA, UNCLEAR = "names", "data", "unclear"
ROWS_READ = 500
LONGEST_NAME = 30  # characters of a column name
WORDS_IN_NAME = 3
ENDINGS = (".", "!", "?", "…", "。", "！", "？")
ROWS_PER_LABEL = 4  # a column that repeats each of its short values so often contains labels, such as genres
LABEL_NAMES = frozenset(  # of columns whose short values are labels even if most of them occur only twice
    "source quelle herkunft origin corpus korpus genre textsorte register domain domäne topic thema category kategorie "
    "class klasse type typ group gruppe condition bedingung split language sprache author autor speaker sprecher "
    "dataset datensatz medium list liste label tag pos wortart".split()
)
MOSTLY, HALF = 0.8, 0.5  # shares of rows
KEYWORD, SENTENCE = 2, 5  # words. A column of at most two words is no second text of a sentence with at least five
LABEL = "_label"  # suffix for a column of labels whose own name would make it a text
# No two parts of these patterns match the same characters, so that a long cell takes no longer than its length.
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d+)?|[.,]\d+)([eE][+-]?\d+)?%?", re.ASCII)
_IDENTIFIER = re.compile(r"[^\W\d][^\W\d_]*_\w+")  # such as text_a
_NUMBERED = re.compile(r"(?<=\w)([\W_]+[^\W_]|[\W_]*\d+)$")
_URL = re.compile(r"\w+://\S+")
_DATE = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}([T ]\d{1,2}:\d{2}\S*)?", re.ASCII)
_LIST = re.compile(r"\[.*\]|[^|;]+[|;].*", re.DOTALL)
Arrangements = Sequence[Sequence[str]]
Rows = Sequence[Sequence[str]]
Cells = Mapping[str, Sequence[str]]


def recognise(
    data: bytes, layout: Layout, expected: Sequence[FileColumn], arrangements: Arrangements, *, name: str
) -> tuple[Layout, str]:
    """Return the layout with the line of the header row, and with `WHOLE_LINES` as the delimiter of a list of texts.
    Also return how the first row was recognised: as `NAMES`, `DATA` or `UNCLEAR`, or as an empty string if the row
    contains the name of an expected column.
    """
    rows = _rows(data, layout, name)
    if not rows or layout.delimiter == JSON_ROWS or layout.header is not None:
        return layout, ""
    known = has_known_name(rows[0], expected)
    if not layout.sheet and ("text",) in arrangements and _is_list_of_texts(rows, known=known):
        layout = replace(layout, delimiter=WHOLE_LINES)
        rows = _rows(data, layout, name)
    if known:
        return layout, ""
    reading = reading_of_first_row(rows, arrangements)
    is_data = reading == DATA or (reading == UNCLEAR and bool(arrangements))
    return replace(layout, header=NO_HEADER) if is_data else layout, reading


def recognise_columns(
    data: bytes, layout: Layout, expected: Sequence[FileColumn], arrangements: Arrangements, *, name: str
) -> dict[str, str]:
    """Map column names in the file to expected columns. Columns that already have the expected name are not included.
    Raises `TableError`.

    Without a column for IDs, the rows are numbered. A column with a similar name, such as “item”, contains IDs only if
    most of its cells are different.
    """
    header = header_of(data, layout, name=name)
    rows = _rows(data, layout, name)[0 if layout.header == NO_HEADER else layout.header_rows :]
    cells = {column: [row[at].strip() if at < len(row) else "" for row in rows] for at, column in enumerate(header)}
    names = guess_columns(header, expected)
    ids = {column for column, role in names.items() if role == "id"}
    without_ids = {column: role for column, role in names.items() if role != "id"}
    if any(_distinct_share(cells[column]) < MOSTLY for column in ids) and not _is_grouped(header, expected):
        names = without_ids
    if not arrangements:
        required = [column.name for column in expected if column.required]
        by_position = layout.header == NO_HEADER and len(required) == len(header)
        return dict(zip(header, required, strict=True)) if by_position else names
    if repeated := _repeated_labels(cells, names, expected, arrangements):
        others = {column: each for column, each in cells.items() if column not in repeated}
        kept = {column: role for column, role in names.items() if column not in repeated}
        if (found := _complete(others, kept, expected, arrangements)) is not None:
            return found | {column: f"{column}{LABEL}" for column in repeated if column not in names}
    found = _complete(cells, names, expected, arrangements)
    if found is None and ids:
        found = _complete(cells, without_ids, expected, arrangements)
    return names if found is None else found


def reading_of_first_row(rows: Rows, arrangements: Arrangements = ()) -> str:
    """Return whether a first row without known names contains `NAMES` or `DATA`, or `UNCLEAR`."""
    first, others = rows[0], [row for row in rows[1:] if row != rows[0]]
    if not others:
        return DATA if arrangements or not all(map(_is_name, first)) else NAMES
    signs = {_sign(cell.strip(), [row[at].strip() for row in others if at < len(row)]) for at, cell in enumerate(first)}
    readings = signs - {UNCLEAR}
    return readings.pop() if len(readings) == 1 else UNCLEAR


def has_known_name(cells: Sequence[str], expected: Sequence[FileColumn]) -> bool:
    """Return whether one of the cells is the name or an alias of an expected column."""
    names = {letters(name) for column in expected for name in (*column.names, *column.aliases)}
    return any(letters(cell) in names for cell in cells if cell.strip())


def looks_like_id(cell: str) -> bool:
    """Return whether a cell contains one word with a digit, such as p1."""
    return len(cell.split()) == 1 and any(character.isdigit() for character in cell)


def _sign(cell: str, below: Sequence[str]) -> str:
    """Return what a cell of the first row, compared with the cells below, says about this row."""
    filled = [each for each in below if each]
    if not cell or not filled:
        return UNCLEAR
    for kind in (_is_number, looks_like_id, _is_url):
        if all(map(kind, filled)):
            return DATA if kind(cell) else NAMES
    if cell in filled or not _is_name(cell):
        return DATA
    if _words(filled) > WORDS_IN_NAME or (_IDENTIFIER.fullmatch(cell) and not any(map(_IDENTIFIER.fullmatch, filled))):
        return NAMES
    return UNCLEAR


def _repeated_labels(
    cells: Cells, names: Mapping[str, str], expected: Sequence[FileColumn], arrangements: Arrangements
) -> list[str]:
    """Return the columns that have the name of a text, such as “Source”, but contain short values that repeat, such as
    corpora.
    """
    arranged = {role for arrangement in arrangements for role in arrangement}
    texts = [column for column in expected if column.name in arranged and column.holds == Holds.TEXT]
    read = {name.casefold() for column in texts for name in column.names}
    named = [name for name in cells if name.casefold() in read or names.get(name) in {each.name for each in texts}]
    return [name for name in named if _words(cells[name]) <= WORDS_IN_NAME and _distinct_share(cells[name]) < HALF]


def _complete(
    cells: Cells, names: Mapping[str, str], expected: Sequence[FileColumn], arrangements: Arrangements
) -> dict[str, str] | None:
    """Return `names` with the columns that only their contents identify, or None if no arrangement fits."""
    columns = {column.name: column for column in expected}
    read = {name.casefold(): column.name for column in expected for name in column.names}
    roles = {**{column: read[column.casefold()] for column in cells if column.casefold() in read}, **names}
    present = {*roles.values(), *(each.name for each in expected if any(each.is_part(name) for name in cells))}
    arranged = {role for arrangement in arrangements for role in arrangement}
    fitting = [each for each in arrangements if not present & (arranged - {*each})]
    if any(present.issuperset(each) for each in fitting):
        return dict(names)
    rest = {column: texts for column, texts in cells.items() if column not in roles and any(texts)}
    first = next(iter(cells), "")
    ids = {first: "id"} if "id" not in present and first in rest and len(rest) > 1 and _are_ids(rest[first]) else {}
    rest = {column: texts for column, texts in rest.items() if column not in ids}
    texts = arranged & {column.name for column in expected if column.holds == Holds.TEXT}
    sentences = [cells[column] for column, role in roles.items() if role in texts]
    for candidates in (_texts, _sentences, _only_column):
        for arrangement in fitting:
            missing = [columns[role] for role in arrangement if role not in present]
            if (found := _assigned(missing, rest, sentences, candidates)) is not None:
                return {**names, **ids, **found}
    return None


def _assigned(
    missing: Sequence[FileColumn],
    rest: Cells,
    sentences: Sequence[Sequence[str]],
    candidates: Callable[[Cells], Sequence[str]],
) -> dict[str, str] | None:
    """Return the `missing` columns by their names in the file, or None if the rest of the columns does not contain
    them. `candidates` finds the columns with texts, in the order of the file.
    """
    lists, texts, parts = ([role for role in missing if role.holds == kind] for kind in Holds)
    listed = [column for column, cells in rest.items() if _share(cells, _LIST.fullmatch) >= MOSTLY]
    found = {listed[0]: lists[0].name} if lists and len(listed) == 1 else {}
    columns = candidates(_without(rest, found)) if texts else []
    if len(columns) != len(texts) or (len(columns) > 1 and not _are_alike([rest[column] for column in columns])):
        return None
    found |= {column: role.name for column, role in zip(columns, texts, strict=True)}
    sentences = [*sentences, *(rest[column] for column in columns)]
    for role in parts:
        inside = [column for column, cells in _without(rest, found).items() if _are_inside(cells, sentences)]
        found |= dict.fromkeys(inside[:1], role.name)
    for role in lists if not listed else ():
        single = _with_numbered(_texts(_without(rest, found)), _without(rest, found))
        found |= {
            column: f"{role.in_parts[0]} {number}" if len(single) > 1 else role.in_parts[0]
            for number, column in enumerate(single, start=1)
        }
    complete = all(any(name == role.name or role.is_part(name) for name in found.values()) for role in missing)
    return found if complete else None


def _with_numbered(columns: Sequence[str], rest: Cells) -> list[str]:
    """Return the columns, and those that continue their numbering, such as “Option F” after “Option E”, although most
    of their cells are empty.
    """
    series = {_series(column) for column in columns} - {""}
    return [column for column in rest if column in columns or _series(column) in series]


def _series(column: str) -> str:
    """Return a numbered or lettered name without its number or letter, or an empty string for another name."""
    number = _NUMBERED.search(column) if len(column) <= LONGEST_NAME else None
    return column[: number.start()].casefold() if number else ""


def _without(cells: Cells, columns: Collection[str]) -> Cells:
    return {column: each for column, each in cells.items() if column not in columns}


def _are_inside(cells: Sequence[str], sentences: Sequence[Sequence[str]]) -> bool:
    """Return whether the cells occur in the sentences in the same rows."""

    def share(texts: Sequence[str]) -> float:
        pairs = zip(cells, texts, strict=True)
        return sum(bool(cell) and cell.casefold() in text.casefold() for cell, text in pairs) / max(1, len(cells))

    return any(share(texts) >= MOSTLY for texts in sentences)


def _are_alike(columns: Sequence[Sequence[str]]) -> bool:
    """Return whether the texts of all columns can be compared, unlike sentences and their keywords."""
    lengths = [_words([cell for cell in cells if cell]) for cells in columns]
    return min(lengths) > KEYWORD or max(lengths) < SENTENCE


def _texts(cells: Cells) -> list[str]:
    """Return the columns with texts, rather than numbers, addresses, labels or mostly empty cells."""
    return [column for column in _not_numbers(cells) if column not in _labels(cells)]


def _sentences(cells: Cells) -> list[str]:
    return [column for column in _texts(cells) if _words(cells[column]) > WORDS_IN_NAME]


def _only_column(cells: Cells) -> list[str]:
    """Return the only column that can contain texts. Texts of such a column can repeat."""
    columns = _not_numbers(cells)
    return columns if len(columns) == 1 else []


def _not_numbers(cells: Cells) -> list[str]:
    return [column for column, each in cells.items() if _share(each, bool) > 0.5 and _share(each, _is_no_text) < MOSTLY]


def _is_no_text(cell: str) -> bool:
    return _is_number(cell) or _is_url(cell) or bool(_DATE.fullmatch(cell))


def _labels(cells: Cells) -> list[str]:
    """Return the columns with short values that repeat. Columns such as “word1” and “word2” belong together, so they
    contain no labels.
    """
    stems = Counter(_stem(column) for column in cells)
    return [
        column
        for column, each in cells.items()
        if stems[_stem(column)] == 1 and _are_labels([cell for cell in each if cell], letters(column) in LABEL_NAMES)
    ]


def _are_labels(cells: Sequence[str], named: bool) -> bool:
    most = MOSTLY if named else 1 / ROWS_PER_LABEL
    return _words(cells) <= WORDS_IN_NAME and _distinct_share(cells) <= most


def _stem(column: str) -> str:
    """Return a name without the digit or the letter that distinguishes it from another name, as in “Satz A”. The names
    that Accord gives to columns of a file without a header remain whole.
    """
    if re.fullmatch(r"column [0-9]+", column):
        return column
    return re.sub(r"[0-9]+$|[\W_][a-b]$", "", column.strip().casefold())


def _are_ids(cells: Sequence[str]) -> bool:
    return _distinct_share(cells) == 1 and all(looks_like_id(cell) and not _is_fraction(cell) for cell in cells)


def _distinct_share(cells: Sequence[str]) -> float:
    """Return the number of different values, not counting empty cells, divided by the number of cells."""
    return len({*cells} - {""}) / max(1, len(cells))


def _is_grouped(header: Sequence[str], expected: Sequence[FileColumn]) -> bool:
    """Return whether the file can have several rows per item, so that its IDs repeat."""
    return any(column.is_part(name) and not name[-1].isdigit() for column in expected for name in header)


def _is_list_of_texts(rows: Rows, *, known: bool) -> bool:
    """Return whether each line is one text, so that its commas belong to the text. Below a header with one column, any
    comma belongs to the text. Without a header, a space follows most commas of a list.
    """
    if len(rows[0]) == 1:
        return any(len(row) > 1 for row in rows)
    after_commas = [cell[:1].isspace() for row in rows for cell in row[1:]]
    return not known and 2 * sum(after_commas) > len(after_commas)


def _is_name(cell: str) -> bool:
    text = cell.strip()
    return 0 < len(text) <= LONGEST_NAME and len(text.split()) <= WORDS_IN_NAME and not text.endswith(ENDINGS)


def _is_number(cell: str) -> bool:
    return bool(_NUMBER.fullmatch(cell))


def _is_fraction(cell: str) -> bool:
    return _is_number(cell) and not cell.isdecimal()


def _is_url(cell: str) -> bool:
    return bool(_URL.fullmatch(cell))


def _words(cells: Sequence[str]) -> float:
    """Return the median number of words in a cell."""
    return median([len(cell.split()) for cell in cells] or [0])


def _share(cells: Sequence[str], test: Callable[[str], object]) -> float:
    return sum(bool(test(cell)) for cell in cells) / max(1, len(cells))


def _rows(data: bytes, layout: Layout, name: str) -> list[list[str]]:
    """Return the cells of the first rows, without empty cells at the end. If a row is not valid CSV, return only the
    first row, or no rows.
    """
    for most in (ROWS_READ, 1):
        try:
            return [_filled(row) for row in first_rows(data, layout, name=name, most=most)]
        except TableError:
            continue
    return []


def _filled(cells: Sequence[str]) -> list[str]:
    filled = list(cells)
    while len(filled) > 1 and not filled[-1].strip():
        filled.pop()
    return filled
