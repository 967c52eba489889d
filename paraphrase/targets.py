"""The reliability of the votes, for which a paraphrase study can have a target."""

from __future__ import annotations

from accord_core.numerics.bootstrap import Coefficient
from accord_core.numerics.still_needed import Attained, mean_of_annotators
from annotate.tasktypes import TargetFigure

RELIABILITY = TargetFigure(
    "reliability",
    "Reliability of the shares of yes votes",
    "reliability",
    "Fleiss’ κ describes the votes of individual annotators. The reliability of yes-vote shares follows from κ and "
    "the number of votes per candidate (Spearman–Brown formula).",
    0.8,
)
TARGETS = (RELIABILITY,)


def attained(kappa: Coefficient, judgements: int, questions: int) -> list[Attained]:
    """Return the reliability of yes-vote shares, or an empty list if κ or its interval is undefined."""
    if kappa.value is None or kappa.low is None or kappa.high is None:
        return []
    ends = (kappa.value, kappa.low, kappa.high)
    return [mean_of_annotators(RELIABILITY.name, ends, judgements=judgements, questions=questions)]
