"""Scores for a list of (phrase, paraphrase) pairs, compared with labels by domain (Pavlick et al., 2015)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord_core.numerics.bootstrap import Coefficient, percentile_intervals, ratio

Floats = NDArray[np.float64]
Pair = tuple[str, str]
GOOD, BAD = "good", "bad"


def table_scores(
    labels: Mapping[str, Mapping[Pair, str]],
    listed: Mapping[str, Collection[Pair]],
    *,
    resamples: int = 1000,
    seed: int = 1,
) -> dict[str, Any]:
    """Return a table's scores, compared with labels, as a JSON object. The key `domains` contains the scores by domain,
    and the key `contrasts` compares each pair of domains.

    `labels` contains the label (good, bad or undecided) of each judged pair by domain, and `listed` contains the pairs
    in the table by domain. The scores of a domain are `listed`, `judged` (listed pairs with the label good or bad),
    `undecided`, `good` (number of good labels), `coverage` (judged / listed), `precision` (listed good pairs / judged),
    `recall` (listed good pairs / good) and `f1`. The 95% intervals come from resampled phrases, because the paraphrases
    of a phrase are judged together. Pairs without judgements affect only the coverage.

    For each contrast, the result contains the number of `pairs` with the label good in `good_in` and bad in `bad_in`,
    the numbers of these pairs that the table lists in each of the two domains, and the number of pairs that the table
    distinguishes, which are listed only in the domain in which they are good. A table that is the same for all domains
    does not distinguish any pairs.
    """
    return {
        "domains": {
            domain: _domain(known, set(listed.get(domain, ())), resamples, seed) for domain, known in labels.items()
        },
        "contrasts": [
            contrast
            for one, other in permutations(labels, 2)
            if (contrast := _contrast(one, other, labels, listed))["pairs"]
        ],
    }


def _domain(labels: Mapping[Pair, str], listed: set[Pair], resamples: int, seed: int) -> dict[str, Any]:
    good = {pair for pair, label in labels.items() if label == GOOD}
    judged = {pair for pair in listed if labels.get(pair) in (GOOD, BAD)}
    phrases = list(dict.fromkeys([phrase for phrase, _ in labels]))
    number = {phrase: n for n, phrase in enumerate(phrases)}
    # Return three counts for each phrase: the numbers of good listed pairs, judged listed pairs, and good pairs.
    counts = np.stack(
        [
            np.bincount([number[phrase] for phrase, _ in pairs], minlength=len(phrases)).astype(np.float64)
            for pairs in (good & listed, judged, good)
        ]
    )
    return {
        "listed": len(listed),
        "judged": len(judged),
        "undecided": sum(pair in labels for pair in listed) - len(judged),
        "good": len(good),
        "coverage": len(judged) / len(listed) if listed else None,
        **_figures(counts, resamples, seed),
    }


def _figures(counts: Floats, resamples: int, seed: int) -> dict[str, Any]:
    def estimate(weights: Floats) -> Floats:
        right, judged, good = (weights @ row for row in counts)
        return np.stack([ratio(right, judged), ratio(right, good), ratio(2 * right, judged + good)])

    names = ("precision", "recall", "f1")
    reasons = ("no pair in the table was judged", "no pair is labelled good", "no pair was judged, and none is good")
    units = counts.shape[1]
    values = estimate(np.ones((1, units)))[:, 0]
    ends = (
        percentile_intervals(estimate, np.ones(units, dtype=np.int64), resamples=resamples, seed=seed, width=3)
        if (resamples)
        else [None] * 3
    )
    figures = {}
    for name, value, end, reason in zip(names, values, ends, reasons, strict=True):
        if np.isnan(value):
            figures[name] = Coefficient(None, reason=reason).as_figure()
        elif end is None:
            figures[name] = Coefficient(float(value)).as_figure()
        else:
            figures[name] = Coefficient(float(value), end.low, end.high, undefined_resamples=end.undefined).as_figure()
    return figures


def _contrast(
    one: str, other: str, labels: Mapping[str, Mapping[Pair, str]], listed: Mapping[str, Collection[Pair]]
) -> dict[str, Any]:
    pairs = {pair for pair, label in labels[one].items() if label == GOOD and labels[other].get(pair) == BAD}
    listed_where_good, listed_where_bad = pairs & set(listed.get(one, ())), pairs & set(listed.get(other, ()))
    return {
        "good_in": one,
        "bad_in": other,
        "pairs": len(pairs),
        "listed_where_good": len(listed_where_good),
        "listed_where_bad": len(listed_where_bad),
        "told_apart": len(listed_where_good - listed_where_bad),
    }
