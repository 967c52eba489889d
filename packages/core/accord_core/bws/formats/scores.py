"""The file format for scores: the first columns are `item,score`, scores have three decimals, and rows are sorted from
the highest to the lowest score.
"""

from collections.abc import Iterator, Mapping, Sequence

from accord_core.exchange.printed_tables import PrintedTable, table_in


def scores_table(
    items: Sequence[str],
    scores: Sequence[float],
    standard_errors: Sequence[float] | None = None,
    further: Mapping[str, Sequence[int] | Sequence[str]] | None = None,
) -> PrintedTable:
    """Return scores as a table with the columns `item,score` and, optionally, `standard_error` and the columns in
    `further`, whose keys are the column names. Items with equal printed scores are sorted by name.

    An undefined value (NaN) is a missing value, and items with undefined scores come last.
    """

    def rank(n: int) -> tuple[bool, float, str]:
        unknown = _undefined(scores[n])
        return unknown, 0.0 if unknown else -round(scores[n], 3), items[n]

    order = sorted(range(len(items)), key=rank)
    columns: dict[str, Sequence[str | float]] = {"item": items, "score": scores}
    if standard_errors is not None:
        columns["standard_error"] = standard_errors
    columns |= further or {}
    return PrintedTable(list(columns), [[cells[n] for cells in columns.values()] for n in order])


def write_scores(
    items: Sequence[str],
    scores: Sequence[float],
    standard_errors: Sequence[float] | None = None,
    further: Mapping[str, Sequence[int] | Sequence[str]] | None = None,
) -> Iterator[str]:
    """Yield the table from `scores_table` as CSV text."""
    return table_in(scores_table(items, scores, standard_errors, further), "csv")


def decimals(value: float) -> str:
    """Return a number with three decimals and without a negative zero, or an empty string if the number is
    undefined.
    """
    return "" if _undefined(value) else f"{round(value, 3) + 0.0:.3f}"


def _undefined(value: float) -> bool:
    return value != value
