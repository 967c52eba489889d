"""The design report, which the console shows before a study opens. The report checks the properties of the design."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord_core.bws.formats import MANY_WORDS, count_words
from accord_core.bws.numerics.design_report import DesignReport as DescribedDesign
from accord_core.bws.numerics.design_report import describe_design
from accord_core.numerics.printed import with_noun
from annotate.tasktypes import Bars, Check, DesignReport, ItemDraft


def design_report(described: DescribedDesign, items: Sequence[ItemDraft]) -> DesignReport:
    """Return the checks of the design and the figures that they use. There are no charts, because the counts of
    appearances and places differ by at most one, as the checks state.
    """
    return DesignReport([*_promises(described), _lengths(items)], {}, {"figures": described.as_dict()})


def extended_design_report(
    tuples: NDArray[np.int64], added: NDArray[np.int64], n_old: int, items: Sequence[ItemDraft], seed: int
) -> DesignReport:
    """Return the checks of a design after the tuples in `added` have been added. The first `n_old` items are the items
    of the earlier design.
    """
    described = describe_design(np.concatenate([tuples, added]), len(items), seed=seed)
    before = np.bincount(tuples.ravel(), minlength=n_old)
    after = before + np.bincount(added.ravel(), minlength=len(items))[:n_old]
    new = np.bincount(added.ravel(), minlength=len(items))[n_old:]
    mixed = ((added < n_old).any(axis=1) & (added >= n_old).any(axis=1)).sum()
    return DesignReport(
        [
            _promise(
                "Appearances of new items",
                _span(new),
                f"{len(new):,} new items in {len(added):,} additional tuples",
                int(np.ptp(new)) <= 1,
            ),
            Check.of(
                "Appearances of earlier items",
                _span(after),
                f"{_span(before)} before the addition",
                holds=True,
            ),
            _promise(
                "Old and new items mixed",
                f"{mixed:,}",
                f"of {len(added):,} additional tuples contain old and new items",
                mixed == len(added),
            ),
            *_valid_tuples(described),
            _repeated_pairs(described, ""),
            _connected(described),
            _lengths(items),
        ],
        {
            "appearances of a new item": _appearances(new),
            "appearances of an earlier item": _appearances(after),
        },
        {"figures": described.as_dict()},
    )


def _span(counts: NDArray[np.int64]) -> str:
    low, high = int(counts.min()), int(counts.max())
    return str(low) if low == high else f"{low}–{high}"


def _appearances(counts: NDArray[np.int64]) -> Bars:
    values, items = np.unique(counts, return_counts=True)
    return Bars("appearances", "items", list(zip(values.tolist(), items.tolist(), strict=True)))


def _valid_tuples(d: DescribedDesign) -> list[Check]:
    return [
        _promise(
            "No item twice in a tuple",
            str(d.tuples_with_item_twice),
            f"of {d.tuples:,} tuples",
            d.tuples_with_item_twice == 0,
        ),
        _promise("No tuple twice", str(d.duplicate_tuples), "as sets of items", d.duplicate_tuples == 0),
    ]


def _repeated_pairs(d: DescribedDesign, unless_none: str) -> Check:
    """Return a check of the pairs in two or more tuples. The advice to add items or ask fewer questions per item
    appears only if a pair is in at least two more tuples than in an even design.
    """
    pairs = math.comb(d.items, 2)
    even = -(-d.pairs_shown // pairs)
    detail = f"of {pairs:,} pairs of items{unless_none if d.repeated_pairs else ''}"
    return Check.of("Pairs shown again", f"{d.repeated_pairs:,}", detail, d.max_pair_count <= even + 1)


def _connected(d: DescribedDesign) -> Check:
    steps = (
        f"any two items at most {with_noun(d.max_steps_apart, 'step')} apart"
        if d.max_steps_apart
        else "connected by shared tuples"
    )
    return _promise(
        "Comparisons connected", f"{d.components} part{'s' if d.components > 1 else ''}", steps, d.components == 1
    )


def _promises(d: DescribedDesign) -> list[Check]:
    low, high = d.appearances.min, d.appearances.max
    place_low, place_high = d.positions.min, d.positions.max
    return [
        _promise(
            "Every item equally often",
            str(low) if low == high else f"{low}–{high}",
            f"{d.items:,} items in {d.tuples:,} tuples of {d.size}",
            high - low <= 1,
        ),
        *_valid_tuples(d),
        _repeated_pairs(d, ", the fewest that Accord found"),
        _promise(
            "Places on the screen",
            str(place_low) if place_low == place_high else f"{place_low}–{place_high}",
            "appearances of each item in each place",
            place_high - place_low <= 1,
        ),
        _connected(d),
        _promise(
            "Can stop early",
            f"± {d.prefix_imbalance}",
            "every beginning of the list is balanced",
            d.prefix_imbalance <= 1,
        ),
    ]


def _promise(name: str, value: str, detail: str, holds: bool) -> Check:
    """Return a check of a property that every design must have."""
    return Check.of(name, value, detail, holds, otherwise="fault")


def _lengths(items: Sequence[ItemDraft]) -> Check:
    long = sum(any(count_words(text) > MANY_WORDS for text in item.content.values()) for item in items)
    detail = f"items have a sentence with more than {MANY_WORDS} words"
    return Check.of("Sentence length", f"{long:,}", detail, long == 0)
