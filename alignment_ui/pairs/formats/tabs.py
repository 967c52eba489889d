"""Lines, and tab-separated cells as they stand: in tokenised text a quotation mark is a token, it quotes nothing."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator

from annotate.exchange.csvtext import escape_formula, unescape_formula
from annotate.exchange.encoding import open_text
from annotate.exchange.faults import Fault


def iter_lines(data: bytes, *, name: str) -> Iterator[str]:
    """Every line without its end, blank ones too. Raises TableError where the file is no text."""
    return (line.rstrip("\r\n") for line in open_text(data, name=name))


def lines_or_blanks(data: bytes, *, name: str) -> list[str]:
    """The same as a list; here a file of nothing but blank lines is no empty file."""
    blank = data.removeprefix(codecs.BOM_UTF8)
    if blank and not blank.strip():
        return ["" for _ in blank.splitlines()]
    return list(iter_lines(data, name=name))


def iter_cells(data: bytes, *, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) for each line that is not blank, without the apostrophes of `tab_line`.

    Raises TableError where the file is no text.
    """
    return (
        (number, [unescape_formula(cell) for cell in line.split("\t")])
        for number, line in enumerate(iter_lines(data, name=name), start=1)
        if line.strip()
    )


def tab_line(cells: Iterable[str]) -> str:
    """One line of a tab-separated file. A cell that a spreadsheet would run gets an apostrophe (see `csvtext`)."""
    return "\t".join(map(escape_formula, cells)) + "\n"


def spreadsheet_quotes(line: int, column: str, cell: str) -> list[Fault]:
    """A warning where quotation marks look like those that a spreadsheet puts around a cell."""
    if len(cell) > 2 and cell[0] == cell[-1] == '"' and not cell[1].isspace():
        message = "begins and ends with a quotation mark, kept as text; if a spreadsheet put them there, save it as CSV"
        return [Fault(line, column, message)]
    return []
