"""MaxDiff utilities after leaving out single tuples, annotators or judgements, for the reliability intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from accord_core.bws.numerics.left_out import CorrelationsOf
from accord_core.bws.numerics.maxdiff import PENALTY, maxdiff_scores
from accord_core.bws.numerics.scoring import Bools, Floats, Ints, Judgements, first_in_row, tuple_index
from accord_core.numerics.jackknife import Removals


class Curvature(NamedTuple):
    """The log likelihood of M judgements near its maximum. `items` (M, k) are the sorted items in each row, and
    `gradient` (M, k) and `information` (M, k, k) refer to these items' utilities.
    """

    items: Ints
    gradient: Floats
    information: Floats

    def total(self, n_items: int) -> Floats:
        """Return the information matrix (n_items, n_items) of all judgements, including the penalty."""
        matrix: Floats = 2 * PENALTY * np.eye(n_items)
        np.add.at(matrix, (self.items[:, :, None], self.items[:, None, :]), self.information)
        return matrix


def maxdiff_without(judgements: Judgements, groups: Sequence[Ints], removals: Sequence[Removals]) -> CorrelationsOf:
    """Return the correlations of MaxDiff utilities after leaving out groups of rows. For each kind of unit, `groups`
    contains each row's group (M,). Every row must be consistent.

    The model is not fitted again without each group, which would take thousands of fits per split. The utilities change
    by the sum of the steps of each tuple in the group (`steps_without`).
    """
    tuples = tuple_index(judgements)

    def correlations(half: Bools) -> list[Floats]:
        one, other = (_utilities(judgements, rows, tuples, groups, removals) for rows in (half, ~half))
        known = np.isfinite(one[0][:, 0]) & np.isfinite(other[0][:, 0])
        return [_correlations(a[known], b[known]) for a, b in zip(one, other, strict=True)]

    return correlations


def _utilities(
    judgements: Judgements, rows: Bools, tuples: Ints, groups: Sequence[Ints], removals: Sequence[Removals]
) -> list[Floats]:
    """Return the utilities from the chosen `rows` for each kind of unit, as arrays of shape (n_items, columns)."""
    chosen = judgements.take(rows)
    utility = maxdiff_scores(chosen).utility
    curvature = curvature_at(chosen, np.nan_to_num(utility))
    inverse = np.linalg.inv(curvature.total(chosen.n_items)).astype(np.float64)
    results = []
    for group, each in zip(groups, removals, strict=True):
        steps = steps_without(curvature, tuples[rows], group[rows], each.groups, inverse)
        both = steps[:, each.pairs[:, 0]] + steps[:, each.pairs[:, 1]]
        # If two groups are left out, more judgements are missing, so each remaining judgement has a larger influence.
        pairs = both * (each.groups - 1) / max(1, each.groups - 2)
        results.append(utility[:, None] - np.concatenate([np.zeros((len(utility), 1)), steps, pairs], axis=1))
    return results


def steps_without(curvature: Curvature, tuples: Ints, group: Ints, groups: int, inverse: Floats) -> Floats:
    """Return the differences (n_items, groups) between the utilities with and without each group of judgements.

    For the judgements of one tuple, the difference is (H − C)⁻¹s, one Newton step from the maximum: s is their
    gradient, C is their information, and `inverse` is H⁻¹, the inverse of the whole information. By Woodbury's
    identity, the step equals H⁻¹(I − CK)⁻¹s, where K contains the cells of H⁻¹ that belong to the items of the tuple.
    The steps of all B/G tuples of a group are added, and multiplied by (B − 1)/(B − B/G), because less information
    remains without the whole group than without one of its tuples.
    """
    blocks, block = np.unique(tuples * groups + group, return_inverse=True)
    first = np.unique(block, return_index=True)[1]
    gradient, information = (_sums(block, each) for each in (curvature.gradient, curvature.information))
    items, k = curvature.items[first], curvature.items.shape[1]
    cells = inverse[items[:, :, None], items[:, None, :]]
    scaled = np.linalg.solve(np.eye(k) - information @ cells, gradient[:, :, None])[:, :, 0]
    places = items * groups + (blocks % groups)[:, None]
    by_group = np.bincount(places.ravel(), scaled.ravel(), len(inverse) * groups).reshape(len(inverse), groups)
    size = max(1.0, len(blocks) / groups)
    steps: Floats = inverse @ by_group * (len(blocks) - 1) / max(1.0, len(blocks) - size)
    return steps


def _sums(block: Ints, values: Floats) -> Floats:
    sums = np.zeros((int(block.max(initial=-1)) + 1, *values.shape[1:]))
    np.add.at(sums, block, values)
    return sums


def curvature_at(judgements: Judgements, utility: Floats) -> Curvature:
    """Return each judgement's gradient and information at the utilities (n_items,). Every row must be consistent."""
    items = np.sort(judgements.items, axis=1)  # As a result, all rows of a tuple have its items in the same order.
    shown = first_in_row(items)
    x = utility[items]
    x = x - (x.max(axis=1, keepdims=True) + x.min(axis=1, keepdims=True)) / 2
    up, down = np.exp(x) * shown, np.exp(-x) * shown
    sums = up.sum(axis=1, keepdims=True) * down.sum(axis=1, keepdims=True) - shown.sum(axis=1, keepdims=True)
    best = (up * down.sum(axis=1, keepdims=True) - shown) / sums
    worst = (down * up.sum(axis=1, keepdims=True) - shown) / sums
    chosen = (items == judgements.best[:, None]).astype(np.float64) - (items == judgements.worst[:, None])
    mean = best - worst
    both = up[:, :, None] * down[:, None, :] / sums[:, :, None]
    information = -(both + both.transpose(0, 2, 1)) - mean[:, :, None] * mean[:, None, :]
    places = np.arange(items.shape[1])
    information[:, places, places] = best + worst - mean**2
    return Curvature(items, (chosen - mean) * shown, information)


def _correlations(one: Floats, other: Floats) -> Floats:
    """Return the Spearman and Pearson correlations (columns, 2) of two arrays of shape (items, columns)."""
    ranks = [each.argsort(axis=0).argsort(axis=0).astype(np.float64) for each in (one, other)]
    return np.stack([_pearson(*ranks), _pearson(one, other)], axis=1)


def _pearson(one: Floats, other: Floats) -> Floats:
    a, b = (each - each.mean(axis=0) for each in (one, other))
    lengths = np.sqrt((a**2).sum(axis=0) * (b**2).sum(axis=0))
    correlations = np.full(len(lengths), np.nan)
    np.divide((a * b).sum(axis=0), lengths, out=correlations, where=lengths > 0)
    return correlations
