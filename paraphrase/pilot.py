"""The labels of a paraphrase study as a pilot, and their agreement."""

from __future__ import annotations

import numpy as np

from accord_core.numerics.agreement import agreement
from accord_core.numerics.unfinished import Measured, PilotAnswers, require_answers
from annotate.tasktypes import Columns
from paraphrase.columns import collected, design_labels

RESAMPLES = 200


def pilot(columns: Columns) -> PilotAnswers:
    """Return the labels as a pilot, in which each candidate of a question is an item. Raises TooFewAnswers if the pilot
    would be too small.
    """
    labels = design_labels(columns, collected(columns))
    per_item = labels.counts.sum(axis=1)
    annotators = len(np.unique(labels.annotator))
    require_answers(per_item, annotators, questions="items")
    return PilotAnswers(labels, len(labels), int((per_item > 0).sum()), annotators)


def measured(columns: Columns, seed: int) -> Measured:
    """Return Krippendorff's α with an interval from resampled questions."""
    data = collected(columns)
    coefficients = agreement(design_labels(columns, data), resamples=RESAMPLES, seed=seed, clusters=data.question)
    alpha = coefficients["krippendorff_alpha_nominal"]
    return Measured(alpha.value, alpha.low, alpha.high)
