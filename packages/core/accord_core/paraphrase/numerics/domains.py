"""Labels by domain, which are derived from labels by sentence, and comparisons between domains (Pavlick et al., 2015,
§3, Table 1).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

GOOD, BAD, UNDECIDED = 1, 0, -1


@dataclass(frozen=True, eq=False)
class DomainLabels:
    """The R rows of a table that has one row per phrase–paraphrase pair in a domain, sorted by pair and then by domain.
    All arrays have the shape (R,).

    `good`, `bad` and `undecided` are the numbers of judged sentences with these labels. `label` is GOOD, BAD or
    UNDECIDED. `first` is the row of the pair's first sentence in the domain, and `share` is the highest share of yes
    votes in any of its sentences. `row_of` (C,) is the row to which each candidate belongs, or −1 if the candidate has
    no votes.
    """

    pair: Ints
    domain: Ints
    label: Ints
    good: Ints
    bad: Ints
    undecided: Ints
    first: Ints
    share: Floats
    row_of: Ints


@dataclass(frozen=True)
class Comparison:
    """The numbers of phrase–paraphrase pairs that two domains share, for each combination of labels, excluding pairs
    that are undecided in either domain.
    """

    one: int
    other: int
    both: int
    good_in_both: int
    bad_in_both: int
    good_in_one: int
    good_in_other: int


def domain_labels(
    label: ArrayLike, yes: ArrayLike, n: ArrayLike, pair: ArrayLike, domain: ArrayLike, *, good_sentences: int = 1
) -> DomainLabels:
    """Return labels by domain, derived from the labels of C candidates in their sentences. All arrays have the shape
    (C,).

    `label` is 1, 0 or −1 (undecided). `yes` is the number of yes votes among `n` votes. `pair` and `domain` contain the
    numbers of each candidate's pair and domain. A pair is good in a domain if the pair is good in at least
    `good_sentences` of its sentences from the domain (one sentence in the paper). The pair is undecided if the result
    depends on undecided sentences, and bad otherwise. Candidates without votes are ignored. Raises ValueError if the
    number of sentences is below one.
    """
    if good_sentences < 1:
        raise ValueError(f"The minimum number of sentences for a good pair must be at least 1, not {good_sentences}.")
    label, yes, n, pair, domain = (np.asarray(values, dtype=np.int64) for values in (label, yes, n, pair, domain))
    judged = np.flatnonzero(n > 0)
    key = np.stack([pair[judged], domain[judged]], axis=1)
    rows, first, row_of = np.unique(key, axis=0, return_index=True, return_inverse=True)
    row_of = row_of.reshape(-1)  # in NumPy 2.0, the array has a different shape than in all other versions
    good, bad, undecided = (
        np.bincount(row_of[label[judged] == value], minlength=len(rows)) for value in (GOOD, BAD, UNDECIDED)
    )
    share = np.zeros(len(rows))
    np.maximum.at(share, row_of, yes[judged] / n[judged])
    everywhere = np.full(len(n), -1, dtype=np.int64)
    everywhere[judged] = row_of
    return DomainLabels(
        pair=rows[:, 0],
        domain=rows[:, 1],
        label=np.where(good >= good_sentences, GOOD, np.where(good + undecided >= good_sentences, UNDECIDED, BAD)),
        good=good,
        bad=bad,
        undecided=undecided,
        first=judged[first],
        share=share,
        row_of=everywhere,
    )


def compare_domains(labels: DomainLabels) -> list[Comparison]:
    """Return the numbers of all pairs of domains with a common phrase–paraphrase pair."""
    comparisons = []
    one, other = _shared_rows(labels)
    domains = np.stack([labels.domain[one], labels.domain[other]], axis=1)
    labels_one, labels_other = labels.label[one], labels.label[other]
    for first, second in np.unique(domains, axis=0).tolist():
        here = (domains == (first, second)).all(axis=1)
        a, b = labels_one[here], labels_other[here]
        comparisons.append(
            Comparison(
                first,
                second,
                int(here.sum()),
                good_in_both=int(((a == GOOD) & (b == GOOD)).sum()),
                bad_in_both=int(((a == BAD) & (b == BAD)).sum()),
                good_in_one=int(((a == GOOD) & (b == BAD)).sum()),
                good_in_other=int(((a == BAD) & (b == GOOD)).sum()),
            )
        )
    return comparisons


def contrasts(labels: DomainLabels) -> Ints:
    """Return two row numbers (K, 2) for each pair that is good in the first row's domain and bad in the second row's
    domain. The clearest pair comes first.

    The clearest pairs have the greatest difference between the shares of yes votes. Pairs with equal differences stay
    in the order of the rows.
    """
    one, other = _shared_rows(labels)
    ways = np.concatenate([np.stack([one, other], axis=1), np.stack([other, one], axis=1)])
    ways = ways[(labels.label[ways[:, 0]] == GOOD) & (labels.label[ways[:, 1]] == BAD)]
    difference = labels.share[ways[:, 0]] - labels.share[ways[:, 1]]
    clearest_first: Ints = ways[np.lexsort((ways[:, 1], ways[:, 0], -difference))]
    return clearest_first


def _shared_rows(labels: DomainLabels) -> tuple[Ints, Ints]:
    """For every two rows with the same pair, return the row with the lower domain in one array (M,), and the other row
    in a second array (M,).
    """
    firsts, seconds = [], []
    for first, second in _at_every_distance(labels.pair):
        firsts.append(first)
        seconds.append(second)
    nothing = np.zeros(0, dtype=np.int64)
    return np.concatenate([nothing, *firsts]), np.concatenate([nothing, *seconds])


def _at_every_distance(pair: Ints) -> Iterator[tuple[Ints, Ints]]:
    # All rows with the same pair are adjacent. Each step compares rows that have the same pair and are the same
    # distance apart.
    distance = 1
    while distance < len(pair):
        first = np.flatnonzero(pair[distance:] == pair[:-distance])
        if not len(first):
            return
        yield first, first + distance
        distance += 1
