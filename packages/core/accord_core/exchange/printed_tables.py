"""Tables of figures as aligned text, CSV, Markdown or LaTeX. All formats use the same rounding. They also have the same
columns, unless a table has a different layout for Markdown and LaTeX.

Floats are rounded to the decimals of their column, and whole numbers are written without thousands separators. A cell
that is None or not finite is a missing value: `–` in text and Markdown, `--` in LaTeX, and an empty cell in CSV.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from accord_core.exchange.csvtext import write_csv
from accord_core.numerics.printed import NONE

TABLE_FORMATS = ("text", "csv", "markdown", "latex")
PLACES = 3
P_PLACES = 4
TITLES = {"p": "p", "p_holm": "p (Holm)", "reason": "note"}  # the columns that only some tables of figures have

Cell = str | int | float | None

_MARKDOWN_MARKUP = re.compile(r"([\\`*_\[\]<>|~&])")
_LATEX_MARKUP = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "{''}",
    # LaTeX reads an opening bracket or an asterisk after the end of a row as an argument of the row end.
    "[": "{[}",
    "*": "{*}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    # Document classes without Unicode support cannot show Greek letters or mathematical signs in text.
    "α": r"$\alpha$",
    "κ": r"$\kappa$",
    "π": r"$\pi$",
    "ρ": r"$\rho$",
    "χ": r"$\chi$",
    "±": r"$\pm$",
    "−": "$-$",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "–": "{--}",
}
# Two consecutive hyphens would become a dash.
_LATEX_CHARACTER = re.compile("|".join(map(re.escape, _LATEX_MARKUP)) + "|-(?=-)")


@dataclass(frozen=True)
class PrintedTable:
    """Rows of figures with their column names.

    `places` is the number of decimals of floats, and `places_of` overrides this number for single columns. P-values in
    the columns `p` and `p (Holm)` have four decimals. `caption` and `notes` are printed in all formats except CSV,
    which has no place for them. `wide` is the layout of the same figures in Markdown and LaTeX, if it differs.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    caption: str = ""
    notes: Sequence[str] = ()
    places: int = PLACES
    places_of: Mapping[str, int] = field(default_factory=dict)
    wide: PrintedTable | None = None

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a row has {len(row)} cells, but the table has {len(self.columns)} columns")

    def cells(self) -> list[list[str | None]]:
        """Return the rounded cells of each row as text, or None for a missing value."""
        places = [self._places(column) for column in self.columns]
        return [[rounded(cell, digits) for cell, digits in zip(row, places, strict=True)] for row in self.rows]

    def numeric(self) -> list[bool]:
        """Return whether each column contains numbers and no text."""
        return [_is_numeric([row[place] for row in self.rows]) for place in range(len(self.columns))]

    def _places(self, column: str) -> int:
        return self.places_of.get(column, P_PLACES if column in (TITLES["p"], TITLES["p_holm"]) else self.places)


def figure_table(
    keys: Sequence[str],
    figures: Iterable[tuple[Sequence[Cell], Mapping[str, Any]]],
    *,
    caption: str = "",
    notes: Sequence[str] = (),
    places: int = PLACES,
) -> PrintedTable:
    """Return a table with one row per figure. Each row contains the `keys`, the value and the ends of its confidence
    interval.

    `figures` contains the cells of the keys and the figure, a mapping with `value`, and optionally `low`, `high`, `p`,
    `p_holm` and `reason`. The columns `p`, `p (Holm)` and `note` (the reason why a figure is undefined) are present
    only if a figure has them.
    """
    listed = list(figures)
    further = [name for name in TITLES if any(figure.get(name) is not None for _, figure in listed)]
    names = ["value", "low", "high", *further]
    return PrintedTable(
        columns=[*keys, *(TITLES.get(name, name) for name in names)],
        rows=[[*cells, *(figure.get(name) for name in names)] for cells, figure in listed],
        caption=caption,
        notes=notes,
        places=places,
    )


def table_in(table: PrintedTable, table_format: str) -> Iterator[str]:
    """Yield a table in parts, in one of `TABLE_FORMATS`. Raises KeyError for any other format."""
    writers = {"text": _text, "csv": _csv, "markdown": _markdown, "latex": _latex}
    if table.wide is not None and table_format in ("markdown", "latex"):
        table = table.wide
    yield from writers[table_format](table)


def escape_markdown(text: str) -> str:
    """Return the text on one line, escaped so that Markdown shows it literally, even inside a table."""
    return _MARKDOWN_MARKUP.sub(r"\\\1", " ".join(text.split()))


def escape_latex(text: str) -> str:
    """Return the text on one line, escaped so that LaTeX typesets it literally."""
    return _LATEX_CHARACTER.sub(lambda found: _LATEX_MARKUP.get(found[0], "-{}"), " ".join(text.split()))


def rounded(cell: Cell, places: int) -> str | None:
    """Return a cell as text, or None for a missing value. Floats are rounded."""
    if cell is None or isinstance(cell, str):
        return cell
    if not isinstance(cell, float):
        return str(cell)
    # Adding 0.0 after rounding turns −0.000 into 0.000.
    return f"{round(cell, places) + 0.0:.{places}f}" if isfinite(cell) else None


def _is_numeric(cells: Sequence[Cell]) -> bool:
    present = [cell for cell in cells if cell is not None]
    return bool(present) and not any(isinstance(cell, str) for cell in present)


def _text(table: PrintedTable) -> Iterator[str]:
    if table.caption:
        yield f"{table.caption}\n\n"
    rows = [list(table.columns), *([NONE if cell is None else cell for cell in row] for row in table.cells())]
    widths = [max(len(row[place]) for row in rows) for place in range(len(table.columns))]
    for row in rows:
        aligned = (
            cell.rjust(width) if numeric else cell.ljust(width)
            for cell, width, numeric in zip(row, widths, table.numeric(), strict=True)
        )
        yield "  ".join(aligned).rstrip() + "\n"
    yield from (f"{'' if place else chr(10)}{note}\n" for place, note in enumerate(table.notes))


def _csv(table: PrintedTable) -> Iterator[str]:
    rows = ([cell or "" for cell in row] for row in table.cells())
    yield from write_csv(rows, list(table.columns))


def _markdown(table: PrintedTable) -> Iterator[str]:
    if table.caption:
        yield f"{escape_markdown(table.caption)}\n\n"
    yield _markdown_row(map(escape_markdown, table.columns))
    yield _markdown_row("---:" if numeric else "---" for numeric in table.numeric())
    for row in table.cells():
        yield _markdown_row(NONE if cell is None else escape_markdown(cell) for cell in row)
    yield from (f"\n{escape_markdown(note)}\n" for note in table.notes)


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _latex(table: PrintedTable) -> Iterator[str]:
    yield "% Needs \\usepackage{booktabs}.\n\\begin{table}\n\\centering\n"
    if table.caption:
        yield f"\\caption{{{escape_latex(table.caption)}}}\n"
    yield f"\\begin{{tabular}}{{{''.join('r' if numeric else 'l' for numeric in table.numeric())}}}\n\\toprule\n"
    yield _latex_row(escape_latex(column) for column in table.columns)
    yield "\\midrule\n"
    for row, cells in zip(table.rows, table.cells(), strict=True):
        yield _latex_row(map(_latex_cell, cells, row))
    yield "\\bottomrule\n\\end{tabular}\n"
    yield from (f"\\par\\smallskip{{\\footnotesize {escape_latex(note)}}}\n" for note in table.notes)
    yield "\\end{table}\n"


def _latex_row(cells: Iterable[str]) -> str:
    return f"{' & '.join(cells)} \\\\\n"


def _latex_cell(cell: str | None, original: Cell) -> str:
    if cell is None:
        return "--"
    return escape_latex(cell) if isinstance(original, str) else cell.replace("-", "$-$")
