"""Simulated labels from groups of annotators, for the intervals of `accord labels groups`."""

from __future__ import annotations

import numpy as np

from accord_core.numerics.batches import published_agreement
from accord_core.numerics.grouped import agreement_by_group
from accord_core.numerics.labels import Labels
from accord_core.numerics.suppression import SMALLEST_SHOWN
from bench._interval_simulations import Draw, Figure, Simulation

QUESTIONS, WEIGHTS = 200, (0.7, 0.3)
NAMES = {"raw_agreement": "Raw agreement", "fleiss_kappa": "Fleiss’ κ"}


def labels_of_groups(draw: Draw, annotators: int) -> dict[str, Figure]:
    """Two groups, each with this number of annotators, give yes or no to the same questions. The second group is less
    careful. All collections contain the same questions.
    """
    yes = np.random.default_rng(QUESTIONS).normal(0, 1.5, size=QUESTIONS)
    group = np.repeat([0, 1], annotators)
    lean, care = draw.normal(0, 0.5, size=2 * annotators), draw.gamma(6.0, 0.25, size=2 * annotators)
    care = care * np.where(group == 0, 1.0, 0.6)
    chance = 1 / (1 + np.exp(-(care[None, :] * yes[:, None] + lean[None, :])))
    label = (draw.random(chance.shape) < chance).astype(np.int64)
    item, annotator = (each.ravel() for each in np.indices(chance.shape))
    labels = Labels(item, annotator, label.ravel(), QUESTIONS, 2 * annotators, 2)
    # Reports publish whole batches only: here, all annotators of a group.
    in_batches = annotators >= SMALLEST_SHOWN
    found = (
        published_agreement(labels, group, group, WEIGHTS) if in_batches else agreement_by_group(labels, group, WEIGHTS)
    )
    parts = {"first group": found.within[0], "second group": found.within[1], "all groups": found.overall}
    return {
        f"{title}, {part}": (figures[name].value, figures[name].low, figures[name].high)
        for part, figures in parts.items()
        for name, title in NAMES.items()
    }


SIMULATIONS = (Simulation("labels groups", "annotators in each group", labels_of_groups, (3, 5, 10), 1.0),)
