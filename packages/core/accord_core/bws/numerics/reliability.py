"""Split-half reliability of counting-based scores, and the forecast for additional judgements."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from accord_core.bws.numerics.halves import Progress, Unit, split_correlations
from accord_core.bws.numerics.scoring import Floats, Ints, Judgements, tuple_index

UNITS: tuple[Unit, Unit] = ("judgements", "tuples")
Correlation = TypeVar("Correlation", float, Floats)


@dataclass(frozen=True)
class SplitHalf:
    """The mean and standard deviation, over all splits, of the correlation between the scores from two random halves.

    The standard deviation shows how much the figure depends on the random split, and is not a confidence interval.
    `items` is the number of judged items, and `annotators` is the number of annotators, or None if they are unknown.
    `items_dropped` is the mean number, over splits, of items without a score in one of the halves. If a correlation is
    undefined in any split, the four figures are None, and `reason` contains the reason. The standard deviation of a
    single split is None.
    """

    spearman_mean: float | None
    spearman_sd: float | None
    pearson_mean: float | None
    pearson_sd: float | None
    splits: int
    items: int
    tuples: int
    annotations: int
    items_dropped: float
    unit: Unit
    reason: str | None = None
    annotators: int | None = None

    @property
    def judgements_per_tuple(self) -> float:
        return self.annotations / self.tuples if self.tuples else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return the reliability figures as a JSON object. The key `reason` is present only if the figures are
        undefined, and the key `annotators` only if the annotators are known.
        """
        figures: dict[str, Any] = {
            "spearman": {"mean": self.spearman_mean, "sd": self.spearman_sd},
            "pearson": {"mean": self.pearson_mean, "sd": self.pearson_sd},
            "splits": self.splits,
            "items": self.items,
            "tuples": self.tuples,
            "annotations": self.annotations,
            "items_dropped": self.items_dropped,
            "unit": self.unit,
        }
        if self.annotators is not None:
            figures["annotators"] = self.annotators
        return figures if self.reason is None else {**figures, "reason": self.reason}


@dataclass(frozen=True)
class ReliabilityAt:
    """Split-half reliability after the first few judgements, for both kinds of split."""

    judgements: int
    within_tuples: SplitHalf
    whole_tuples: SplitHalf


def split_half_reliability(
    judgements: Judgements,
    *,
    splits: int = 1000,
    seed: int = 1,
    unit: Unit = "judgements",
    progress: Progress | None = None,
) -> SplitHalf:
    """Return the mean correlation between the counting-based scores of two random halves (STR-2021 §4; Kiritchenko and
    Mohammad 2017).

    `unit="judgements"` shuffles the m judgements of each tuple and puts the first ⌊m/2⌋ judgements into one half and
    the others into the other half. An odd judgement is in either half with a probability of ½. Both halves then judge
    the same tuples, so the figure is optimistic. `unit="tuples"` divides whole tuples at random into two halves of
    equal size, so the figure is conservative. Both figures describe half of the data.

    The same judgements in the same order with the same seed produce the same digits. `progress(done, splits)` is called
    regularly. Raises ValueError for fewer than one split or an unknown unit.
    """
    if splits < 1:
        raise ValueError(f"The number of splits must be at least 1, not {splits}.")
    if unit not in UNITS:
        raise ValueError(f"`unit` must be 'judgements' or 'tuples', not {unit!r}.")
    if not len(judgements):
        nothing = np.full(splits, np.nan)
        return split_half(judgements, nothing, nothing, np.zeros(splits, dtype=np.int64), splits=splits, unit=unit)
    spearman, pearson, dropped = split_correlations(judgements, splits=splits, seed=seed, unit=unit, progress=progress)
    return split_half(judgements, spearman, pearson, dropped, splits=splits, unit=unit)


def split_half(
    judgements: Judgements, spearman: Floats, pearson: Floats, dropped: Ints, *, splits: int, unit: Unit
) -> SplitHalf:
    """Return the mean and standard deviation of the correlations (splits,), and the mean of the numbers (splits,) of
    excluded items. An undefined correlation is NaN.
    """
    facts: dict[str, Any] = {
        "splits": splits,
        "items": len(np.unique(judgements.items)),
        "tuples": len(np.unique(tuple_index(judgements))),
        "annotations": len(judgements),
        "unit": unit,
        "annotators": None if judgements.annotator is None else len(np.unique(judgements.annotator)),
    }
    if not len(judgements):
        return SplitHalf(None, None, None, None, items_dropped=0.0, reason="There are no judgements.", **facts)
    facts["items_dropped"] = float(np.mean(dropped))
    undefined = int(np.isnan(spearman).sum())
    if undefined:
        reason = (
            f"In {undefined:,} of {splits:,} splits, the correlation is undefined: fewer than two items have scores "
            f"in both halves, or all items in one half have the same score."
        )
        return SplitHalf(None, None, None, None, reason=reason, **facts)
    return SplitHalf(float(spearman.mean()), _deviation(spearman), float(pearson.mean()), _deviation(pearson), **facts)


def reliability_by_judgements(
    judgements: Judgements, levels: Sequence[int] | None = None, *, splits: int = 1000, seed: int = 1
) -> list[SplitHalf]:
    """Return the reliability with only 2, 4, 6, … judgements per tuple, as in the pilot of STR-2021 §3.2.

    The samples are those of `samples_by_judgements`. `judgements_per_tuple` of each result is its level.
    """
    samples = samples_by_judgements(judgements, levels, seed=seed)
    return [split_half_reliability(sample, splits=splits, seed=seed) for sample in samples.values()]


def samples_by_judgements(
    judgements: Judgements, levels: Sequence[int] | None = None, *, seed: int = 1
) -> dict[int, Judgements]:
    """Return a sample of the judgements for each level m, with m judgements per tuple.

    Each level draws m judgements of each tuple at random, from the tuples with at least m judgements, and includes the
    judgements of the lower levels. A level is omitted if fewer than half of the tuples have enough judgements, because
    the remaining tuples would not represent the study. By default, `levels` contains all even numbers. Raises
    ValueError for a level below 1.
    """
    tuples = tuple_index(judgements)
    per_tuple = np.bincount(tuples)
    if levels is None:
        levels = range(2, int(per_tuple.max(initial=0)) + 1, 2)
    shuffled = np.random.default_rng([seed, 0x5B]).permutation(len(tuples))
    by_tuple = shuffled[np.argsort(tuples[shuffled], kind="stable")]
    place = np.empty(len(tuples), dtype=np.int64)
    place[by_tuple] = np.arange(len(tuples)) - (np.cumsum(per_tuple) - per_tuple)[tuples[by_tuple]]
    samples = {}
    for level in levels:
        if level < 1:
            raise ValueError(f"A tuple must have at least one judgement, not {level}.")
        enough = per_tuple >= level
        if 2 * int(enough.sum()) >= max(1, len(per_tuple)):
            samples[level] = judgements.take(enough[tuples] & (place < level))
    return samples


def reliability_by_amount(
    judgements: Judgements,
    order: ArrayLike | None = None,
    fractions: Sequence[float] = (0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0),
    *,
    splits: int = 100,
    seed: int = 1,
    progress: Progress | None = None,
) -> list[ReliabilityAt]:
    """Return the reliability after each fraction (0, 1] of the judgements, for both kinds of split. The result shows
    how the reliability grows over time.

    `order` (M,) contains the row numbers in the order in which the judgements were collected, by default the order of
    the rows. Each point uses the items that have been judged up to that point. `progress(done, splits)` counts the
    splits of all points.
    """
    rows = np.arange(len(judgements)) if order is None else np.asarray(order)
    if not np.array_equal(np.sort(rows), np.arange(len(judgements))):
        raise ValueError(f"`order` must contain each of the rows 0 to {len(judgements) - 1} exactly once.")
    amounts = []
    for fraction in fractions:
        if not 0 < fraction <= 1:
            raise ValueError(f"The fraction of judgements must be greater than 0 and at most 1, not {fraction}.")
        amounts.append(round(fraction * len(judgements)))
    total = 2 * splits * len(amounts)
    points: list[ReliabilityAt] = []
    for amount in amounts:
        halves: list[SplitHalf] = []
        for unit in UNITS:
            before = splits * (2 * len(points) + len(halves))

            def report(done: int, _: int, before: int = before) -> None:
                if progress is not None:
                    progress(before + done, total)

            first = judgements.take(rows[:amount])
            halves.append(split_half_reliability(first, splits=splits, seed=seed, unit=unit, progress=report))
        points.append(ReliabilityAt(amount, *halves))
    return points


def judgements_needed(reliability: float, target: float, present: int) -> int | None:
    """Forecast the total number of judgements (including existing ones) needed to reach the reliability `target` in (0,
    1).

    The forecast is t(1 − r) / (2r(1 − t)) times the present number, where r is the correlation between halves of the
    tuples (`unit="tuples"`), because r describes half of the data, t describes the whole data, and the new judgements
    belong to new tuples. This is the Spearman–Brown formula (Spearman 1910; Brown 1910), solved for the length of the
    test. The forecast is rounded up. The forecast is None if r is not positive.
    """
    if not 0 < target < 1:
        raise ValueError(f"The target must be a reliability between 0 and 1, not {target}.")
    if reliability > 1:
        raise ValueError(f"A reliability must be at most 1, not {reliability}.")
    if reliability <= 0:
        return None
    needed = target * (1 - reliability) / (2 * reliability * (1 - target)) * present
    # A rounding error must not increase the forecast by one judgement.
    return math.ceil(needed - 1e-9 * max(1.0, needed))


def spearman_brown(reliability: Correlation) -> Correlation:
    """Return the predicted reliability of all judgements from the correlation r between two halves, or from an array of
    correlations.

    The prediction is 2r / (1 + r) (Spearman 1910; Brown 1910) and, for a negative r, 2r / (1 − r), which stays above −1
    (Krus and Helmstadter 1993). The prediction for NaN is NaN. Raises ValueError if r is not between −1 and 1.
    """
    if np.any(np.abs(reliability) > 1):
        raise ValueError(f"A correlation between halves must be between -1 and 1, not {reliability}.")
    return 2 * reliability / (1 + abs(reliability))


def _deviation(values: Floats) -> float | None:
    return float(values.std(ddof=1)) if len(values) > 1 else None
