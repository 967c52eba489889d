"""MaxDiff with a normal prior whose variance is estimated, and whose mean can follow a program's scores.

If people judge a fixed set of items that a program has scored, the program's scores give a first estimate of each
utility. The judgements then determine how close the utility stays to this estimate (empirical Bayes: Efron and Morris
1975).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log

import numpy as np
from numpy.typing import ArrayLike

from accord_core.bws.numerics.lbfgs import Minimum, minimise
from accord_core.bws.numerics.maxdiff import MaxDiffScores, negative_log_likelihood
from accord_core.bws.numerics.maxdiff_left_out import curvature_at
from accord_core.bws.numerics.scoring import Bools, Floats, Judgements, drop_inconsistent

# The prior's standard deviation in logits is searched between these values, up to this relative error.
LEAST, MOST, EXACT = 0.02, 20.0, 1e-3
GOLDEN = (5**0.5 - 1) / 2  # the golden-section search keeps this share of the range in each step


@dataclass(frozen=True, eq=False)
class PriorFit:
    """The scores, and the prior: its standard deviation `spread` in logits, and `slope`, the change of its mean per
    standard deviation of the program's scores. Without a program, the slope is 0.
    """

    scores: MaxDiffScores
    spread: float
    slope: float


def maxdiff_with_prior(judgements: Judgements, program: ArrayLike | None = None, *, limit: int = 1000) -> PriorFit:
    """Fit MaxDiff with utilities that are normally distributed around slope·`program` (n_items,), or around 0 without a
    program.

    The slope and the standard deviation of the prior are estimated from the judgements by maximising the marginal
    likelihood in Laplace's approximation. The utilities are the most probable ones, with a mean of zero over the items
    that were shown. `standard_error` is the standard deviation of the posterior. The standard deviation of the prior
    has a relative error of at most 10⁻³, and is at least .02 and at most 20. Raises ValueError if the
    program's scores are not finite numbers for all items, or if no judgement names two items.
    """
    consistent, dropped = drop_inconsistent(judgements)
    if not len(consistent):
        raise ValueError("No judgement names different items as best and worst.")
    judged = np.zeros(judgements.n_items, dtype=np.bool_)
    judged[consistent.items] = True
    model = _Model(consistent, judged, _standardised(program, judged), limit)
    low, high = log(LEAST), log(MOST)
    inner = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)]
    losses = [model.loss(each) for each in inner]
    while high - low > EXACT:
        if losses[0] < losses[1]:
            high, inner = inner[1], [low + (1 - GOLDEN) * (inner[1] - low), inner[0]]
            losses = [model.loss(inner[0]), losses[0]]
        else:
            low, inner = inner[0], [inner[1], high - (1 - GOLDEN) * (high - inner[0])]
            losses = [losses[1], model.loss(inner[1])]
    return model.fit((low + high) / 2, dropped)


class _Model:
    """The most probable utilities for each standard deviation of the prior. The search starts at the previous ones."""

    def __init__(self, judgements: Judgements, judged: Bools, centre: Floats, limit: int) -> None:
        self.judgements, self.judged, self.centre, self.limit = judgements, judged, centre, limit
        self.likelihood = negative_log_likelihood(judgements)
        # The deviations from the prior's mean, and the slope of the prior's mean
        self.last = Minimum(np.zeros(judgements.n_items + 1), 0, converged=True)

    def loss(self, log_spread: float) -> float:
        """Return the negative logarithm of the marginal likelihood, without constants."""
        variance = exp(2 * log_spread)
        self.last = self._maximise(variance)
        deviation = self.last.at[:-1]
        diagonal, second = self._information(variance)
        # The logarithm of the information's determinant, up to second order
        log_determinant = float((np.log(diagonal) - second / diagonal / 2)[self.judged].sum())
        value, _ = self.likelihood(self._utility())
        prior = float(deviation @ deviation) / (2 * variance) + log_spread * int(self.judged.sum())
        return value + prior + log_determinant / 2

    def fit(self, log_spread: float, dropped: int) -> PriorFit:
        variance = exp(2 * log_spread)
        self.last = self._maximise(variance)
        diagonal, second = self._information(variance)
        error = np.sqrt(1 / diagonal + second / diagonal**2)
        utility = self._utility()
        scores = MaxDiffScores(
            np.where(self.judged, utility - utility[self.judged].mean(), np.nan),
            np.where(self.judged, error, np.nan),
            dropped,
            self.last.iterations,
            self.last.converged,
        )
        return PriorFit(scores, exp(log_spread), float(self.last.at[-1]))

    def _maximise(self, variance: float) -> Minimum:
        def loss(x: Floats) -> tuple[float, Floats]:
            deviation = x[:-1]
            value, gradient = self.likelihood(deviation + x[-1] * self.centre)
            value += float(deviation @ deviation) / (2 * variance)
            return value, np.append(gradient + deviation / variance, gradient @ self.centre)

        return minimise(loss, self.last.at, tolerance=1e-4, limit=self.limit)

    def _utility(self) -> Floats:
        utility: Floats = self.last.at[:-1] + self.last.at[-1] * self.centre
        return utility

    def _information(self, variance: float) -> tuple[Floats, Floats]:
        """Return the diagonal D (n_items,) of the information, and the diagonal (n_items,) of OD⁻¹O, where O contains
        the other cells.

        The diagonal of the inverse is D⁻¹ + D⁻¹(OD⁻¹O)D⁻¹ up to second order. A complete inverse of thousands of items
        would need minutes.
        """
        curvature, n = curvature_at(self.judgements, self._utility()), self.judgements.n_items
        shape = curvature.information.shape
        one = np.broadcast_to(curvature.items[:, :, None], shape)
        other = np.broadcast_to(curvature.items[:, None, :], shape)
        same = one == other
        diagonal = np.bincount(one[same], curvature.information[same], n) + 1 / variance
        pairs, pair = np.unique(one[~same] * n + other[~same], return_inverse=True)
        cells = np.bincount(pair, curvature.information[~same])
        second: Floats = np.bincount(pairs // n, cells**2 / diagonal[pairs % n], n).astype(np.float64)
        return diagonal.astype(np.float64), second


def _standardised(program: ArrayLike | None, judged: Bools) -> Floats:
    if program is None:
        return np.zeros(len(judged))
    scores = np.asarray(program, dtype=np.float64)
    if scores.shape != judged.shape or not np.isfinite(scores).all():
        raise ValueError(f"The program needs one finite score for each of the {len(judged):,} items.")
    spread = scores[judged].std()
    standardised: Floats = (scores - scores[judged].mean()) / (spread if spread > 0 else 1.0)
    return standardised
