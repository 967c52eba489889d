"""The reliability of the scores so far, for which a best–worst study can have a target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate.numerics.still_needed import Attained
from annotate.tasktypes import TargetFigure
from bws.numerics.reliability import spearman_brown

RELIABILITY = TargetFigure(
    "reliability",
    "Reliability of the scores (Spearman, splits within tuples)",
    "reliability",
    "This is the reliability of all judgements, predicted from the split-half reliability that papers usually report.",
    0.85,
)
TARGETS = (RELIABILITY,)


def attained(within: Mapping[str, Any]) -> list[Attained]:
    """Return the reliability of all judgements, predicted from a report's `reliability["within"]`, with the interval
    for the same annotators. The list is empty if the reliability or its interval is undefined.
    """
    value, same = within["spearman"]["mean"], within["same_annotators"]
    if value is None or same["low"] is None:
        return []
    value, low, high = (spearman_brown(each) for each in (value, same["low"], same["high"]))
    return [Attained(RELIABILITY.name, "reliability", value, low, high, within["annotations"])]
