"""Confidence intervals for split-half reliability, which generalise to other tuples, other annotators, or both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from accord_core.bws.numerics.halves import Unit
from accord_core.bws.numerics.left_out import counting_without
from accord_core.bws.numerics.maxdiff_left_out import maxdiff_without
from accord_core.bws.numerics.model_reliability import half_of_rows
from accord_core.bws.numerics.reliability import SplitHalf
from accord_core.bws.numerics.scoring import Bools, Ints, Judgements, drop_inconsistent, tuple_index
from accord_core.numerics.bootstrap import Interval
from accord_core.numerics.jackknife import Part, Removals, crossed_errors, fisher_interval, unit_groups

Over = Literal["tuples", "annotators", "both"]
Method = Literal["counting", "maxdiff"]
OVERS: tuple[Over, ...] = ("tuples", "annotators", "both")
# Small files need more splits, because their correlations vary more between splits.
FEWEST_SPLITS, MOST_SPLITS, SPLIT_ROWS = 10, 50, 100_000
FEWEST = 3
# With at least these numbers, the intervals contain the true value in at least 92% of simulations in which a fifth of
# the annotators answer at random (`bench/coverage.py`).
ENOUGH_TUPLES, ENOUGH_ANNOTATORS = 200, 20


@dataclass(frozen=True)
class ReliabilityIntervals:
    """95% intervals of a split-half reliability, which generalise to other units of the kind `over`.

    An interval is None if the reliability is undefined, or if there are fewer than three units. `unit` is the unit of
    the splits, and `splits` is the number of splits behind the intervals. `caution` contains a warning if there are too
    few units to trust the intervals.
    """

    unit: Unit
    over: Over
    spearman: Interval
    pearson: Interval
    tuples: int
    annotators: int | None
    splits: int

    @property
    def caution(self) -> str:
        few = []
        if self.over != "annotators" and self.tuples < ENOUGH_TUPLES:
            few.append(f"{self.tuples:,} questions instead of at least {ENOUGH_TUPLES}")
        if self.over != "tuples" and (self.annotators or 0) < ENOUGH_ANNOTATORS:
            few.append(f"{self.annotators or 0:,} annotators instead of at least {ENOUGH_ANNOTATORS}")
        return f"too few to trust the intervals: {' and '.join(few)}" if few else ""

    def as_dict(self) -> dict[str, Any]:
        """Return the intervals as a JSON object. It contains `caution` only if there is one."""
        figures: dict[str, Any] = {
            "generalises_to": self.over,
            "spearman": {"low": self.spearman.low, "high": self.spearman.high},
            "pearson": {"low": self.pearson.low, "high": self.pearson.high},
            "tuples": self.tuples,
            "annotators": self.annotators,
            "splits": self.splits,
        }
        return {**figures, "caution": self.caution} if self.caution else figures


def widest(judgements: Judgements) -> Over:
    """Return `both` if at least three annotators are known, and otherwise `tuples`."""
    known = judgements.annotator is not None and len(np.unique(judgements.annotator)) >= FEWEST
    return "both" if known else "tuples"


def reliability_intervals(
    judgements: Judgements,
    reliability: SplitHalf,
    *,
    over: Over = "both",
    method: Method = "counting",
    splits: int | None = None,
    seed: int = 1,
) -> ReliabilityIntervals:
    """Return 95% intervals for the split-half `reliability` of a method's scores, on the scale of Fisher's z.

    The items stay the same. The intervals generalise to other `tuples` of these items, to other `annotators`, or to
    `both`. A resample with replacement would contain copies of tuples, which would agree perfectly if they were in
    different halves, and would leave less information if they were in the same half. The variances therefore come from
    the second-order jackknife (`Removals`): V_t leaves out tuples, V_a leaves out annotators, and the variance over
    both is V_t + V_a − V_ta. V_ta leaves out single judgements. `Errors.distances` allows for the skewed errors that a
    few careless annotators cause. All left-out groups share the same random `splits` (by default 10 to 50, fewer than
    for the reliability itself), so that the splits add no variation. For MaxDiff scores, judgements that name the same
    item as best and worst are excluded. Raises ValueError for intervals over annotators if the judgements do not name
    their annotators.
    """
    if over != "tuples" and judgements.annotator is None:
        raise ValueError("An interval for other annotators requires judgements that name their annotators.")
    if method == "maxdiff":
        judgements, _ = drop_inconsistent(judgements)
    splits = splits or max(FEWEST_SPLITS, min(MOST_SPLITS, SPLIT_ROWS // max(1, len(judgements))))
    tuples = tuple_index(judgements)
    units: dict[Over, Ints] = {"tuples": tuples, "both": np.arange(len(judgements))}
    if judgements.annotator is not None:
        units["annotators"] = judgements.annotator
    counts = {name: len(np.unique(unit)) for name, unit in units.items()}
    needed: list[Over] = ["tuples", "annotators", "both"] if over == "both" else [over]
    spearman, pearson = Interval(None, None, 0), Interval(None, None, 0)
    if reliability.spearman_mean is not None and all(counts[name] >= FEWEST for name in needed):
        generator = np.random.default_rng([seed, 0x1A])
        halves = [half_of_rows(tuples, reliability.unit, generator) for _ in range(splits)]
        parts = _parts(judgements, {name: units[name] for name in needed}, halves, method, generator)
        added = [part for name, part in parts.items() if name != "both"]
        errors = crossed_errors(added, [parts["both"]] if over == "both" else [])
        undefined = np.sum([part.undefined for part in parts.values()], axis=0)
        values = (reliability.spearman_mean, reliability.pearson_mean)
        spearman, pearson = (
            fisher_interval(np.nan if value is None else value, below, above, times)
            for value, below, above, times in zip(values, *errors.distances(), undefined.tolist(), strict=True)
        )
    return ReliabilityIntervals(
        reliability.unit, over, spearman, pearson, counts["tuples"], counts.get("annotators"), splits
    )


def _parts(
    judgements: Judgements,
    units: Mapping[Over, Ints],
    halves: list[Bools],
    method: Method,
    generator: np.random.Generator,
) -> dict[Over, Part]:
    """Return the errors of the mean Spearman and Pearson correlations, estimated by leaving out groups of each kind of
    unit.
    """
    groups: list[Ints] = []
    removals = []
    for unit in units.values():
        group, number = unit_groups(unit, generator)
        groups.append(group)
        removals.append(Removals(number, generator))
    correlations_of = {"counting": counting_without, "maxdiff": maxdiff_without}[method](judgements, groups, removals)
    by_split = [correlations_of(half) for half in halves]
    return {
        name: removal.part(np.mean(correlations, axis=0))
        for name, removal, correlations in zip(units, removals, zip(*by_split, strict=True), strict=True)
    }
