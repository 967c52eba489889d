"""Adaptive rounds: additional tuples that compare items whose ranks are uncertain with items of similar utility."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from accord_core.bws.numerics.design import DesignError
from accord_core.bws.numerics.maxdiff import MaxDiffScores, maxdiff_scores, maxdiff_with_reliabilities
from accord_core.bws.numerics.positions import balance_positions
from accord_core.bws.numerics.scoring import Floats, Ints, Judgements, drop_inconsistent

# The standard deviation of a rank is estimated from this many draws of the utilities.
DRAWS = 200
# To find an item that shares no tuple with a row's items, the search compares at most this many neighbours.
NEIGHBOURS = 16
# The intended number of appearances is at most this multiple of the mean, so that a round also covers other items.
MOST_OF_MEAN = 3.0
ATTEMPTS = 20


def fit_for_round(judgements: Judgements) -> MaxDiffScores:
    """Return the MaxDiff scores for choosing a round. If at least two annotators are known, the model estimates their
    reliabilities, because careless annotators would otherwise make well-known utilities look uncertain.

    Raises DesignError if an item has no judgements, because its utility is then unknown.
    """
    consistent, _ = drop_inconsistent(judgements)
    without = judgements.n_items - len(np.unique(consistent.items))
    if without:
        raise DesignError(
            f"{without:,} of {judgements.n_items:,} items have no judgements yet. An adaptive round needs at least one "
            "judgement of each item."
        )
    annotators = 0 if judgements.annotator is None else len(np.unique(judgements.annotator))
    return maxdiff_with_reliabilities(judgements)[0] if annotators > 1 else maxdiff_scores(judgements)


def rank_uncertainty(scores: MaxDiffScores, rng: np.random.Generator) -> Floats:
    """Return the standard deviation (n_items,) of each item's rank over draws from the approximate posterior.

    Each draw takes all utilities from independent normal distributions with the estimated standard errors.
    """
    drawn = scores.utility + scores.standard_error * rng.standard_normal((DRAWS, len(scores.utility)))
    ranks = drawn.argsort(axis=1).argsort(axis=1)
    deviation: Floats = ranks.std(axis=0)
    return deviation


def adaptive_tuples(judgements: Judgements, tuples: Ints, n_tuples: int, *, seed: int) -> NDArray[np.int64]:
    """Return `n_tuples` additional tuples (n_tuples, size) for a study with `judgements` of the existing `tuples`
    (T, size).

    The number of appearances of an item is about proportional to the variance of its rank (`rank_uncertainty`), but at
    most about three times the mean. Each pass over the items draws all utilities from the approximate posterior
    (Thompson 1933), sorts the items by these draws, and forms tuples of neighbours, because MaxDiff learns most from
    choices between items of similar utility. No tuple contains an item twice or repeats another tuple as a set. The
    search avoids pairs that already share a tuple, but does not exclude them. The counts of an item at different
    positions of the additional tuples differ by at most one. The order of the tuples is random.

    The same arguments always produce the same tuples. Raises DesignError if an item has no judgements, if `n_tuples` is
    not positive, or if no further different tuples are found.
    """
    if n_tuples < 1:
        raise DesignError(f"An adaptive round needs at least one tuple, not {n_tuples}.")
    rng = np.random.default_rng([seed, 0xADA])
    scores, size = fit_for_round(judgements), tuples.shape[1]
    left = _appearances(rank_uncertainty(scores, rng) ** 2, n_tuples, size, rng)
    pairs = _Pairs(tuples)
    rows: list[list[int]] = []
    # An item appears at most once in each pass.
    passes = max(int(left.max()), -(-n_tuples // (judgements.n_items // size)))
    for number in range(passes):
        wanted = n_tuples * (number + 1) // passes - len(rows)
        if wanted:
            rows += _one_pass(scores, left, wanted, size, pairs, rng)
    shuffled = np.array(rows, dtype=np.int64)[rng.permutation(n_tuples)]
    return balance_positions(shuffled, judgements.n_items, rng)


def _one_pass(
    scores: MaxDiffScores, left: Ints, wanted: int, size: int, pairs: _Pairs, rng: np.random.Generator
) -> list[list[int]]:
    """Return `wanted` tuples of neighbours in which no item appears twice, and add them to `pairs`.

    The items with the most remaining appearances `left` come first, so that each item can reach its number. If these
    items can only repeat a tuple, further attempts also use other items.
    """
    for attempt in range(ATTEMPTS):
        urgency = left + attempt * rng.random(len(left))
        chosen = np.lexsort((rng.random(len(left)), -urgency))[: wanted * size]
        drawn = scores.utility[chosen] + scores.standard_error[chosen] * rng.standard_normal(len(chosen))
        rows = pairs.neighbours(chosen[np.argsort(drawn)].tolist(), size)
        if rows is not None:
            left[chosen] -= 1
            pairs.add(rows)
            return rows
    raise DesignError("Almost all tuples of similar items already exist. Choose a smaller number of tuples.")


def _appearances(weight: Floats, n_tuples: int, size: int, rng: np.random.Generator) -> Ints:
    """Return the number of appearances (n_items,) of each item in proportion to its weight. The sum is n_tuples·size.

    The fractions are rounded by systematic sampling, so an item gets one of the two nearest whole numbers.
    """
    n_items, total = len(weight), n_tuples * size
    most = min(float(n_tuples), max(1.0, MOST_OF_MEAN * total / n_items))
    expected = np.full(n_items, total / n_items)
    if weight.sum() > 0 and most > total / n_items:
        expected = _capped(weight, total, most)
    order = rng.permutation(n_items)
    reached = np.floor(np.cumsum(expected[order]) + rng.random() * 0.999)
    reached[-1] = total
    counts = np.empty(n_items, dtype=np.int64)
    counts[order] = np.diff(reached, prepend=0)
    return counts


def _capped(weight: Floats, total: int, most: float) -> Floats:
    """Return shares of `total` in proportion to the weights, but at most `most` each."""
    expected: Floats = weight / weight.sum() * total
    capped = np.zeros(len(weight), dtype=np.bool_)
    while (expected > most * (1 + 1e-9)).any():
        capped |= expected > most
        rest = weight[~capped].sum()
        expected[capped] = most
        remaining = total - most * capped.sum()
        expected[~capped] = weight[~capped] / rest * remaining if rest > 0 else remaining / (~capped).sum()
    return expected


class _Pairs:
    """The pairs of items that already share a tuple, and the tuples that already exist."""

    def __init__(self, tuples: Ints) -> None:
        self._partners: dict[int, set[int]] = {}
        self._sets: set[frozenset[int]] = set()
        self.add(tuples.tolist())

    def add(self, rows: list[list[int]]) -> None:
        for row in rows:
            self._sets.add(frozenset(row))
            for item in row:
                self._partners.setdefault(item, set()).update(row)

    def neighbours(self, order: list[int], size: int) -> list[list[int]] | None:
        """Return tuples of items that are close to each other in `order`, or None if a tuple would repeat an existing
        tuple. The items in `order` are all different. The length of `order` is a multiple of `size`.
        """
        rows, near, rest = [], order[: size + NEIGHBOURS], order[size + NEIGHBOURS :]
        while near:
            row = [near.pop(0)]
            while len(row) < size:
                free = [item for item in near if frozenset([*row, item]) not in self._sets]
                if not free:
                    return None
                chosen = min(free, key=lambda item: sum(item in self._partners.get(other, ()) for other in row))
                near.remove(chosen)
                row.append(chosen)
            rows.append(row)
            near, rest = near + rest[:size], rest[size:]
        return rows
