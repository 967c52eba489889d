"""Reader and writer for tab-separated cells without quoting. Cells are not quoted, because a quotation mark is a token
in tokenised text.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator

from accord_core.exchange.csvtext import escape_formula, unescape_formula
from accord_core.exchange.encoding import open_text
from accord_core.exchange.faults import Fault


def iter_lines(data: bytes, *, name: str) -> Iterator[str]:
    """Yield every line without its line ending, including blank lines. Raises TableError if the file is not a text
    file.
    """
    return (line.rstrip("\r\n") for line in open_text(data, name=name))


def lines_or_blanks(data: bytes, *, name: str) -> list[str]:
    """Return the lines of a file as a list. A file that contains only blank lines does not count as empty."""
    blank = data.removeprefix(codecs.BOM_UTF8)
    if blank and not blank.strip():
        return ["" for _ in blank.splitlines()]
    return list(iter_lines(data, name=name))


def iter_cells(data: bytes, *, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and cells of each non-blank line, without the apostrophes that `tab_line` adds.

    Raises TableError if the file is not a text file.
    """
    return (
        (number, [unescape_formula(cell) for cell in line.split("\t")])
        for number, line in enumerate(iter_lines(data, name=name), start=1)
        if line.strip()
    )


def tab_line(cells: Iterable[str]) -> str:
    """Return one line of a tab-separated file. Cells that a spreadsheet would evaluate as formulas are prefixed with an
    apostrophe (see `csvtext`).
    """
    return "\t".join(map(escape_formula, cells)) + "\n"


def spreadsheet_quotes(line: int, column: str, cell: str) -> list[Fault]:
    """Return a warning if the cells contain quotation marks that a spreadsheet probably added."""
    if len(cell) > 2 and cell[0] == cell[-1] == '"' and not cell[1].isspace():
        message = "the quotation marks around the text count as text. If a spreadsheet added them, save the file as CSV"
        return [Fault(line, column, message)]
    return []
