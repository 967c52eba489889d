"""The main figure of a word-alignment report: the F1 of word links between annotators with a confidence interval."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord_core.numerics.printed import interval
from annotate.tasktypes import End, Headline

NAME = "F1 of word links between annotators"
UNIT = "judgements, as pairs annotated twice"


def headline(row: Mapping[str, Any] | None, *, ignore_identical: bool) -> Headline:
    """Return the headline figure of a report. The headline figure is taken from the row for all subcorpora in Table
    3.
    """
    f1 = row["och_ney"]["f1"] if row else {"value": None, "low": None, "high": None}
    doubt = "No sentence pair has two annotations yet."
    if row and f1["low"] is not None:
        pairs = f"{row['pairs']:,} comparisons{' without identical words' if ignore_identical else ''}"
        ends = f"95% confidence interval {interval(f1['low'], f1['high'])}, from" if f1["low"] < f1["high"] else "From"
        doubt = f"{ends} {pairs}."
    identical = " Links between identical words are not counted." if ignore_identical else ""
    return Headline(
        NAME,
        [End("crossed", "sure links of one annotator compared with all links of the other", f1["value"])],
        unit=UNIT,
        doubt=doubt,
        caption=f"The sure links of each annotator are compared with all links of the other.{identical}",
    )
