"""The sampling strategies of STR-2021. Each strategy samples from one group of sentences or existing pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from accord_core.bws.sampling.formats.sentences import Sentences
from accord_core.bws.sampling.numerics.partners import Window, first_choices
from accord_core.bws.sampling.numerics.sampling import (
    Buckets,
    apportion,
    distinct_pairs,
    matched_pairs,
    percentile_buckets,
    random_pairs,
    score_bins,
    take,
)
from accord_core.evaluation.numerics.overlap import Floats, Ints
from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.numbers import decimal_hint, read_number
from bws.sampling.pool import Pool
from bws.sampling.report import Group, Part
from bws.sampling.request import RequestError, quota_by_group, quota_by_kind

BUCKETS, BINS = 50, 5


@dataclass(frozen=True)
class Chosen:
    """The result for one group: an array (k, 2) of sentence numbers, the kind of each pair if the request has kinds,
    and the report.

    `expected` contains the scores of the pairs from which the buckets were formed, and the requested number of pairs
    for each score.
    """

    pairs: Ints
    group: Group
    kinds: list[str] = field(default_factory=list)
    expected: tuple[Floats, Floats] | None = None


def choose(pool: Pool) -> list[Chosen]:
    """Yield the pairs for each group in the request. Raises RequestError and TableError."""
    if pool.request.strategy == "match":
        return [_match(pool)]
    strategy = _STRATEGIES[pool.request.strategy]
    quotas = quota_by_group(pool.request, list(pool.rows))
    return [strategy(pool, group, count) for group, count in quotas.items() if count]


def _by_overlap(pool: Pool, group: str, most: int) -> Chosen:
    window = pool.request.window or Window()
    order = pool.draws(group).permutation(pool.rows[group])
    pairs, tried = first_choices(most, pool.sets.rows(order), window, reuse=pool.request.reuse)
    part = Part(f"overlap {window.low:g} to {window.high:g}", most, len(pairs))
    return Chosen(order[pairs], Group(group, len(order), most, len(pairs), [part], tried))


def _at_random(pool: Pool, group: str, most: int) -> Chosen:
    rows = pool.rows[group]
    pairs = rows[random_pairs(len(rows), most, pool.draws(group), reuse=pool.request.reuse)]
    return Chosen(pairs, Group(group, len(rows), most, len(pairs)))


def _by_buckets(pool: Pool, group: str, most: int) -> Chosen:
    rows = pool.rows[group]
    if pool.table.are_pairs:
        candidates = pool.of_rows(rows)
    else:
        candidates = rows[distinct_pairs(len(rows), pool.request.examine, pool.draws(group, "examined"))]
    candidates = _in_window(pool, candidates)
    scores = pool.scores(candidates)
    buckets = percentile_buckets(scores, pool.request.buckets or BUCKETS, pool.request.base)
    return _from_buckets(pool, group, most, candidates, buckets, pool.measure, scores)


def _paraphrases(pool: Pool, group: str, most: int) -> Chosen:
    candidates = _in_window(pool, pool.of_rows(pool.rows[group]))
    one = Buckets(np.zeros(len(candidates), np.int64), np.zeros(0), np.ones(1))
    return _from_buckets(pool, group, most, candidates, one, "")


def _by_bins(pool: Pool, group: str, most: int) -> Chosen:
    score = _numbers(pool.table, pool.request.score)
    candidates = _in_window(pool, pool.of_rows(pool.rows[group]))
    scores = score[candidates[:, 0]]
    edges = np.array(pool.request.edges)
    if not len(edges):
        low, high = (scores.min(), scores.max()) if len(scores) else (0.0, 1.0)
        if low == high:
            raise RequestError("score", f"all scores of {group or 'the pairs'} are {low:g}, so bins cannot be formed")
        edges = np.linspace(low, high, (pool.request.buckets or BINS) + 1)
    return _from_buckets(pool, group, most, candidates, score_bins(scores, edges), pool.request.score)


def _from_buckets(
    pool: Pool, group: str, most: int, candidates: Ints, buckets: Buckets, name: str, scores: Floats | None = None
) -> Chosen:
    by_bucket = apportion(most, buckets.weights)
    texts: dict[str, int] = {}
    same = np.array([texts.setdefault(pool.texts[s], s) for s in candidates.ravel().tolist()], np.int64).reshape(-1, 2)
    rows = take(same, buckets.labels, by_bucket, pool.draws(group, "taken"), reuse=pool.request.reuse)
    available = np.bincount(buckets.labels[buckets.labels >= 0], minlength=len(by_bucket))
    chosen_counts = np.bincount(buckets.labels[rows], minlength=len(by_bucket))
    names = [f"{name} {low:.3g} to {high:.3g}" for low, high in pairwise(buckets.edges.tolist())]
    parts = [
        Part(*each) for each in zip(names, by_bucket.tolist(), chosen_counts.tolist(), available.tolist(), strict=False)
    ]
    expected = None if scores is None else (scores, (by_bucket / np.maximum(available, 1))[buckets.labels])
    account = Group(group, len(pool.rows[group]), most, len(rows), parts)
    return Chosen(candidates[rows], account, expected=expected)


def _match(pool: Pool) -> Chosen:
    request, rows = pool.request, pool.usable
    match = pool.table.column(request.match)
    kind_of = pool.table.column(request.kinds) if request.kinds else [""] * len(pool.table)
    quotas = quota_by_kind(request, set(kind_of))
    pairs, kinds = matched_pairs(
        [f"{pool.group_of[row]}\0{match[row]}" for row in rows],
        [kind_of[row] for row in rows],
        quotas,
        pool.draws(),
        reuse=request.reuse,
    )
    pairs_of_kind = Counter(kinds)
    parts = [Part("+".join(kind), count, pairs_of_kind[kind]) for kind, count in quotas.items() if request.kinds]
    account = Group("", len(rows), sum(quotas.values()), len(pairs), parts)
    return Chosen(rows[pairs], account, kinds=["+".join(kind) for kind in kinds])


_STRATEGIES: dict[str, Callable[[Pool, str, int], Chosen]] = {
    "overlap": _by_overlap,
    "buckets": _by_buckets,
    "paraphrase": _paraphrases,
    "bins": _by_bins,
    "random": _at_random,
}


def _in_window(pool: Pool, pairs: Ints) -> Ints:
    window = pool.request.window
    if window is None:
        return pairs
    share = pool.scores(pairs, "overlap")
    lengths = pool.sets.lengths[pairs].astype(np.int64)
    apart = np.abs(lengths[:, 0] - lengths[:, 1]) > window.length_difference * lengths.max(axis=1)
    outside = (share < window.low) | (share >= window.high)
    pool.left_out["a pair outside the overlap window"] += int(outside.sum())
    pool.left_out["a pair too different in length"] += int((apart & ~outside).sum())
    return pairs[~(outside | apart)]


def _numbers(table: Sentences, column: str) -> Floats:
    numbers, faults = np.zeros(len(table)), []
    for row, cell in enumerate(table.column(column)):
        try:
            numbers[row] = read_number(cell)
        except ValueError:
            numbers[row] = np.nan
        if not np.isfinite(numbers[row]):
            faults.append(
                Fault(table.lines[row], column, f"{cell[:40] or 'an empty cell'} is not a number{decimal_hint(cell)}")
            )
    raise_faults(table.name, faults)
    return numbers
