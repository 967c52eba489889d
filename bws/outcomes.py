"""The scores of a best–worst study, for the comparison with a repeat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord_core.bws.numerics.repeat_scores import draw_repeat, fit_repeats
from accord_core.bws.numerics.scoring import Floats, consistent
from accord_core.exchange.arrays import read_json_array
from annotate.tasktypes import Outcome, StudyData
from bws.columns import columns, judgements_of, rounds_of
from bws.scores import scores_of


def outcomes(data: StudyData) -> list[Outcome]:
    """Return the scores of all items."""
    arrays = columns(data)
    keys = read_json_array(arrays["keys"])
    judgements, rounds = judgements_of(arrays), rounds_of(arrays)
    if not consistent(judgements).any():
        return []
    model = None

    def redraw(generator: np.random.Generator) -> Sequence[float | None]:
        nonlocal model
        model = model or fit_repeats(judgements)
        return _values(scores_of(draw_repeat(model, judgements, generator), rounds).score)

    values = _values(scores_of(judgements, rounds).score)
    return [Outcome("Scores", "items", keys, keys, values, redraw, are_scores=True)]


def _values(scores: Floats) -> list[float | None]:
    return [None if np.isnan(score) else float(score) for score in scores]
