"""The file format of scores: the columns `item,score`, with three decimals, sorted from the highest to the lowest
score.
"""

from collections.abc import Iterator, Mapping, Sequence

from annotate.exchange.csvtext import write_csv


def write_scores(
    items: Sequence[str],
    scores: Sequence[float],
    standard_errors: Sequence[float] | None = None,
    counts: Mapping[str, Sequence[int]] | None = None,
) -> Iterator[str]:
    """Yield scores as CSV with the columns `item,score` and optionally `standard_error` and columns of `counts`, whose
    keys are the names of the columns. Items with equal printed scores are sorted by name.

    An undefined value (NaN) is written as an empty cell, and items with undefined scores come last.
    """

    def rank(n: int) -> tuple[bool, float, str]:
        unknown = _undefined(scores[n])
        return unknown, 0.0 if unknown else -round(scores[n], 3), items[n]

    order = sorted(range(len(items)), key=rank)
    columns: dict[str, Sequence[str]] = {"item": items, "score": [decimals(score) for score in scores]}
    if standard_errors is not None:
        columns["standard_error"] = [decimals(error) for error in standard_errors]
    columns |= {name: [str(count) for count in numbers] for name, numbers in (counts or {}).items()}
    return write_csv(([cells[n] for cells in columns.values()] for n in order), list(columns))


def decimals(value: float) -> str:
    """Return a number with three decimals and without a negative zero, or an empty string if it is undefined."""
    return "" if _undefined(value) else f"{round(value, 3) + 0.0:.3f}"


def _undefined(value: float) -> bool:
    return value != value
