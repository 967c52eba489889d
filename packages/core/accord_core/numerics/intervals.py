"""Confidence intervals for proportions, and quantiles of the t distribution."""

from __future__ import annotations

from math import expm1, pi, sqrt
from statistics import NormalDist

Z_95 = 1.959963984540054


def wilson_interval(successes: float, trials: float, z: float = Z_95) -> tuple[float, float] | None:
    """Return a proportion's Wilson score interval as (low, high), or None if there were no trials.

    Unlike the normal approximation, it stays within [0, 1] and is reliable for few trials (Wilson 1927; Brown, Cai and
    DasGupta 2001). Raises ValueError unless 0 ≤ successes ≤ trials.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"The number of successes cannot be {successes} in {trials} trials.")
    if trials == 0:
        return None
    share = successes / trials
    scale = 1 + z * z / trials
    middle = (share + z * z / (2 * trials)) / scale
    half = z / scale * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    # The interval must contain the observed share despite rounding errors.
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


def wilson_rank(successes: float, trials: int) -> float:
    """Return the value by which rates are ranked, the lower end of the 95% Wilson interval, or 0 without trials. A high
    rate in few trials then ranks below a slightly lower rate in many trials.
    """
    interval = wilson_interval(successes, trials)
    return interval[0] if interval else 0.0


def t_quantile(df: float, probability: float = 0.975) -> float:
    """Return the quantile of Student's t distribution with `df` ≥ 2 degrees of freedom, with an error below .002.

    Source: Hill (1970, Communications of the ACM, algorithm 396). Raises ValueError unless df ≥ 2 and the probability
    is between 0.5 and 1.
    """
    if not (df >= 2 and 0.5 < probability < 1):
        raise ValueError(f"The t distribution has no quantile for df = {df} and probability {probability}.")
    p = 2 * (1 - probability)
    a = 1 / (df - 0.5)
    b = 48 / a**2
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * sqrt(a * pi / 2) * df
    y = (d * p) ** (2 / df)
    if y > 0.05 + a:
        x = NormalDist().inv_cdf(p / 2)
        y = x * x
        if df < 5:
            c += 0.3 * (df - 4.5) * (x + 0.6)
        c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
        y = a * y * y
        y = expm1(y) if y > 0.002 else 0.5 * y * y + y
    else:
        y = ((1 / (((df + 6) / (df * y) - 0.089 * d - 0.822) * (df + 2) * 3) + 0.5 / (df + 4)) * y - 1) * (
            (df + 1) / (df + 2)
        ) + 1 / y
    return sqrt(df * y)
