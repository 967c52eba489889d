"""The judgements of a best–worst study as a pilot, and their reliability."""

from __future__ import annotations

import numpy as np

from accord_core.bws.numerics.reliability import spearman_brown, split_half_reliability
from accord_core.bws.numerics.reliability_intervals import reliability_intervals, widest
from accord_core.bws.numerics.scoring import tuple_index
from accord_core.numerics.unfinished import Measured, PilotAnswers, require_answers
from annotate.tasktypes import Columns
from bws.columns import design_judgements
from bws.report import splits_of


def pilot(columns: Columns) -> PilotAnswers:
    """Return the judgements as pilot answers. Raises TooFewAnswers if the pilot would be too small."""
    judgements = design_judgements(columns)
    annotators = len(np.unique(columns["annotator"]))
    # In a study without a pilot, all tuples are judged once before the first tuple is judged twice. The agreement on
    # items in different tuples then shows how clear and careful the judgements are.
    per_item = np.bincount(judgements.items.ravel())
    require_answers(per_item, annotators, questions="items")
    return PilotAnswers(judgements, len(judgements), len(np.unique(tuple_index(judgements))), annotators)


def measured(columns: Columns, seed: int) -> Measured:
    """Return the upper end of the main figure, which splits within tuples predict, and its interval."""
    judgements = design_judgements(columns)
    half = split_half_reliability(judgements, splits=splits_of(judgements), seed=seed, unit="judgements")
    interval = reliability_intervals(judgements, half, over=widest(judgements), seed=seed).spearman
    ends = (half.spearman_mean, interval.low, interval.high)
    return Measured(*(None if end is None else spearman_brown(end) for end in ends))
