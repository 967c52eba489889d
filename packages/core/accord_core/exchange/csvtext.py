"""CSV files with line numbers for their records, and with cells that spreadsheets cannot evaluate as formulas.

A cell that a spreadsheet would treat as a formula is written with an apostrophe in front, which is removed when the
file is read. The characters are OWASP's list for CSV injection. Plain numbers such as -0.25 do not change. A cell that
already has apostrophes before such a character gets one more, so that a file is read exactly as it was written.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO, TextIOBase
from itertools import islice
from typing import Any

from accord_core.exchange.encoding import as_utf8, open_text
from accord_core.exchange.faults import Fault, TableError

DELIMITERS = (",", ";", "\t")
SPACE = " "  # the delimiter of R's write.table
CELL_LIMIT = csv.field_size_limit()
CHUNK = 1000
SNIFFED = 20  # lines

_FORMULA = "=+\\-@\t\r\n＝＋－＠"
_ESCAPES = re.compile(f"'*[{_FORMULA}]")
_ESCAPED = re.compile(f"'+[{_FORMULA}]")
# Searching the whole file once is faster than searching each cell. In UTF-8, full-width characters begin with the byte
# 0xEF.
_ESCAPED_SOMEWHERE = re.compile(rb"'[=+\-@\t\r\n\xEF]")
_TEXT_FORMULA = re.compile(r'="((?:[^"]|"")*)"')
_SEPARATOR_LINE = re.compile("sep=([,;\t])\r?\n")
_SEPARATOR = re.compile("sep=[,;\t]?")  # the same line, divided into cells
# R quotes all column names, and writes a quotation mark inside a cell as \", but a backslash as it is.
_QUOTED_NAMES = re.compile(r'(?:"[^"\r\n]*"([ ,;\t]))*"[^"\r\n]*"\r?\n')
_OPEN_QUOTE = re.compile(r'"(?:[^"]|"")*(?:"[^"].*)?\Z')
_IMPORT_ID = '{"ImportId":'
_OTHER_BACKSLASH = re.compile(r'\\(?!")')
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)


def iter_records(
    data: bytes, *, name: str, delimiter: str | None = None, formulas: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) for each record of a CSV file, including the header but not blank rows.

    `line` is the line on which the record begins, counting quoted line breaks. The default delimiter is the one that
    fits the first records (see `sniff_delimiter`). If `formulas` is true, the apostrophe that `write_csv` puts before a
    formula is removed. Row names of R, for which the header has no column name, are excluded. Raises TableError if the
    text is not valid CSV (such as an open quote) or not text (see `open_text`).
    """
    data = as_utf8(data, name=name)
    stream = open_text(data, name=name)
    start = first_lines(stream)
    stream.seek(0)
    if delimiter is None:
        delimiter = sniff_delimiter(start)
    escaped = formulas and (b'="' in data or _ESCAPED_SOMEWHERE.search(data) is not None)
    begins_with_quote = data.startswith(b'"') or any(quote in data for quote in (b'\t"', b'\n"', b'\r"'))
    quoted = delimiter != "\t" or not begins_with_quote or not _has_open_quotes(stream)
    stream.seek(0)
    yield from records_of(stream, start, name=name, delimiter=delimiter, escaped=escaped, quoted=quoted)


def whole_lines(data: bytes, *, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each line that is not blank as a record with one cell, without interpreting separators or quotation marks.
    Raises TableError (see `open_text`).
    """
    for number, line in enumerate(open_text(data, name=name), start=1):
        if line.strip():
            yield number, [unescape_formula(line.rstrip("\r\n"))]


def records_of(
    lines: Iterable[str], start: str, *, name: str, delimiter: str, escaped: bool, quoted: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) as `iter_records` does, from lines that keep their line endings. `start` contains the first
    lines (see `first_lines`). If `escaped` is true, the apostrophes before formulas are removed. If `quoted` is false,
    quotation marks belong to the text.
    """
    reader = _reader(lines, delimiter, strict=True, quoted=quoted, spaced=_has_spaces_before_quotes(start, delimiter))
    records = _records(reader, name, delimiter, escaped=escaped)
    yield from islice(records, 1)
    if '"ImportId"' in start:  # Qualtrics writes the question texts and its own IDs in two rows below the column names
        described = list(islice(records, 2))
        if not described or not all(_IMPORT_ID in cell for cell in described[-1][1] if cell):
            yield from described
    if _has_row_names(start, delimiter):
        for line, cells in records:
            yield line, cells[1:] if delimiter == SPACE or cells[0].isdecimal() else cells
    yield from records


def _records(reader: Any, name: str, delimiter: str, *, escaped: bool) -> Iterator[tuple[int, list[str]]]:
    line = 1
    is_first = True
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise TableError(name, [Fault(line, None, _explain(error, delimiter))]) from error
        if cells is None:
            return
        if any(cells) and not (is_first and _SEPARATOR.fullmatch(cells[0]) and not any(cells[1:])):
            yield line, [_without_formula(cell) for cell in cells] if escaped else cells
        line, is_first = reader.line_num + 1, False


def write_csv(rows: Iterable[Sequence[str]], columns: Sequence[str], *, formulas: bool = True) -> Iterator[str]:
    """Yield the text of a CSV file in chunks, starting with the header, followed by `rows`, which must have as many
    cells as the header. Lines end with \\n.

    With `formulas`, for files that people open, cells are escaped as described above.
    """
    buffer = StringIO()
    plain = csv.writer(buffer, lineterminator="\n")
    quoted = csv.writer(buffer, lineterminator="\n", quoting=csv.QUOTE_ALL)

    def write(cells: Sequence[str]) -> None:
        if len(cells) != len(columns):
            raise ValueError(f"a row has {len(cells)} cells for {len(columns)} columns")
        if formulas:
            cells = [escape_formula(cell) for cell in cells]
        # Python's CSV writer does not quote a lone carriage return, which every CSV reader treats as the end of a line.
        (quoted if any("\r" in cell for cell in cells) else plain).writerow(cells)

    write(columns)
    for number, row in enumerate(rows, start=1):
        write(row)
        if number % CHUNK == 0:
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()


def escape_formula(cell: str) -> str:
    """Return the cell, prefixed with an apostrophe if a spreadsheet would evaluate it as a formula. `unescape_formula`
    removes it.
    """
    return f"'{cell}" if _ESCAPES.match(cell) and not _NUMBER.match(cell) else cell


def unescape_formula(cell: str) -> str:
    """Return the cell without the apostrophe before a formula."""
    return cell[1:] if cell[:1] == "'" and _ESCAPED.match(cell) else cell


def _without_formula(cell: str) -> str:
    """Return the cell without the apostrophe before a formula. A formula such as ="007", which keeps leading zeros in a
    spreadsheet, becomes its text.
    """
    text = _TEXT_FORMULA.fullmatch(cell) if cell.startswith('="') else None
    return text[1].replace('""', '"') if text else unescape_formula(cell)


def first_lines(stream: TextIOBase) -> str:
    """Return the first lines of a text, from which `sniff_delimiter` finds the delimiter."""
    return "".join(line for _ in range(SNIFFED) if (line := stream.readline(CELL_LIMIT)))


def sniff_delimiter(start: str) -> str:
    """Return the delimiter that splits the most records at the start of a file into as many cells as the header.

    If several delimiters fit equally well, a delimiter in front of a space counts as punctuation, and then the
    delimiter with the most cells in the header is chosen. Excel names the delimiter in a first line such as `sep=;`.
    A space is the delimiter only below quoted column names, as R's write.table writes them.
    """
    if named := _SEPARATOR_LINE.match(start):
        return named[1]
    if _is_spaced(start):
        return SPACE
    return max(DELIMITERS, key=lambda delimiter: _fit(start, delimiter))


def _has_open_quotes(lines: Iterable[str]) -> bool:
    """Return whether the cells of tab-separated lines are not quoted: all lines have the same number of cells, and a
    cell begins with a quotation mark that is not closed before the next tab.
    """
    widths, is_open = set(), False
    for line in lines:
        if text := line.rstrip("\r\n"):
            widths.add(text.count("\t"))
            is_open = is_open or ('"' in text and any(map(_OPEN_QUOTE.match, text.split("\t"))))
        if len(widths) > 1:
            return False
    return is_open


def _has_spaces_before_quotes(start: str, delimiter: str) -> bool:
    """Return whether a space follows each delimiter in the header and the delimiter before a quoted cell, as in
    `"id", "text"`.
    """
    header = start.partition("\n")[0]
    after = header.split(delimiter)[1:]
    return bool(after) and all(map(str.isspace, (each[:1] for each in after))) and f'{delimiter} "' in start


def _reader(lines: Iterable[str], delimiter: str, *, strict: bool, quoted: bool = True, spaced: bool = False) -> Any:
    """Return a `csv.reader` (its type has no public name). With `spaced`, spaces after delimiters are ignored."""
    if not quoted:
        return csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE, strict=strict)
    if delimiter != SPACE:
        return csv.reader(lines, delimiter=delimiter, strict=strict, skipinitialspace=spaced)
    lines = (_OTHER_BACKSLASH.sub(r"\\\\", line) for line in lines)
    return csv.reader(lines, delimiter=delimiter, escapechar="\\", strict=strict)


def _has_row_names(start: str, delimiter: str) -> bool:
    """Return whether each row begins with a quoted name for which the header has no column, as R writes it by default.
    In tables that other programs could have written, the names must be numbers.
    """
    names, rows = _below_quoted_names(start, delimiter)
    if not rows or {len(cells) for cells in rows} != {names + 1}:
        return False
    first_line, *_ = lines = start.splitlines()[1:]
    if not first_line.startswith('"') or any(line.endswith(delimiter) for line in lines):
        return False
    return delimiter == SPACE or all(cells[0].isdecimal() for cells in rows)


def _is_spaced(start: str) -> bool:
    """Return whether spaces separate the cells, below quoted column names."""
    names, rows = _below_quoted_names(start, SPACE)
    return (names > 1 and all(len(cells) == names for cells in rows)) or _has_row_names(start, SPACE)


def _below_quoted_names(start: str, delimiter: str) -> tuple[int, list[list[str]]]:
    """Return the number of columns and the rows if all column names are quoted, and otherwise (0, [])."""
    names = _QUOTED_NAMES.match(start)
    if not names or names[1] not in (delimiter, None):
        return 0, []
    try:
        header, *rows = filter(any, _reader(StringIO(start, newline=""), delimiter, strict=False))
    except csv.Error:
        return 0, []
    return len(header), rows[:-1] or rows  # the last row can be incomplete


def _fit(start: str, delimiter: str) -> tuple[float, float, int, bool]:
    records = []
    try:
        records = [cells for cells in csv.reader(StringIO(start, newline=""), delimiter=delimiter) if any(cells)]
    except csv.Error:
        return (0, 0, 0, False)
    if not records or len(records[0]) < 2:
        return (0, 0, 0, False)
    header, width = records[0], len(records[0])
    alike = sum(len(cells) == width for cells in records) / len(records)
    plain = sum(not cell.startswith(" ") for cell in header) / width
    return (alike, plain, width, delimiter == "\t")


def _explain(error: csv.Error, delimiter: str) -> str:
    reason = str(error)
    if "unexpected end of data" in reason:
        return "a cell begins with a quotation mark that is never closed"
    if "field larger" in reason:
        return f"a cell has more than {CELL_LIMIT:,} characters. Check whether a quotation mark is missing"
    if "expected after" in reason:
        comma = {",": "comma", ";": "semicolon", "\t": "tab", SPACE: "space"}[delimiter]
        way = "Double the quotation marks inside a cell. In R, use qmethod = “double”"
        return f"a {comma} must follow a closing quotation mark. {way}"
    return f"not valid CSV ({reason})"
