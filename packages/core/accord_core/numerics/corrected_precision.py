"""A system's precision, corrected by human judgements of a sample of its errors.

A gold standard is incomplete, so some of a system's false positives are correct. Cohn, Callison-Burch and Lapata (2008,
section 5) therefore had people judge 48 of a system's false positives. The share of accepted false positives corrects
the precision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accord_core.numerics.bootstrap import percentile_intervals, ratio
from accord_core.numerics.labels import Floats


@dataclass(frozen=True)
class Proportion:
    """A proportion and its 95% interval. Undefined values are None."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class CorrectedPrecision:
    """The precision against the gold standard, and the corrected precision.

    `corrected` is P + (1 − P)·a: P is the precision, and a is the share of accepted false positives. `judged` is P·c +
    (1 − P)·a, which also takes into account the share c of accepted true positives. Without judgements of true
    positives, `judged` is None.
    """

    precision: Proportion
    corrected: Proportion
    judged: Proportion


def corrected_precision(
    counts: Floats, errors: Sequence[float], controls: Sequence[float] = (), *, resamples: int = 1000, seed: int = 1
) -> CorrectedPrecision:
    """Return the precision and the corrected precision with 95% intervals.

    `counts` (U, 2) contains the true positives and all positives of each unit, such as a sentence pair. `errors` and
    `controls` contain the judgement of each checked false positive and true positive, from 0 for rejected to 1 for
    accepted. A judgement between 0 and 1 is the mean of several annotators.

    In each resample, the units are drawn with replacement, and the shares a and c are drawn from Jeffreys' posterior
    Beta(s + ½, n − s + ½). The sum of the n judgements is s. The interval is thus valid even if all judgements are
    equal. Without resamples, there are no intervals. Raises ValueError for a judgement outside 0 to 1.
    """
    for judgement in (*errors, *controls):
        if not 0 <= judgement <= 1:
            raise ValueError(f"A judgement must be between 0 and 1, not {judgement}.")
    generator = np.random.default_rng([seed, 0xCE])
    # Units without positives are excluded, because a single unit with positives would otherwise get an interval of
    # width 0.
    counts = counts[counts[:, 1] > 0]
    true, positives = counts.sum(axis=0)
    precision = true / positives if positives else None

    def estimate(weights: Floats) -> Floats:
        sums = weights @ counts
        p, accepted_errors = ratio(sums[:, 0], sums[:, 1]), _posterior(errors, len(sums), generator)
        accepted_controls = _posterior(controls, len(sums), generator)
        both = (accepted_controls, accepted_errors)
        return np.stack([p, p + (1 - p) * accepted_errors, p * both[0] + (1 - p) * both[1]])

    ends: list[tuple[float | None, float | None]] = [(None, None)] * 3
    if resamples and len(counts):
        ones = np.ones(len(counts), dtype=np.int64)
        found = percentile_intervals(estimate, ones, resamples=resamples, seed=seed, width=2)
        ends = [(interval.low, interval.high) for interval in found]
    a = float(np.mean(errors)) if len(errors) else None
    c = float(np.mean(controls)) if len(controls) else None
    values: list[float | None] = [precision, None, None]
    if precision is not None and (a is not None or precision == 1):
        values[1] = precision + (1 - precision) * (a or 0.0)
        values[2] = None if c is None else precision * c + (1 - precision) * (a or 0.0)
    return CorrectedPrecision(
        *(
            Proportion(None if value is None else float(value), *(end if value is not None else (None, None)))
            for value, end in zip(values, ends, strict=True)
        )
    )


def _posterior(judgements: Sequence[float], size: int, generator: np.random.Generator) -> Floats:
    accepted, count = sum(judgements), len(judgements)
    return generator.beta(accepted + 0.5, count - accepted + 0.5, size=size)
