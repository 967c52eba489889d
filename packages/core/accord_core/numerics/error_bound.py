"""An upper bound on the number of wrong labels, from a stratified sample of labels that reviewers have checked.

The bound is that of Buehler (1957): the largest number of wrong labels for which a result at least as good as the
observed one is more than 5% likely. Results are ordered by the MOVER bound (Zou, Huang and Zhang 2009) over the exact
limits of Clopper and Pearson (1934) for the strata. Among all bounds in this order that cover at least 95%, Buehler's
is the smallest (Lloyd and Kabaila 2003), so it is at most as wide as the MOVER bound wherever that bound covers 95%.

Labels are drawn without replacement, so the counts are hypergeometric. Second answers from annotators are not reliable
enough: if 90% of them are right, many correct labels would look wrong. A checked label is therefore one that a reviewer
has decided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from accord_core.numerics.labels import Bools, Floats, Ints

CONFIDENCE = 0.95
STEPS = 400


@dataclass(frozen=True)
class Stratum:
    """`size` labels, of which `checked` were drawn and checked, and `wrong` of these were wrong."""

    size: int
    checked: int
    wrong: int

    def __post_init__(self) -> None:
        if not 0 <= self.wrong <= self.checked <= self.size:
            raise ValueError(
                f"A stratum of {self.size} labels cannot have {self.checked} checked and {self.wrong} wrong labels."
            )

    @property
    def is_complete(self) -> bool:
        return self.checked == self.size

    @property
    def most(self) -> int:
        """The largest number of wrong labels that is possible with this result."""
        return self.size - self.checked + self.wrong


def most_wrong(strata: Sequence[Stratum], *, confidence: float = CONFIDENCE, steps: int = STEPS) -> int:
    """Return a number that the number of wrong labels in all strata exceeds with a probability of at most
    1 − `confidence`. The number includes the wrong labels that were found.

    A stratum in which all labels were checked counts with its number of wrong labels. Raises ValueError for more than
    two other strata. The numbers of wrong labels in the smaller one are tried in up to `steps` intervals, so the bound
    can be too large by the length of an interval.
    """
    known = sum(stratum.wrong for stratum in strata if stratum.is_complete)
    sampled = sorted((stratum for stratum in strata if not stratum.is_complete), key=lambda stratum: stratum.size)
    if len(sampled) > 2:
        raise ValueError(f"The bound is calculated for at most two incomplete strata, not {len(sampled)}.")
    if not sampled:
        return known
    first, second = sampled if len(sampled) == 2 else (Stratum(0, 0, 0), sampled[0])
    as_good = _as_good(first, second, confidence)

    def is_likely(in_first: Ints, in_second: Ints) -> Bools:
        no_worse = _probabilities(in_second, second, int(as_good.max())).cumsum(axis=1)
        chance = (_probabilities(in_first, first, len(as_good) - 1) * no_worse[:, as_good]).sum(axis=1)
        likely: Bools = chance > 1 - confidence
        return likely

    lowest = np.array([second.wrong])
    most = _last(lambda number: is_likely(number, lowest), np.array([first.wrong]), first.most)
    ends = np.unique(np.linspace(first.wrong - 1, most[0], steps + 1).round().astype(np.int64))
    # The probability falls with the number of wrong labels, so each interval is tried with its lowest number.
    starts = ends[:-1] + 1
    in_second = _last(lambda numbers: is_likely(starts, numbers), np.full(len(starts), second.wrong), second.most)
    totals = (ends[1:] + in_second)[in_second >= second.wrong]
    return known + int(totals.max(initial=first.wrong + second.wrong))


def _last(holds: Callable[[Ints], Bools], lowest: Ints, highest: int) -> Ints:
    """Return the largest numbers from `lowest` to `highest` for which `holds` is true, or `lowest` − 1. `holds` must be
    true up to some number and false above it.
    """
    true, false = lowest - 1, np.full(len(lowest), highest + 1)
    while (false - true > 1).any():
        middle = np.clip((true + false) // 2, lowest, highest)
        found = holds(middle)
        true, false = np.where(found & (middle > true), middle, true), np.where(found, false, np.minimum(middle, false))
    return true


def mover_bound(strata: Sequence[Stratum], *, confidence: float = CONFIDENCE, finite: bool = False) -> float:
    """Return the MOVER bound on the number of wrong labels, by which results are ordered.

    With `finite`, the bound is corrected for drawing without replacement. It is then about as large as `most_wrong`,
    and quick enough for plans, but its coverage is not guaranteed.
    """
    total, squares = 0.0, 0.0
    for stratum in strata:
        (value,), (excess,) = _estimates(np.array([stratum.wrong]), stratum, confidence)
        total += value
        squares += excess**2 * (1 - stratum.checked / stratum.size if finite else 1)
    return float(total + np.sqrt(squares))


def _as_good(first: Stratum, second: Stratum, confidence: float) -> Ints:
    """For each number of wrong labels in the first stratum's sample, starting at 0, return the largest number in the
    second sample with which the result is at least as good as observed. The list ends when there is no such number.
    """
    values, excesses = zip(
        *(_estimates(np.arange(each.checked + 1), each, confidence) for each in (first, second)), strict=True
    )
    bounds = values[0][:, None] + values[1] + np.hypot(excesses[0][:, None], excesses[1])
    observed = bounds[first.wrong, second.wrong]
    counts: Ints = (bounds <= observed * (1 + 1e-12)).sum(axis=1) - 1
    return counts[counts >= 0]


def _estimates(wrong: Ints, stratum: Stratum, confidence: float) -> tuple[Floats, Floats]:
    """Return the estimated number of wrong labels in the stratum for each number in the sample, and the distance from
    it to the one-sided Clopper–Pearson limit.
    """
    from scipy.special import betaincinv  # a slow import, which few commands need

    share = wrong / max(stratum.checked, 1)
    rest = stratum.checked - wrong
    limit = np.where(rest > 0, betaincinv(wrong + 1, np.maximum(rest, 1), confidence), 1.0)
    return stratum.size * share, stratum.size * (limit - share)


def _probabilities(wrong: Ints, stratum: Stratum, most: int) -> Floats:
    """Return the probabilities (len(wrong), most + 1) of 0 to `most` wrong labels in the stratum's sample."""
    log_factorial = _log_factorials(stratum.size)

    def log_choose(n: Ints, k: Ints) -> Floats:
        inside = (k >= 0) & (k <= n)
        n, k = np.where(inside, n, 0), np.where(inside, k, 0)
        return np.where(inside, log_factorial[n] - log_factorial[k] - log_factorial[n - k], -np.inf)

    size, checked = np.array(stratum.size), np.array(stratum.checked)
    drawn, among = np.arange(most + 1), wrong[:, None]
    logs = log_choose(among, drawn) + log_choose(size - among, checked - drawn) - log_choose(size, checked)
    probabilities: Floats = np.exp(logs)
    return probabilities


@lru_cache(maxsize=2)  # the two strata of one bound
def _log_factorials(most: int) -> Floats:
    from scipy.special import gammaln

    logs: Floats = gammaln(np.arange(most + 1) + 1)
    return logs
