"""Labels from several annotators, and methods that choose one label per item by majority vote or by votes weighted by
gold accuracy.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

UNDECIDED = -1
# Probabilities that differ by less than this value count as equal, because rounding in sums can cause such differences.
EQUAL = 1e-9


@dataclass(frozen=True, eq=False)
class Labels:
    """L labels as arrays, in which annotator `annotator[n]` assigned `label[n]` to item `item[n]`.

    `item`, `annotator` and `label` are arrays (L,) of whole numbers from 0 to below `n_items`, `n_annotators` and
    `n_labels`. Items can have any number of labels, including none. Raises ValueError with the row, counted from 0, if
    a number is out of range or an annotator labels an item twice.
    """

    item: Ints
    annotator: Ints
    label: Ints
    n_items: int
    n_annotators: int
    n_labels: int

    def __post_init__(self) -> None:
        if self.n_labels < 1:
            raise ValueError(f"At least one possible label is required, not {self.n_labels}.")
        length = len(np.asarray(self.item))
        for name, bound in (("item", self.n_items), ("annotator", self.n_annotators), ("label", self.n_labels)):
            object.__setattr__(self, name, _indexes(name, getattr(self, name), length, bound))
        self._refuse_second_votes()

    def __len__(self) -> int:
        return len(self.item)

    @cached_property
    def counts(self) -> Ints:
        """Return the number of votes for each label of each item, as an array of shape (n_items, n_labels)."""
        cells = np.bincount(self.item * self.n_labels + self.label, minlength=self.n_items * self.n_labels)
        return cells.reshape(self.n_items, self.n_labels)

    def _refuse_second_votes(self) -> None:
        key = self.item * self.n_annotators + self.annotator
        if (key[1:] > key[:-1]).all():
            return
        order = np.argsort(key, kind="stable")
        same = np.flatnonzero(key[order[1:]] == key[order[:-1]])
        if len(same):
            first = same[np.argmin(order[same + 1])]
            earlier, row = order[first], order[first + 1]
            raise ValueError(
                f"Row {row}: annotator {self.annotator[row]} labels item {self.item[row]} a second time, after row "
                f"{earlier}."
            )


@dataclass(frozen=True, eq=False)
class Aggregate:
    """One label for each item, with its votes and estimates. The arrays `label`, `votes` and `n` have the shape
    (n_items,).

    `label` is UNDECIDED (−1) for an unresolved tie and for an item without labels. `votes` is the number of times that
    the item has this label, or the most frequent label if undecided. `n` is the number of the item's labels. Some
    methods also have `posterior` (n_items, n_labels), the probability of each label, `accuracy` (n_annotators,), the
    probability that an annotator is correct, and `confusion` (n_annotators, n_labels, n_labels), the probability that
    an annotator chooses a label (last axis) for a true label. `warnings` are sentences for the reader of the result.
    """

    label: Ints
    votes: Ints
    n: Ints
    posterior: Floats | None = None
    accuracy: Floats | None = None
    confusion: Floats | None = None
    rounds: int | None = None
    warnings: tuple[str, ...] = ()

    @property
    def undecided(self) -> Bools:
        """Return an array (n_items,) that is true for items whose label is undecided."""
        undecided: Bools = self.label == UNDECIDED
        return undecided

    @property
    def probability(self) -> Floats | None:
        """Return the probability (n_items,) of each item's label (or of its most likely label if the item is
        undecided), or None if there are no estimates.
        """
        if self.posterior is None:
            return None
        likeliest: Floats = self.posterior.max(axis=1)
        chosen = self.posterior[np.arange(len(self.label)), np.maximum(self.label, 0)]
        return np.where(self.undecided, likeliest, chosen)


def majority(labels: Labels, *, tie_label: int = UNDECIDED) -> Aggregate:
    """Return the label assigned to each item by more than half of its annotators.

    An item without such a label gets `tie_label`: UNDECIDED, or the number of the negative label for studies that
    require a majority for the positive label. Source: Pavlick et al. (2015).
    """
    counts = labels.counts
    decided = 2 * counts.max(axis=1) > counts.sum(axis=1)
    return aggregate(labels, np.where(decided, counts.argmax(axis=1), tie_label))


def weighted(labels: Labels, gold: ArrayLike, *, tie_label: int = UNDECIDED) -> Aggregate:
    """Return the labels that result from weighting votes by the annotators' gold accuracy.

    `gold` (n_items,) contains the known label of each item, or −1. An annotator who is correct on c of n gold items has
    the accuracy a = (c + 1)/(n + 2). Each of their votes has the weight ln(a(q − 1)/(1 − a)) with q = `n_labels`, which
    is 0 at chance level and negative below. Each item gets the label with the greatest weight. Equal weights are a tie.
    `posterior` assumes that all labels are equally likely and errors are distributed evenly. Raises ValueError for a
    gold label out of range. Source: Nitzan and Paroush (1982).
    """
    gold_labels = known_labels(labels, gold)
    rows = gold_labels[labels.item] != UNDECIDED
    answered = np.bincount(labels.annotator[rows], minlength=labels.n_annotators)
    right = rows & (labels.label == gold_labels[labels.item])
    accuracy = (np.bincount(labels.annotator[right], minlength=labels.n_annotators) + 1) / (answered + 2)
    posterior = normalised(vote_weights(labels, log_odds(accuracy, labels.n_labels)))
    return aggregate(
        labels,
        likeliest(posterior, tie_label),
        posterior=posterior,
        accuracy=accuracy,
        warnings=_without_gold(labels, answered),
    )


def known_labels(labels: Labels, gold: ArrayLike) -> Ints:
    """Return the known label (n_items,) of each item, or −1. Raises ValueError for a label out of range."""
    return _indexes("gold", gold, labels.n_items, labels.n_labels, lowest=UNDECIDED)


def aggregate(
    labels: Labels,
    chosen: Ints,
    *,
    posterior: Floats | None = None,
    accuracy: Floats | None = None,
    confusion: Floats | None = None,
    rounds: int | None = None,
    warnings: tuple[str, ...] = (),
) -> Aggregate:
    """Return the `chosen` labels (n_items,) with the number of votes for each. The label of an item without votes is
    undecided.
    """
    counts = labels.counts
    n = counts.sum(axis=1)
    chosen = np.where(n > 0, chosen, UNDECIDED)
    votes = counts[np.arange(labels.n_items), np.maximum(chosen, 0)]
    votes = np.where(chosen == UNDECIDED, counts.max(axis=1), votes)
    return Aggregate(chosen, votes, n, posterior, accuracy, confusion, rounds, warnings)


def likeliest(posterior: Floats, tie_label: int) -> Ints:
    """Return the label (n_items,) with the highest posterior (n_items, n_labels), or `tie_label` if several labels are
    tied.
    """
    top = posterior.max(axis=1, keepdims=True)
    tied = (posterior >= top - EQUAL).sum(axis=1) > 1
    return np.where(tied, np.int64(tie_label), posterior.argmax(axis=1))


def log_odds(accuracy: Floats, n_labels: int) -> Floats:
    """Return the weight of a vote, ln(a(q − 1)/(1 − a)), or 0 if there is only one possible label."""
    return np.log(accuracy * (n_labels - 1) / (1 - accuracy)) if n_labels > 1 else np.zeros_like(accuracy)


def vote_weights(labels: Labels, weight: Floats) -> Floats:
    """Return the total weight (n_items, n_labels) of the annotators who chose each label for each item."""
    cells = labels.item * labels.n_labels + labels.label
    sums = np.bincount(cells, weights=weight[labels.annotator], minlength=labels.n_items * labels.n_labels)
    return sums.reshape(labels.n_items, labels.n_labels).astype(np.float64, copy=False)


def normalised(log_weights: Floats) -> Floats:
    """Return probabilities that are proportional to exp(`log_weights`) along the last axis."""
    weights = np.exp(log_weights - log_weights.max(axis=-1, keepdims=True))
    probabilities: Floats = weights / weights.sum(axis=-1, keepdims=True)
    return probabilities


def _without_gold(labels: Labels, answered: Ints) -> tuple[str, ...]:
    counts = np.bincount(labels.annotator, minlength=labels.n_annotators)
    without = int(((answered == 0) & (counts > 0)).sum())
    if not without:
        return ()
    weight = np.log(max(labels.n_labels - 1, 1)) + 0.0
    annotators = f"{without:,} of {int((counts > 0).sum()):,} annotators have not labelled any gold items"
    return (f"{annotators}. Each of their votes has the weight for an accuracy of 1/2, {weight:.2f}",)


def _indexes(name: str, values: ArrayLike, length: int, bound: int, *, lowest: int = 0) -> Ints:
    array = np.asarray(values)
    if array.shape != (length,):
        raise ValueError(f"`{name}` has the shape {array.shape} instead of ({length},).")
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"`{name}` must contain whole numbers, not {array.dtype} values.")
    wrong = (array < lowest) | (array >= bound)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(f"Row {row}: the {name} index {array[row]} is outside the range from {lowest} to {bound - 1}.")
    return array.astype(np.int64)
