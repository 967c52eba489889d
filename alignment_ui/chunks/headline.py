"""The main figure of a chunk-alignment report: the F1 of type and score between annotators, with a confidence
interval.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord_core.numerics.printed import interval
from annotate.tasktypes import End, Headline

NAME = "F1 of type and score between annotators"
UNIT = "judgements, as pairs annotated twice"


def headline(agreement: Mapping[str, Any]) -> Headline:
    """Return the headline figure of a report: the type-and-score F1 between annotators."""
    figure = agreement["overall"]["f1_typ_sco"]
    is_interval = figure["low"] is not None and figure["low"] < figure["high"]
    ends = interval(figure["low"], figure["high"])
    return Headline(
        NAME,
        [End("f1_typ_sco", "mean over pairs of annotators", figure["value"])],
        unit=UNIT,
        doubt=f"95% confidence interval {ends}, from resampled sentence pairs." if is_interval else "",
        caption="The official 2016 measure compares each pair of annotators. The order of the two annotators does not "
        "matter.",
    )
