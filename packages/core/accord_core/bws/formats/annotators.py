"""The file format for annotator reliabilities, and the result of the test on held-out tuples as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from accord_core.bws.formats.scores import decimals
from accord_core.exchange.csvtext import write_csv

if TYPE_CHECKING:
    from accord_core.bws.numerics.annotator_reliability import AnnotatorReliabilities, HeldOut

COLUMNS = ["annotator", "judgements", "reliability", "low", "high"]


def write_reliabilities(names: Sequence[str], result: AnnotatorReliabilities) -> Iterator[str]:
    """Yield reliabilities as CSV text with the columns in `COLUMNS`, starting with the lowest reliability.

    Undefined values are written as empty cells, and annotators with undefined values come last.
    """

    def rank(number: int) -> tuple[bool, float, str]:
        value = float(result.reliability[number])
        return value != value, 0.0 if value != value else value, names[number]

    rows = (
        [
            names[number],
            str(int(result.judgements[number])),
            *(decimals(float(values[number])) for values in (result.reliability, result.low, result.high)),
        ]
        for number in sorted(range(len(result.reliability)), key=rank)
    )
    return write_csv(rows, COLUMNS)


def held_out_lines(check: HeldOut) -> Iterator[str]:
    """Return the log likelihoods of held-out tuples, and the conclusion, as text."""
    yield (
        f"mean log likelihood per judgement of held-out tuples: {check.counting:.3f} for counting, "
        f"{check.maxdiff:.3f} for MaxDiff, {check.with_reliabilities:.3f} for MaxDiff with annotator reliabilities "
        f"({check.chance:.3f} by chance)"
    )
    yield f"difference between the last two models: {check.difference:+.4f} ({check.low:+.4f} to {check.high:+.4f})"
    yield check.conclusion
