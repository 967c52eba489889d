"""Fixed batches of annotators, whose figures can be published by group without giving away single answers.

Hiding small groups in each report is not enough: a report on eight annotators minus an earlier one on seven reveals the
eighth. Here each annotator belongs to one batch for ever, and every figure is calculated from the union of whole
batches. Two reports therefore differ by whole batches. A batch whose members disagree on too few items is left out,
because its agreement near 1 and the study's final labels would give away the answers of all members.

A change to a member's answers, for example a withdrawal, removes the batch for ever, and its other members never join
another one. Otherwise, the new batch minus the old batch would contain only the member who left and the one who took
the place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from math import ceil, floor

import numpy as np
from numpy.typing import ArrayLike

from accord_core.numerics.agreement import Level
from accord_core.numerics.crossed import only
from accord_core.numerics.draws import draw
from accord_core.numerics.grouped import Coefficients, GroupedAgreement, agreement_by_group
from accord_core.numerics.labels import Ints, Labels
from accord_core.numerics.suppression import SMALLEST_SHOWN

DECIMALS = 2


def deal_batches(answered: Mapping[str, Collection[str]], seed: int, smallest: int = SMALLEST_SHOWN) -> list[list[str]]:
    """Divide all annotators into as many batches of at least `smallest` as possible. The result is empty for fewer
    annotators than `smallest`. The sizes differ by at most one.

    `answered` contains the questions that each annotator has answered. Annotators who share many questions are put into
    the same batch, because a batch without shared questions has no agreement. The answers play no part. The seed
    decides between equal choices.
    """
    number = len(answered) // smallest
    order = sorted(answered, key=lambda annotator: draw(seed, "batch", annotator))
    if not number:
        return []
    shared = _shared([answered[name] for name in order])
    free = np.ones(len(order), dtype=np.bool_)
    batches = []
    for at in range(number):
        size = len(order) // number + (at < len(order) % number)
        members: list[int] = []
        with_members = np.zeros(len(order), dtype=np.int64)
        while len(members) < size:
            members.append(int(np.argmax(np.where(free, with_members, -1))))
            free[members[-1]] = False
            with_members += shared[members[-1]]
        batches.append([order[member] for member in members])
    return batches


def publishable(labels: Labels, batch: ArrayLike, smallest: int = SMALLEST_SHOWN) -> Labels:
    """Return the labels of the batches that can be published, at items with at least two such labels.

    In such a batch, at least `smallest` members have labelled an item together with another member, and members
    disagree on at least `smallest` items. Whether a batch can be published depends on its own labels alone. `batch`
    (n_annotators,) contains each annotator's batch, or −1. A label that nobody can agree with is left out, because it
    would add only its category to the figures.
    """
    numbers: Ints = np.asarray(batch, dtype=np.int64)
    inside = only(labels, (numbers >= 0)[labels.annotator])
    cell = numbers[inside.annotator] * labels.n_items + inside.item
    in_company = np.bincount(cell, minlength=1)[cell] > 1
    sharing = numbers[np.unique(inside.annotator[in_company])]
    disagreeing = _disagreeing(cell, inside.label) // max(1, labels.n_items)
    chosen = np.intersect1d(_frequent(sharing, smallest), _frequent(disagreeing, smallest))
    published = only(inside, np.isin(numbers, chosen)[inside.annotator])
    return only(published, (published.counts.sum(axis=1) > 1)[published.item])


def _shared(answered: Sequence[Collection[str]]) -> Ints:
    """Return the number of questions that two annotators share, with the shape (annotators, annotators)."""
    from scipy.sparse import csr_array  # slow to import

    numbers = {question: at for at, question in enumerate(sorted(set().union(*answered)))}
    rows = np.repeat(np.arange(len(answered)), [len(each) for each in answered])
    columns = np.array([numbers[question] for each in answered for question in each], dtype=np.int64)
    has_answered = csr_array((np.ones(len(rows), dtype=np.int64), (rows, columns)), (len(answered), len(numbers)))
    shared: Ints = (has_answered @ has_answered.T).toarray()
    return shared


def _frequent(numbers: Ints, smallest: int) -> Ints:
    """Return the numbers that occur at least `smallest` times."""
    return np.flatnonzero(np.bincount(numbers, minlength=1) >= smallest)


def _disagreeing(cell: Ints, label: Ints) -> Ints:
    """Return the cells that contain different labels."""
    pairs = np.unique(np.stack([cell, label]), axis=1)
    cells, different = np.unique(pairs[0], return_counts=True)
    return cells[different > 1]


def published_agreement(
    labels: Labels,
    group: ArrayLike,
    batch: ArrayLike,
    weights: Sequence[float],
    *,
    level: Level = "nominal",
    values: ArrayLike | None = None,
    seed: int = 1,
    smallest: int = SMALLEST_SHOWN,
) -> GroupedAgreement:
    """Return the agreement within each group and over all groups from whole batches, as `agreement_by_group` does.

    `batch` (n_annotators,) contains each annotator's batch, or −1. All figures are rounded to two decimals, because
    more digits could identify one of few possible sets of answers. Intervals are rounded outwards. Cohen's κ is left
    out: unlike the other coefficients, it changes if two annotators exchange their answers to a question.
    """
    groups, batches = np.asarray(group), np.asarray(batch)
    parts = [publishable(labels, np.where(groups == at, batches, -1), smallest) for at in range(len(weights))]
    item, annotator, label = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("item", "annotator", "label")
    )
    chosen = Labels(item, annotator, label, labels.n_items, labels.n_annotators, labels.n_labels)
    found = agreement_by_group(chosen, groups, weights, level=level, values=values, seed=seed)
    return GroupedAgreement([_published(each) for each in found.within], _published(found.overall), found.annotators)


def _published(coefficients: Coefficients) -> Coefficients:
    return {
        name: replace(
            each, value=_rounded(each.value, round), low=_rounded(each.low, floor), high=_rounded(each.high, ceil)
        )
        for name, each in coefficients.items()
        if not name.startswith("cohen")
    }


def _rounded(value: float | None, rounding: Callable[[float], int]) -> float | None:
    return None if value is None else rounding(value * 10**DECIMALS) / 10**DECIMALS
