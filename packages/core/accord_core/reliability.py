"""The reliability of best–worst scores, with intervals, and how many judgements a target needs.

>>> import numpy as np
>>> from accord_core.designs import best_worst_design
>>> from accord_core.reliability import reliability_intervals, spearman_brown, split_half_reliability
>>> from accord_core.scores import Judgements
>>> shown = np.repeat(best_worst_design(12, seed=3), 4, axis=0)  # four judgements of each tuple
>>> judgements = Judgements(shown, best=shown.max(axis=1), worst=shown.min(axis=1), n_items=12)
>>> halves = split_half_reliability(judgements, splits=100, seed=1)
>>> halves.spearman_mean  # everybody answers alike
1.0
>>> round(spearman_brown(0.8), 4)  # all judgements, if two halves correlate with .8
0.8889
"""

from accord_core.bws.numerics.ceiling import Ceiling, noise_ceiling
from accord_core.bws.numerics.model_reliability import maxdiff_reliability
from accord_core.bws.numerics.reliability import (
    SplitHalf,
    judgements_needed,
    reliability_by_judgements,
    spearman_brown,
    split_half_reliability,
)
from accord_core.bws.numerics.reliability_intervals import ReliabilityIntervals, reliability_intervals

__all__ = [
    "Ceiling",
    "ReliabilityIntervals",
    "SplitHalf",
    "judgements_needed",
    "maxdiff_reliability",
    "noise_ceiling",
    "reliability_by_judgements",
    "reliability_intervals",
    "spearman_brown",
    "split_half_reliability",
]
