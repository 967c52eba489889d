"""The reliability of the labels, for which a layout study can have a target."""

from __future__ import annotations

from collections.abc import Sequence

from accord_core.numerics.agreement import krippendorff_alpha
from accord_core.numerics.still_needed import Attained, mean_of_annotators
from annotate.tasktypes import TargetFigure
from layouts.columns import FieldLabels

RESAMPLES = 200
RELIABILITY = TargetFigure(
    "reliability",
    "Reliability of the combined labels",
    "reliability",
    "Krippendorff’s α describes the labels of individual annotators. The reliability of combined labels follows from "
    "α and the number of judgements per question (Spearman–Brown formula).",
    0.8,
)
TARGETS = (RELIABILITY,)


def attained(fields: Sequence[FieldLabels], judgements: int, questions: int, seed: int) -> list[Attained]:
    """Return the reliability that follows from the mean of Krippendorff's α over the `fields`. The list is empty if α
    is undefined on all fields.

    The ends of the interval are the means of the ends of the fields' intervals.
    """
    coefficients = [
        krippendorff_alpha(
            field.labels,
            "nominal" if field.values is None else "interval",
            values=field.values,
            resamples=RESAMPLES,
            seed=seed,
        )
        for field in fields
    ]
    defined = [
        (alpha.value, alpha.low, alpha.high)
        for alpha in coefficients
        if alpha.value is not None and alpha.low is not None and alpha.high is not None
    ]
    if not defined:
        return []
    value, low, high = (sum(column) / len(defined) for column in zip(*defined, strict=True))
    return [mean_of_annotators(RELIABILITY.name, (value, low, high), judgements=judgements, questions=questions)]
