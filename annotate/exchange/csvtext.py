"""CSV as text: records read with their line numbers, and written so that no spreadsheet runs a cell.

A cell that a spreadsheet would take for a formula gets an apostrophe in front when written and loses it
when read (the characters are OWASP's list for CSV injection). Plain numbers stay as they are: -0.25 is no
formula. A cell that has apostrophes before such a character gets one more, so that reading gives back exactly
what was written.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO

from annotate.exchange.encoding import open_text
from annotate.exchange.faults import Fault, TableError

DELIMITERS = (",", ";", "\t")
CELL_LIMIT = csv.field_size_limit()
CHUNK = 1000

_FORMULA = "=+\\-@\t\r\n＝＋－＠"
_ESCAPES = re.compile(f"'*[{_FORMULA}]")
_ESCAPED = re.compile(f"'+[{_FORMULA}]")
# One look at the whole file spares a look at every cell; 0xEF begins the full-width forms.
_ESCAPED_SOMEWHERE = re.compile(rb"'[=+\-@\t\r\n\xEF]")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)


def iter_records(
    data: bytes, *, name: str, delimiter: str | None = None, formulas: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """(line, cells) for each record of a CSV file, header included; blank rows are left out.

    `line` is where the record begins, quoted line breaks counted. The delimiter is a comma, a semicolon or a
    tab, whichever the first line has most of, unless one is given. With `formulas` the apostrophe that
    `write_csv` puts before a formula is taken off.
    Raises TableError where the text is no CSV (a quote left open), or no text (see `open_text`).
    """
    stream = open_text(data, name=name)
    if delimiter is None:
        delimiter = _sniff(stream.readline())
        stream.seek(0)
    reader = csv.reader(stream, delimiter=delimiter, strict=True)
    escaped = formulas and _ESCAPED_SOMEWHERE.search(data) is not None
    line = 1
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise TableError(name, [Fault(line, None, _explain(error, delimiter))]) from error
        if cells is None:
            return
        if any(cells):
            yield line, [unescape_formula(cell) for cell in cells] if escaped else cells
        line = reader.line_num + 1


def write_csv(rows: Iterable[Sequence[str]], columns: Sequence[str], *, formulas: bool = True) -> Iterator[str]:
    """A CSV file in chunks of text: a header, then `rows`, each as long as `columns`; lines end in \\n.

    With `formulas` (for files that people open) cells are escaped as said above.
    """
    buffer = StringIO()
    plain = csv.writer(buffer, lineterminator="\n")
    quoted = csv.writer(buffer, lineterminator="\n", quoting=csv.QUOTE_ALL)

    def write(cells: Sequence[str]) -> None:
        if len(cells) != len(columns):
            raise ValueError(f"a row of {len(cells)} cells under {len(columns)} columns")
        if formulas:
            cells = [escape_formula(cell) for cell in cells]
        # Python's writer leaves a lone carriage return unquoted, and every reader takes it for a line's end.
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
    """`cell`, with an apostrophe in front if a spreadsheet would run it; `unescape_formula` undoes it."""
    return f"'{cell}" if _ESCAPES.match(cell) and not _NUMBER.match(cell) else cell


def unescape_formula(cell: str) -> str:
    """`cell` without the apostrophe that stands before a formula."""
    return cell[1:] if cell[:1] == "'" and _ESCAPED.match(cell) else cell


def _sniff(first_line: str) -> str:
    outside_quotes = "".join(first_line.split('"')[::2])
    return max(DELIMITERS, key=outside_quotes.count)


def _explain(error: csv.Error, delimiter: str) -> str:
    reason = str(error)
    if "unexpected end of data" in reason:
        return "a cell opens with a quotation mark that is never closed"
    if "field larger" in reason:
        return f"a cell of more than {CELL_LIMIT:,} characters; perhaps a quotation mark is left open"
    if "expected after" in reason:
        comma = {",": "comma", ";": "semicolon", "\t": "tab"}.get(delimiter, delimiter)
        return f"after a closing quotation mark a {comma} should come; a mark inside a cell is written twice"
    return f"not valid CSV ({reason})"
