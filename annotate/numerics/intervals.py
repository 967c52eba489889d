"""Confidence intervals of proportions."""

from __future__ import annotations

from math import sqrt

Z_95 = 1.959963984540054


def wilson_interval(successes: float, trials: int, z: float = Z_95) -> tuple[float, float] | None:
    """Return a proportion's Wilson score interval as (low, high), or None if there were no trials.

    Unlike the normal approximation, it stays within [0, 1] and is reliable for few trials (Wilson 1927; Brown, Cai and
    DasGupta 2001). Raises ValueError unless 0 ≤ successes ≤ trials.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"There cannot be {successes} successes in {trials} trials.")
    if trials == 0:
        return None
    share = successes / trials
    scale = 1 + z * z / trials
    middle = (share + z * z / (2 * trials)) / scale
    half = z / scale * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    # The interval must contain the observed share despite rounding errors.
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))
