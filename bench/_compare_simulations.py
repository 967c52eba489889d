"""Simulated comparisons of a study with a repeat: the agreement of their scores, and of their labels."""

from __future__ import annotations

import numpy as np

from accord_core.compare.label_agreement import label_agreement
from accord_core.compare.scores import score_agreement
from bench._interval_simulations import Draw, Figure, Simulation

RESAMPLES = 400
CANDIDATES = 4
JUDGEMENTS = 8  # of each item
LABELS = np.array(["no", "yes"])


def scores(draw: Draw, items: int) -> dict[str, Figure]:
    """Two studies score the same items, with as many different scores as counting-based scores have."""
    truth = draw.normal(0, 1, size=items)
    one, other = (np.rint(JUDGEMENTS * np.tanh(truth + draw.normal(0, 0.4, items))) / JUDGEMENTS for _ in range(2))
    found = score_agreement(one, other, resamples=RESAMPLES, seed=1)
    return {name: (each.value, each.low, each.high) for name, each in found.items()}


def labels(draw: Draw, questions: int) -> dict[str, Figure]:
    """Two studies label four candidates per question. Questions differ in difficulty and in the share of yes."""
    share, error = draw.beta(2, 2, size=(questions, 1)), draw.beta(1, 9, size=(questions, 1))
    truth = draw.random((questions, CANDIDATES)) < share
    one, other = (LABELS[(truth ^ (draw.random(truth.shape) < error)).astype(int)].ravel() for _ in range(2))
    clusters = np.repeat(np.arange(questions), CANDIDATES).astype(str)
    found = label_agreement(one.tolist(), other.tolist(), clusters.tolist(), resamples=RESAMPLES, seed=1)
    return {name: (each.value, each.low, each.high) for name, each in found.items()}


SIMULATIONS = (
    Simulation("compare", "items", scores, (30, 200)),
    Simulation("compare", "questions", labels, (20, 100)),
)
