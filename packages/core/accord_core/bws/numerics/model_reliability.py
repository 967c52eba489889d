"""Split-half reliability of MaxDiff scores, for which the model is fitted to both halves of each random split."""

from __future__ import annotations

import numpy as np

from accord_core.bws.numerics.halves import Progress, Unit
from accord_core.bws.numerics.maxdiff import maxdiff_scores
from accord_core.bws.numerics.reliability import UNITS, SplitHalf, split_half
from accord_core.bws.numerics.scoring import (
    Bools,
    Floats,
    Ints,
    Judgements,
    drop_inconsistent,
    pearson,
    spearman,
    tuple_index,
)


def maxdiff_reliability(
    judgements: Judgements,
    *,
    splits: int = 50,
    seed: int = 1,
    unit: Unit = "judgements",
    progress: Progress | None = None,
) -> SplitHalf:
    """Return the mean correlation between the MaxDiff utilities of two random halves.

    The halves are drawn as in `split_half_reliability`. Judgements that name the same item as best and worst are
    excluded before the split, because MaxDiff cannot use them. Items without judgements in one of the halves are
    excluded from the correlation. Raises ValueError for fewer than one split or an unknown unit.
    """
    if splits < 1:
        raise ValueError(f"The number of splits must be at least 1, not {splits}.")
    if unit not in UNITS:
        raise ValueError(f"`unit` must be 'judgements' or 'tuples', not {unit!r}.")
    consistent, _ = drop_inconsistent(judgements)
    generator = np.random.default_rng([seed, 0x6D])
    tuples = tuple_index(consistent)
    correlations = np.full((2, splits), np.nan)
    dropped = np.zeros(splits, dtype=np.int64)
    items = len(np.unique(consistent.items))
    for split in range(splits if len(consistent) else 0):
        half = half_of_rows(tuples, unit, generator)
        one, other = (maxdiff_scores(consistent.take(rows)).utility for rows in (half, ~half))
        both = np.isfinite(one) & np.isfinite(other)
        dropped[split] = items - both.sum()
        correlations[:, split] = _correlations(one[both], other[both])
        if progress is not None:
            progress(split + 1, splits)
    return split_half(consistent, correlations[0], correlations[1], dropped, splits=splits, unit=unit)


def half_of_rows(tuples: Ints, unit: Unit, generator: np.random.Generator) -> Bools:
    """Return a mask (M,) of the rows in one random half. `tuples` (M,) contains the number of each row's tuple.

    A half contains ⌊m/2⌋ or ⌈m/2⌉ of the m judgements of each tuple or, if `unit` is `tuples`, whole tuples.
    """
    count = int(tuples.max(initial=-1)) + 1
    if unit == "tuples":
        larger = (count + generator.integers(0, 2)) // 2
        chosen: Bools = generator.permutation(count)[tuples] < larger
        return chosen
    order = np.lexsort((generator.random(len(tuples)), tuples))
    per_tuple = np.bincount(tuples, minlength=count)
    place = np.empty(len(tuples), dtype=np.int64)
    place[order] = np.arange(len(tuples)) - np.repeat(np.cumsum(per_tuple) - per_tuple, per_tuple)
    half: Bools = place < ((per_tuple + generator.integers(0, 2, size=count)) // 2)[tuples]
    return half


def _correlations(one: Floats, other: Floats) -> tuple[float, float]:
    if not len(one):
        return np.nan, np.nan
    rank, linear = spearman(one, other), pearson(one, other)
    return (np.nan if rank is None else rank), (np.nan if linear is None else linear)
