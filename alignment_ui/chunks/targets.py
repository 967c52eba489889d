"""The precision of the agreement so far. A chunk-alignment study can have a target for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord_core.numerics.still_needed import FEWEST_UNITS, Attained, width_attained
from annotate.tasktypes import TargetFigure

WIDTH = TargetFigure(
    "width",
    "Width of the 95% interval of F1 of type and score between annotators",
    "width",
    "The width is the difference between the two ends of the interval. It depends on the number of sentence pairs with "
    "several annotations.",
    0.06,
    fewest=1,
)
TARGETS = (WIDTH,)


def attained(
    agreement: Mapping[str, Any], judgements: int, answered: int, compared: int, resamples: int
) -> list[Attained]:
    """Return the width of the interval for the F1 of type and score. `answered` is the number of sentence pairs with at
    least one annotation, and `compared` the number with several. The list is empty without an interval, or if fewer
    than ten pairs have several annotations.
    """
    figure = agreement["overall"]["f1_typ_sco"]
    if figure["low"] is None or compared < FEWEST_UNITS:
        return []
    return [
        width_attained(
            WIDTH.name, figure["low"], figure["high"], units=compared, size=judgements - answered, resamples=resamples
        )
    ]
