"""The design report, which the console shows before a study opens. The report checks the properties of the design."""

from __future__ import annotations

from collections.abc import Sequence

from annotate.tasktypes import Bars, Check, DesignReport, ItemDraft
from bws.formats import MANY_WORDS
from bws.numerics.design_report import DesignReport as DescribedDesign


def design_report(described: DescribedDesign, items: Sequence[ItemDraft]) -> DesignReport:
    """Return the checks of the design, the figures that the checks use, and two charts."""
    return DesignReport(
        [*_promises(described), _lengths(items)],
        {
            "appearances of an item": Bars("appearances", "items", list(described.appearance_counts.items())),
            "places on the screen": Bars("times in a place", "items and places", list(described.place_counts.items())),
        },
        {"figures": described.as_dict()},
    )


def _promises(d: DescribedDesign) -> list[Check]:
    low, high = d.appearances.min, d.appearances.max
    place_low, place_high = d.positions.min, d.positions.max
    steps = f"any two items at most {d.max_steps_apart} steps apart" if d.max_steps_apart else "by shared tuples"
    return [
        _promise(
            "Every item equally often",
            str(low) if low == high else f"{low}–{high}",
            f"{d.items:,} items in {d.tuples:,} tuples of {d.size}",
            high - low <= 1,
        ),
        _promise(
            "No item twice in a tuple",
            str(d.tuples_with_item_twice),
            f"of {d.tuples:,} tuples",
            d.tuples_with_item_twice == 0,
        ),
        _promise("No tuple twice", str(d.duplicate_tuples), "as sets of items", d.duplicate_tuples == 0),
        Check.of(
            "No two items together twice",
            str(d.repeated_pairs),
            f"repeated pairs among {d.pairs_shown:,}"
            + ("" if d.repeated_pairs == 0 else ", the smallest number that is possible with so few items"),
            d.repeated_pairs == 0,
        ),
        _promise(
            "Places on the screen",
            str(place_low) if place_low == place_high else f"{place_low}–{place_high}",
            "times each item in each place",
            place_high - place_low <= 1,
        ),
        _promise(
            "Comparisons connected", f"{d.components} part{'s' if d.components > 1 else ''}", steps, d.components == 1
        ),
        _promise(
            "Can stop early", f"± {d.prefix_imbalance}", "every prefix of the list is balanced", d.prefix_imbalance <= 1
        ),
    ]


def _promise(name: str, value: str, detail: str, holds: bool) -> Check:
    """Return a check of a property that every design must have."""
    return Check.of(name, value, detail, holds, otherwise="fault")


def _lengths(items: Sequence[ItemDraft]) -> Check:
    long = sum(any(len(text.split()) > MANY_WORDS for text in item.content.values()) for item in items)
    detail = f"items have a sentence over {MANY_WORDS} words"
    return Check.of("Sentence length", f"{long:,}", detail, long == 0)
