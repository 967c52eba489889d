"""Figures in the layout of a paper, with one column per measure or system, and each interval in the same cell as its
figure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from accord_core.exchange.printed_tables import P_PLACES, PLACES, Cell, PrintedTable, rounded
from accord_core.numerics.printed import NONE


def wide_table(
    keys: Sequence[str],
    figures: Iterable[tuple[Sequence[Cell], Mapping[str, Any]]],
    *,
    across: str,
    caption: str = "",
    notes: Sequence[str] = (),
    places: int = PLACES,
) -> PrintedTable:
    """Return a table in which each value of the key `across` is a column, and all other keys identify the rows.

    `figures` has the same form as in `figure_table`. A note at the end of the table states why a figure is undefined.
    """
    place = list(keys).index(across)
    rows: dict[tuple[Cell, ...], dict[str, str | None]] = {}
    columns: dict[str, None] = {}
    reasons: dict[str, None] = {}
    for cells, figure in figures:
        column = str(cells[place])
        columns[column] = None
        others = tuple(cell for number, cell in enumerate(cells) if number != place)
        rows.setdefault(others, {})[column] = _with_interval(figure, places)
        if figure.get("reason"):
            reasons[f"{NONE}: {figure['reason']}."] = None
    return PrintedTable(
        columns=[*(key for key in keys if key != across), *columns],
        rows=[[*others, *(row.get(column) for column in columns)] for others, row in rows.items()],
        caption=caption,
        notes=[*reasons, *notes],
    )


def _with_interval(figure: Mapping[str, Any], places: int) -> str | None:
    """Return a figure such as “0.51 [0.42, 0.60], p = 0.0300”, or None if the figure is undefined."""
    value, low, high, p, holm = (
        rounded(figure.get(name), P_PLACES if name in ("p", "p_holm") else places)
        for name in ("value", "low", "high", "p", "p_holm")
    )
    if value is None:
        return None
    interval = f" [{low}, {high}]" if low is not None and high is not None else ""
    chance = f", p = {p}" if p is not None else ""
    chance += f", p (Holm) = {holm}" if holm is not None else ""
    return f"{value}{interval}{chance}".replace("-", "−")
