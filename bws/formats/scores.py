"""The file format of scores: the columns `item,score`, with three decimals, sorted from the highest to the lowest
score.
"""

from collections.abc import Iterator, Sequence

from annotate.exchange.csvtext import write_csv


def write_scores(
    items: Sequence[str], scores: Sequence[float], standard_errors: Sequence[float] | None = None
) -> Iterator[str]:
    """Yield scores as CSV with the columns `item,score` and optionally `standard_error`. Items with equal printed
    scores are sorted by name.

    An undefined value (NaN) is written as an empty cell, and items with undefined scores come last.
    """

    def rank(n: int) -> tuple[bool, float, str]:
        unknown = _undefined(scores[n])
        return unknown, 0.0 if unknown else -round(scores[n], 3), items[n]

    order = sorted(range(len(items)), key=rank)
    columns = ["item", "score"]
    if standard_errors is None:
        return write_csv(((items[n], decimals(scores[n])) for n in order), columns)
    rows = ((items[n], decimals(scores[n]), decimals(standard_errors[n])) for n in order)
    return write_csv(rows, [*columns, "standard_error"])


def decimals(value: float) -> str:
    """Return a number with three decimals and without a negative zero, or an empty string if it is undefined."""
    return "" if _undefined(value) else f"{round(value, 3) + 0.0:.3f}"


def _undefined(value: float) -> bool:
    return value != value
