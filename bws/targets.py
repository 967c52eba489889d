"""The reliability of the scores so far and their largest standard error, for which a best–worst study can have a
target.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord_core.bws.numerics.largest_error import LargestError
from accord_core.bws.numerics.reliability import spearman_brown
from accord_core.numerics.still_needed import Attained
from annotate.tasktypes import TargetFigure

RELIABILITY = TargetFigure(
    "reliability",
    "Reliability of the scores (Spearman, splits within tuples)",
    "reliability",
    "This is the reliability of all judgements, predicted from the split-half reliability that papers usually report.",
    0.85,
)
ERROR = TargetFigure(
    "standard_error",
    "Largest standard error of a score (scale −1 to 1)",
    "error",
    "The largest standard error applies to each item, so a target limits the standard errors of all items.",
    0.15,
)
TARGETS = (RELIABILITY, ERROR)


def attained(reliability: Mapping[str, Any], error: LargestError | None) -> list[Attained]:
    """Return the figures that are defined: the reliability of all judgements and the largest standard error.

    The reliability is predicted from a report's `reliability["within"]`, with the interval for the same annotators.
    """
    within = reliability["within"]
    figures = _reliability(within)
    if error is not None:
        size = within["annotations"]
        figures.append(Attained(ERROR.name, ERROR.kind, error.value, error.low, error.high, size, error.floor))
    return figures


def _reliability(within: Mapping[str, Any]) -> list[Attained]:
    value, same = within["spearman"]["mean"], within["same_annotators"]
    if value is None or same["low"] is None:
        return []
    value, low, high = (spearman_brown(each) for each in (value, same["low"], same["high"]))
    return [Attained(RELIABILITY.name, "reliability", value, low, high, within["annotations"])]
