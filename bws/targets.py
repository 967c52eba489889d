"""The reliability of the scores so far, for which a best–worst study can have a target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate.numerics.still_needed import Attained
from annotate.tasktypes import TargetFigure

RELIABILITY = TargetFigure(
    "reliability",
    "Split-half reliability (Spearman, splits within tuples)",
    "reliability",
    "This is the reliability that papers usually report. It describes half of the judgements.",
    0.85,
)
TARGETS = (RELIABILITY,)


def attained(within: Mapping[str, Any]) -> list[Attained]:
    """Return the reliability of splits within tuples from a report's `reliability["within"]`, with the interval for the
    same annotators. The list is empty if the reliability or its interval is undefined.
    """
    value, same = within["spearman"]["mean"], within["same_annotators"]
    if value is None or same["low"] is None:
        return []
    return [Attained(RELIABILITY.name, "reliability", value, same["low"], same["high"], within["annotations"])]
