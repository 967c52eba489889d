"""The coefficient of variation of the same figure in several studies, corrected for small samples (CV*)."""

from __future__ import annotations

from math import exp, lgamma, sqrt

import numpy as np
from numpy.typing import ArrayLike


def small_sample_variation(values: ArrayLike) -> float | None:
    """Return CV* of n values in percent, or None for fewer than two values or a mean that is not positive.

    CV* = (1 + 1/(4n)) · 100 · s* / mean, where s* = s / c₄(n) is the unbiased standard deviation of normally
    distributed values, and c₄(n) = √(2/(n − 1)) · Γ(n/2) / Γ((n − 1)/2). The values must be on a scale that starts at
    0. Source: Belz, Popović and Mille (2022), Quantified reproducibility assessment of NLP results, §3; the measure of
    single scores (type I) in QRA++ (Belz 2025, arXiv 2505.17043).
    """
    sample = np.asarray(values, dtype=np.float64)
    n = len(sample)
    if n < 2 or sample.mean() <= 0:
        return None
    c4 = sqrt(2 / (n - 1)) * exp(lgamma(n / 2) - lgamma((n - 1) / 2))
    return float((1 + 1 / (4 * n)) * 100 * sample.std(ddof=1) / c4 / sample.mean())
