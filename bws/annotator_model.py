"""The annotator reliabilities in a best–worst report, and the test of the MaxDiff model on held-out tuples."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from accord_core.bws.numerics.annotator_reliability import (
    AnnotatorReliabilities,
    annotator_reliabilities,
    held_out_check,
)
from accord_core.bws.numerics.scoring import Judgements, drop_inconsistent, tuple_index

FEWEST_ANNOTATORS, FEWEST_TUPLES = 3, 10
PLACES = 4


class AnnotatorModel:
    """The annotator reliabilities and the test on held-out tuples, for studies with at least three annotators and ten
    tuples.
    """

    def __init__(self, judgements: Judgements, seed: int) -> None:
        consistent, _ = drop_inconsistent(judgements)
        annotators = 0 if consistent.annotator is None else len(np.unique(consistent.annotator))
        enough = annotators >= FEWEST_ANNOTATORS and tuple_index(consistent).max(initial=-1) + 1 >= FEWEST_TUPLES
        self._judgements, self._seed = judgements, seed
        self._fit: AnnotatorReliabilities | None = annotator_reliabilities(judgements) if enough else None

    def of(self, number: int) -> dict[str, float | None]:
        """Return the reliability of the annotator with this number, and the ends of its interval. Undefined figures are
        None.
        """
        names = ("maxdiff_reliability", "maxdiff_reliability_low", "maxdiff_reliability_high")
        if self._fit is None or number >= len(self._fit.reliability) or np.isnan(self._fit.reliability[number]):
            return dict.fromkeys(names)
        values = (self._fit.reliability[number], self._fit.low[number], self._fit.high[number])
        return {
            name: None if np.isnan(value) else round(float(value), PLACES)
            for name, value in zip(names, values, strict=True)
        }

    def as_dict(self) -> dict[str, Any] | None:
        """Return the range of the reliabilities and the test on held-out tuples as a JSON object, or None."""
        if self._fit is None:
            return None
        known = self._fit.reliability[~np.isnan(self._fit.reliability)]
        check = held_out_check(self._judgements, seed=self._seed)
        return {
            "annotators": len(known),
            "lowest": round(float(known.min()), PLACES),
            "median": round(float(np.median(known)), PLACES),
            "highest": round(float(known.max()), PLACES),
            "held_out": {name: round(value, PLACES) for name, value in asdict(check).items()},
            "conclusion": check.conclusion,
        }
