"""Labels of many annotators on the same items, and one label an item by votes: plain, or weighted by gold."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

UNDECIDED = -1
# Probabilities nearer to each other than this are equal: the same votes added in another order differ by less.
EQUAL = 1e-9


@dataclass(frozen=True, eq=False)
class Labels:
    """L labels: `annotator[n]` says that `item[n]` is `label[n]`.

    `item`, `annotator` and `label` are (L,) whole numbers from 0 below `n_items`, `n_annotators` and `n_labels`. Items
    may have any number of labels, none included. Raises ValueError, naming the row counted from 0, where a number
    is out of range or an annotator labels an item a second time.
    """

    item: Ints
    annotator: Ints
    label: Ints
    n_items: int
    n_annotators: int
    n_labels: int

    def __post_init__(self) -> None:
        if self.n_labels < 1:
            raise ValueError(f"There are {self.n_labels} labels to choose from; there must be one at least.")
        length = len(np.asarray(self.item))
        for name, bound in (("item", self.n_items), ("annotator", self.n_annotators), ("label", self.n_labels)):
            object.__setattr__(self, name, _indexes(name, getattr(self, name), length, bound))
        self._refuse_second_votes()

    def __len__(self) -> int:
        return len(self.item)

    @cached_property
    def counts(self) -> Ints:
        """(n_items, n_labels) how often each item was given each label."""
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
                f"Row {row}: annotator {self.annotator[row]} labels item {self.item[row]} a second time, "
                f"after row {earlier}."
            )


@dataclass(frozen=True, eq=False)
class Aggregate:
    """One label an item, (n_items,) each, and what it rests on.

    `label` is UNDECIDED (−1) where a tie is left open, and always for an item that nobody labelled. `votes` is how
    often the item was given this label (where undecided, the label it was given most), `n` how often any. Where the
    method has them: `posterior` (n_items, n_labels) the probability of each label, `accuracy` (n_annotators,) that of
    an annotator's being right, and `confusion` (n_annotators, n_labels, n_labels) that of giving a label (last axis)
    where another is true. `warnings` are sentences for whoever reads the result.
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
        """(n_items,) true where no label was decided on."""
        undecided: Bools = self.label == UNDECIDED
        return undecided

    @property
    def probability(self) -> Floats | None:
        """(n_items,) that of the item's label, or where undecided of the likeliest; None without posteriors."""
        if self.posterior is None:
            return None
        likeliest: Floats = self.posterior.max(axis=1)
        chosen = self.posterior[np.arange(len(self.label)), np.maximum(self.label, 0)]
        return np.where(self.undecided, likeliest, chosen)


def majority(labels: Labels, *, tie_label: int = UNDECIDED) -> Aggregate:
    """The label that more than half of an item's labels are.

    Where none is (a tie, or three labels without one above half) the item gets `tie_label`: UNDECIDED, or the negative
    label's number for studies that ask for proof. Source: Pavlick and others (2015), who ask for more than half.
    """
    counts = labels.counts
    decided = 2 * counts.max(axis=1) > counts.sum(axis=1)
    return aggregate(labels, np.where(decided, counts.argmax(axis=1), tie_label))


def weighted(labels: Labels, gold: ArrayLike, *, tie_label: int = UNDECIDED) -> Aggregate:
    """Votes weighted by accuracy on gold items.

    `gold` (n_items,) holds the known label of an item, −1 where it is not known. An annotator right on c of n gold
    items has accuracy a = (c + 1)/(n + 2), and each vote weighs ln(a(q − 1)/(1 − a)), with q = `n_labels`: nothing at
    chance, less than nothing below. The item gets the label of the greatest weight; equal weights are a tie.
    `posterior` is what these weights amount to when all labels are equally likely beforehand and errors fall evenly.
    Raises ValueError for a gold label out of range. Source: Nitzan and Paroush (1982).
    """
    known = _indexes("gold", gold, labels.n_items, labels.n_labels, lowest=UNDECIDED)
    rows = known[labels.item] != UNDECIDED
    answered = np.bincount(labels.annotator[rows], minlength=labels.n_annotators)
    right = rows & (labels.label == known[labels.item])
    accuracy = (np.bincount(labels.annotator[right], minlength=labels.n_annotators) + 1) / (answered + 2)
    posterior = normalised(vote_weights(labels, log_odds(accuracy, labels.n_labels)))
    return aggregate(
        labels,
        likeliest(posterior, tie_label),
        posterior=posterior,
        accuracy=accuracy,
        warnings=_without_gold(labels, answered),
    )


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
    """The `chosen` labels (n_items,) with their votes counted; an item without a vote is left undecided."""
    counts = labels.counts
    n = counts.sum(axis=1)
    chosen = np.where(n > 0, chosen, UNDECIDED)
    votes = counts[np.arange(labels.n_items), np.maximum(chosen, 0)]
    votes = np.where(chosen == UNDECIDED, counts.max(axis=1), votes)
    return Aggregate(chosen, votes, n, posterior, accuracy, confusion, rounds, warnings)


def likeliest(posterior: Floats, tie_label: int) -> Ints:
    """(n_items,) the label of the highest posterior (n_items, n_labels); `tie_label` where several are equally high."""
    top = posterior.max(axis=1, keepdims=True)
    tied = (posterior >= top - EQUAL).sum(axis=1) > 1
    return np.where(tied, np.int64(tie_label), posterior.argmax(axis=1))


def log_odds(accuracy: Floats, n_labels: int) -> Floats:
    """The weight of a vote, ln(a(q − 1)/(1 − a)); 0 where there is one label only, and so nothing to weigh."""
    return np.log(accuracy * (n_labels - 1) / (1 - accuracy)) if n_labels > 1 else np.zeros_like(accuracy)


def vote_weights(labels: Labels, weight: Floats) -> Floats:
    """(n_items, n_labels) the summed weights, one an annotator, of those who gave the label."""
    cells = labels.item * labels.n_labels + labels.label
    sums = np.bincount(cells, weights=weight[labels.annotator], minlength=labels.n_items * labels.n_labels)
    return sums.reshape(labels.n_items, labels.n_labels).astype(np.float64, copy=False)


def normalised(log_weights: Floats) -> Floats:
    """Probabilities that are proportional to exp(`log_weights`), along the last axis."""
    weights = np.exp(log_weights - log_weights.max(axis=-1, keepdims=True))
    probabilities: Floats = weights / weights.sum(axis=-1, keepdims=True)
    return probabilities


def _without_gold(labels: Labels, answered: Ints) -> tuple[str, ...]:
    given = np.bincount(labels.annotator, minlength=labels.n_annotators)
    unknown = int(((answered == 0) & (given > 0)).sum())
    if not unknown:
        return ()
    weight = np.log(max(labels.n_labels - 1, 1)) + 0.0
    who = f"{unknown:,} of {int((given > 0).sum()):,} annotators labelled no gold item"
    return (f"{who}; each of their votes has the weight of accuracy 1/2, {weight:.2f}",)


def _indexes(name: str, values: ArrayLike, length: int, bound: int, *, lowest: int = 0) -> Ints:
    array = np.asarray(values)
    if array.shape != (length,):
        raise ValueError(f"`{name}` has shape {array.shape}; it should be ({length},).")
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"`{name}` holds {array.dtype} values; it should hold whole numbers.")
    wrong = (array < lowest) | (array >= bound)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(f"Row {row}: {name} {array[row]} is out of range; numbers run from {lowest} to {bound - 1}.")
    return array.astype(np.int64)
