"""Functions that select pairs for all strategies except the overlap strategy (STR-2021, Appendix A).

Sentences are represented by the numbers 0 … n − 1, and pairs by the rows of a (k, 2) array. All random choices use the
generator in the arguments. The strategy `overlap` is in the module `partners`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from accord_core.evaluation.numerics.overlap import Floats, Ints


def random_pairs(n: int, most: int, generator: np.random.Generator, *, reuse: bool) -> Ints:
    """Return at most `most` random pairs (k, 2) of n sentences. Unless `reuse` is set, each sentence occurs in at most
    one pair.
    """
    if reuse:
        return distinct_pairs(n, most, generator)
    order: Ints = generator.permutation(n)
    return order[: 2 * min(most, n // 2)].reshape(-1, 2)


def distinct_pairs(n: int, most: int, generator: np.random.Generator) -> Ints:
    """Return at most `most` distinct pairs (k, 2), drawn from the n(n − 1)/2 pairs of different sentences."""
    possible = n * (n - 1) // 2
    numbers = generator.choice(possible, min(most, possible), replace=False) if possible else np.zeros(0, np.int64)
    pairs = np.column_stack(_numbered_pair(numbers))
    return np.where(generator.random(len(pairs))[:, None] < 0.5, pairs, pairs[:, ::-1])


def _numbered_pair(number: Any) -> tuple[Any, Any]:
    """Return the pair with the given number, where 0 is (0, 1), 1 is (0, 2), 2 is (1, 2), 3 is (0, 3) and so on. The
    result is exact for fewer than 10⁸ sentences.
    """
    larger = ((1 + np.sqrt(1.0 + 8.0 * number)) // 2).astype(np.int64)
    return number - larger * (larger - 1) // 2, larger


class Buckets(NamedTuple):
    """Pairs by their score. `edges` (b + 1,) contains the bounds of the buckets.

    `labels` (k,) contains the bucket of each pair, or −1 for a pair outside all buckets. `weights` (b,) contains the
    share of each bucket in the sample.
    """

    labels: Ints
    edges: Floats
    weights: Floats


def percentile_buckets(scores: Floats, buckets: int, base: float) -> Buckets:
    """Buckets with equal numbers of pairs, sorted from low to high scores. The weights of the buckets are base⁰, base¹
    and so on. If the base is 1, all weights are equal.

    Bucket b contains scores from `edges[b]` to below `edges[b + 1]`. The last bucket includes its upper bound. If a
    score is so frequent that it fills several buckets, these buckets are combined, and their weights are added.
    """
    if not len(scores):
        return Buckets(np.zeros(0, np.int64), np.zeros(0), np.zeros(0))
    percentiles = np.percentile(scores, np.linspace(0, 100, buckets + 1), method="higher")
    home = np.searchsorted(percentiles[1:-1], percentiles[:-1], side="right")
    # Weights are divided by the highest weight, so that a large base does not overflow.
    share = float(base) ** (np.arange(buckets) - (buckets - 1.0))
    weights = np.array([share[home == bucket].sum() for bucket in range(buckets)])
    non_empty = np.unique(home)
    edges = np.array([*percentiles[non_empty], percentiles[-1]], float)
    labels: Ints = np.searchsorted(edges[1:-1], scores, side="right")
    return Buckets(labels, edges, weights[non_empty])


def score_bins(scores: Floats, edges: Sequence[float] | Floats) -> Buckets:
    """Bins of a score, with an equal number of pairs to sample from each bin.

    Bin b contains scores above `edges[b]`, up to and including `edges[b + 1]`, as in STR-2021 (§4) and in
    `accord_core.evaluation.numerics.correlation.bin_scores`. The first bin includes its lower bound. Pairs
    outside all bins are excluded.
    """
    bounds: Floats = np.asarray(edges, float)
    labels: Ints = np.searchsorted(bounds[1:-1], scores, side="left")
    inside = (scores >= bounds[0]) & (scores <= bounds[-1])
    return Buckets(np.where(inside, labels, np.int64(-1)), bounds, np.ones(len(bounds) - 1))


def apportion(total: int, weights: Floats) -> Ints:
    """Divide `total` into integers in proportion to `weights`, using the largest remainder method. If remainders are
    equal, earlier parts are rounded up first.
    """
    if not len(weights):
        return np.zeros(0, np.int64)
    exact = total * weights / weights.sum()
    counts: Ints = np.floor(exact + 1e-9).astype(np.int64)
    rest = np.argsort(-np.round(exact - counts, 9), kind="stable")[: total - counts.sum()]
    counts[rest] += 1
    return counts


def take(pairs: Ints, labels: Ints, quotas: Ints, generator: np.random.Generator, *, reuse: bool) -> Ints:
    """Return the chosen rows of `pairs`, which are at most `quotas[b]` from bucket b, in random order.

    Unless `reuse` is set, each sentence occurs in at most one pair. The last bucket chooses first, because pairs with a
    high overlap are rarer, and a sentence can be suitable for several buckets.
    """
    order = generator.permutation(len(pairs))
    order = order[np.argsort(labels[order], kind="stable")]
    ends = np.searchsorted(labels[order], np.arange(len(quotas) + 1))
    used: set[int] = set()
    rows: list[int] = []
    for bucket in reversed(range(len(quotas))):
        remaining = int(quotas[bucket])
        for row in order[ends[bucket] : ends[bucket + 1]]:
            if not remaining:
                break
            first, second = pairs[row].tolist()
            if reuse or not (first in used or second in used):
                used |= {first, second}
                rows.append(int(row))
                remaining -= 1
    return np.array(sorted(rows), np.int64)


Kind = tuple[str, str]


def matched_pairs(
    values: Sequence[str],
    kinds: Sequence[str],
    quotas: Mapping[Kind, int],
    generator: np.random.Generator,
    *,
    reuse: bool,
) -> tuple[Ints, list[Kind]]:
    """Return pairs (k, 2) of sentences that have the same value, and the kind of each pair. The quota for (a, b) is the
    number of pairs that combine a sentence of kind a with a sentence of kind b. For example, both sentences of each
    Stance pair in STR have the same target, and the quotas are 250 for–for, 250 against–against and 250 for–against
    pairs.

    The kinds take turns, and the values within each kind take turns, so that no value and no kind uses up the sentences
    that another kind needs.
    """
    members: dict[tuple[str, str], list[int]] = {}
    for sentence in generator.permutation(len(values)).tolist():
        members.setdefault((values[sentence], kinds[sentence]), []).append(sentence)
    supply = _each_pair_once if reuse else _each_sentence_once
    turns = {
        kind: deque(
            supply(members.get((value, kind[0]), []), members.get((value, kind[1]), []), generator)
            for value in sorted(set(values))
        )
        for kind in quotas
    }
    remaining = dict(quotas)
    pairs: list[tuple[int, int]] = []
    of_kind: list[Kind] = []
    while open_kinds := [kind for kind in quotas if remaining[kind] and turns[kind]]:
        for kind in open_kinds:
            pair = _next_in_turn(turns[kind])
            if pair is not None:
                pairs.append(pair)
                of_kind.append(kind)
                remaining[kind] -= 1
    return np.array(pairs, np.int64).reshape(-1, 2), of_kind


def _next_in_turn(turns: deque[Iterator[tuple[int, int]]]) -> tuple[int, int] | None:
    while turns:
        pair = next(turns[0], None)
        if pair is not None:
            turns.rotate(-1)
            return pair
        turns.popleft()
    return None


def _each_sentence_once(first: list[int], second: list[int], _: np.random.Generator) -> Iterator[tuple[int, int]]:
    # All kinds of pairs are drawn from the same lists of sentences, so a sentence that is used for one kind is not
    # available for others.
    while first and second and (first is not second or len(first) > 1):
        yield first.pop(), second.pop()


def _each_pair_once(first: list[int], second: list[int], generator: np.random.Generator) -> Iterator[tuple[int, int]]:
    """Return each pair exactly once, in random order."""
    if first is second:
        for number in _shuffled(len(first) * (len(first) - 1) // 2, generator):
            one, other = _numbered_pair(np.int64(number))
            yield first[one], first[other]
    else:
        for number in _shuffled(len(first) * len(second), generator):
            yield first[number // len(second)], second[number % len(second)]


def _shuffled(n: int, generator: np.random.Generator) -> Iterator[int]:
    """Yield 0 … n − 1 in random order (Fisher–Yates shuffle). The numbers are drawn one at a time, because n can be the
    square of a large number.
    """
    moved: dict[int, int] = {}
    for left in range(n, 0, -1):
        place = int(generator.integers(left))
        yield moved.get(place, place)
        moved[place] = moved.pop(left - 1, left - 1)
