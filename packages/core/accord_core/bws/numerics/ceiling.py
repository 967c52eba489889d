"""The noise ceiling of counting-based scores, and a system's correlation corrected for their reliability."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from accord_core.bws.numerics.halves import correlate
from accord_core.bws.numerics.left_out import LeftOut, Totals
from accord_core.bws.numerics.model_reliability import half_of_rows
from accord_core.bws.numerics.scoring import Bools, Floats, Ints, Judgements, spearman, tuple_index
from accord_core.numerics.jackknife import Part, Removals, crossed_errors, fisher_interval, unit_groups

# Small files need more splits, because their correlations vary more between splits.
FEWEST_SPLITS, MOST_SPLITS, SPLIT_ROWS = 10, 50, 100_000
FEWEST_ITEMS, FEWEST_ANNOTATORS = 10, 3
CAUTION = (
    "The noise ceiling is the expected correlation of a perfect system with these scores. A corrected correlation can "
    "exceed 1 because of sampling error."
)
RESTRICTED_RANGE = (
    "If a group's items differ little, both the reliability and the correlation are low. Compare a system's corrected "
    "correlations between groups with caution, because the correction does not undo a restricted range."
)
RESTRICTED_RANGE_OF_SCORES = (
    "If a source’s items differ little, the reliability of their scores is low. Compare noise ceilings between sources "
    "with caution, because a low noise ceiling can result from a restricted range of scores."
)
SCORES, SYSTEM = ("reliability", "ceiling"), ("correlation", "corrected")
FIGURES = (*SCORES, *SYSTEM)


@dataclass(frozen=True)
class Ceiling:
    """The figures for one group of items, each as a JSON object with `value`, `low` and `high` (95%).

    `reliability` is the estimated correlation of the scores with the scores of a second, equally large collection.
    `ceiling` is √reliability, the expected correlation of a perfect system with the scores. `correlation` is the
    system's Spearman correlation with the scores, and `corrected` is its correlation divided by the ceiling. Without a
    system, only the first two figures are present. `reason` states why the figures are undefined. Otherwise, `reason`
    is empty.
    """

    items: int
    figures: Mapping[str, Mapping[str, float | None]]
    generalises_to: str
    splits: int
    reason: str = ""

    def as_dict(self) -> dict[str, Any]:
        facts = {"items": self.items, "generalises_to": self.generalises_to, "splits": self.splits, **self.figures}
        return {**facts, "reason": self.reason} if self.reason else facts


def noise_ceiling(
    judgements: Judgements,
    predictions: ArrayLike | None = None,
    chosen: ArrayLike | None = None,
    *,
    splits: int | None = None,
    seed: int = 1,
) -> Ceiling:
    """Return the noise ceiling of the counting-based scores and the corrected correlation of the `predictions`
    (n_items,), for all items or for those in the mask `chosen` (n_items,). Without predictions, the result contains no
    system figures.

    The halves are split by whole tuples. If R and R_h are an item's numbers of appearances in the whole data and in a
    half, the errors of the half are m = mean(R/R_h) times as large as the errors of the whole data. The reliability of
    the whole is therefore m·r/(1 + (m − 1)r) (Spearman 1910; Brown 1910), with m slightly above 2, because random
    halves contain different numbers of tuples per item. The correction for attenuation is r_xy/√reliability (Spearman
    1904). A corrected correlation can exceed 1 because of sampling error.

    The intervals come from the second-order jackknife (`Errors.distances`). They generalise to other items with their
    own judgements; V_i is measured by leaving out items. If at least three annotators are known, they also generalise
    to other annotators. The variance is then V_i + V_a − V_ia, where V_a leaves out annotators and V_ia leaves out
    single judgements. Items without judgements or without a prediction (NaN) are excluded. Raises ValueError if the
    predictions have another shape.
    """
    names = SCORES if predictions is None else FIGURES
    values = np.zeros(judgements.n_items) if predictions is None else np.asarray(predictions, dtype=np.float64)
    if values.shape != (judgements.n_items,):
        raise ValueError(f"The number of predictions ({values.size}) must equal the number of items.")
    splits = splits or max(FEWEST_SPLITS, min(MOST_SPLITS, SPLIT_ROWS // max(1, len(judgements))))
    judged = np.zeros(judgements.n_items, dtype=np.bool_)
    judged[judgements.items] = True
    items = np.flatnonzero(judged & np.isfinite(values) & (True if chosen is None else np.asarray(chosen)))
    known = judgements.annotator is not None and len(np.unique(judgements.annotator)) >= FEWEST_ANNOTATORS
    over = "items and annotators" if known else "items"
    empty = {name: {"value": None, "low": None, "high": None} for name in names}
    if len(items) < FEWEST_ITEMS:
        reason = f"there are fewer than {FEWEST_ITEMS} items"
        return Ceiling(len(items), empty, over, splits, reason)
    generator = np.random.default_rng([seed, 0xCE])
    tuples = tuple_index(judgements)
    halves = [half_of_rows(tuples, "tuples", generator) for _ in range(splits)]
    system = None if predictions is None else values[items]
    by_items, whole = _leaving_out_items(judgements, items, system, halves, generator)
    if not np.isfinite(whole).all():
        vary = "the scores do not vary" if system is None else "the scores or the predictions do not vary"
        reason = f"{vary}, or the halves do not correlate"
        return Ceiling(len(items), empty, over, splits, reason)
    added, removed = [by_items], []
    if judgements.annotator is not None and known:
        added.append(_leaving_out_rows(judgements, items, system, halves, judgements.annotator, generator))
        removed.append(_leaving_out_rows(judgements, items, system, halves, np.arange(len(judgements)), generator))
    distances = crossed_errors(added, removed).distances()
    return Ceiling(len(items), _with_intervals(whole, distances), over, splits)


def _with_intervals(values: Floats, distances: Floats) -> dict[str, dict[str, float | None]]:
    """Return the `FIGURES`, or only the first two, with the ends of their intervals. `distances` (2, figures) contains
    the distances from the figures to these ends. The noise ceiling's interval ends are the square roots of the
    reliability's. If the reliability could be 0, the noise ceiling has no interval, because the interval would contain
    almost every possible value.
    """
    below, above = distances
    reliability = fisher_interval(values[0], below[0], above[0])[:2]
    low, high = reliability
    roots = (None, None) if low is None or high is None or low <= 0 else (float(np.sqrt(low)), float(np.sqrt(high)))
    ends: list[tuple[float | None, ...]] = [reliability, roots]
    if len(values) > len(SCORES):
        correlation = fisher_interval(values[2], below[2], above[2])[:2]
        ends += [correlation, (float(values[3] - below[3]), float(values[3] + above[3]))]
    return {
        name: {"value": float(value), "low": low, "high": high}
        for name, value, (low, high) in zip(FIGURES[: len(values)], values, ends, strict=True)
    }


def _leaving_out_items(
    judgements: Judgements, items: Ints, system: Floats | None, halves: list[Bools], generator: np.random.Generator
) -> tuple[Part, Floats]:
    """Return the variances of the figures over items, and the figures for all items together. `system` (items,)
    contains the predictions for the `items`.
    """
    group, groups = unit_groups(items, generator)
    removals = Removals(groups, generator)
    member = np.eye(groups, dtype=np.int8)[:, group]
    left_out = LeftOut(judgements, np.zeros(len(judgements), dtype=np.int64), Removals(1, generator), items)

    def blocks(half: Bools) -> Iterator[tuple[Totals, Totals]]:
        whole, one = (Totals(each.net[:, :1], each.shown[:, :1]) for each in next(left_out.blocks(half)))
        for (kept,) in removals.blocks(member):
            yield Totals(whole.net * kept, whole.shown * kept), Totals(one.net * kept, one.shown * kept)

    figures = _figures(blocks, halves, system)
    return removals.part(figures), figures[0]


def _leaving_out_rows(
    judgements: Judgements,
    items: Ints,
    system: Floats | None,
    halves: list[Bools],
    unit: Ints,
    generator: np.random.Generator,
) -> Part:
    """Return the variances of the figures over the judgements' units (M,)."""
    group, groups = unit_groups(unit, generator)
    removals = Removals(groups, generator)
    left_out = LeftOut(judgements, group, removals, items)
    return removals.part(_figures(left_out.blocks, halves, system))


Blocks = Callable[[Bools], Iterator[tuple[Totals, Totals]]]
"""A function from a half (M,) to the totals of all judgements and of the half, in blocks of columns."""


def _figures(blocks: Blocks, halves: list[Bools], predictions: Floats | None) -> Floats:
    """Return each column's `FIGURES` as an array of shape (columns, 4), or (columns, 2) without predictions."""
    by_half = [np.concatenate([_compared(whole, one) for whole, one in blocks(half)]) for half in halves]
    r, m = np.mean(by_half, axis=0).T
    reliability = np.where(r > 0, m * r / (1 + (m - 1) * r), np.nan)
    ceiling = np.sqrt(reliability)
    if predictions is None:
        return np.stack([reliability, ceiling], axis=1)
    scores = (column for whole, _ in blocks(halves[0]) for column in whole.score().T)
    system = np.array([_correlation(column, predictions) for column in scores])
    return np.stack([reliability, ceiling, system, system / ceiling], axis=1)


def _compared(whole: Totals, one: Totals) -> Floats:
    """Return each column's correlation between both halves, and its mean of R/R_h, as an array of shape (columns,
    2).
    """
    other = whole.without(one)
    correlation = correlate(one.net, one.shown, other.net, other.shown)[0]
    return np.stack([correlation, (_length(whole, one) + _length(whole, other)) / 2], axis=1)


def _length(whole: Totals, half: Totals) -> Floats:
    """Return the mean of R/R_h over each column's items that appear in the half."""
    shares = np.zeros(whole.shown.shape)
    np.divide(whole.shown, half.shown, out=shares, where=half.shown > 0)
    means: Floats = shares.sum(axis=0) / np.maximum(1, (half.shown > 0).sum(axis=0))
    return means


def _correlation(scores: Floats, predictions: Floats) -> float:
    here = np.isfinite(scores)
    value = spearman(scores[here], predictions[here])
    return np.nan if value is None else value
