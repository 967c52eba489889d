"""The design report that the console shows before a study opens, with a check of each promise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotate.tasktypes import ItemDraft
from bws.formats import MANY_WORDS
from bws.numerics.design_report import DesignReport


def design_report(described: DesignReport, items: Sequence[ItemDraft]) -> dict[str, Any]:
    """Return the checks (with the state ok, advice or fault), their figures, and the data of two charts."""
    return {
        "checks": [*_promises(described), _lengths(items)],
        "figures": described.as_dict(),
        "charts": {
            "appearances of an item": {
                "columns": ["appearances", "items"],
                "rows": [[times, count] for times, count in described.appearance_counts.items()],
            },
            "places on the screen": {
                "columns": ["times in a place", "items and places"],
                "rows": [[times, count] for times, count in described.place_counts.items()],
            },
        },
    }


def _promises(d: DesignReport) -> list[dict[str, str]]:
    low, high = d.appearances.min, d.appearances.max
    place_low, place_high = d.positions.min, d.positions.max
    steps = f"any two items at most {d.max_steps_apart} steps apart" if d.max_steps_apart else "by shared tuples"
    return [
        _check(
            "Every item equally often", str(low) if low == high else f"{low}–{high}",
            f"{d.items:,} items in {d.tuples:,} tuples of {d.size}", high - low <= 1,
        ),
        _check("No item twice in a tuple", str(d.tuples_with_item_twice), f"of {d.tuples:,} tuples",
               d.tuples_with_item_twice == 0),
        _check("No tuple twice", str(d.duplicate_tuples), "as sets of items", d.duplicate_tuples == 0),
        _check(
            "No two items together twice", str(d.repeated_pairs),
            f"repeated pairs among {d.pairs_shown:,}"
            + ("" if d.repeated_pairs == 0 else "; so few items cannot avoid it, and the least is reached"),
            d.repeated_pairs == 0, otherwise="advice",
        ),
        _check(
            "Places on the screen", str(place_low) if place_low == place_high else f"{place_low}–{place_high}",
            "times each item in each place", place_high - place_low <= 1,
        ),
        _check("Comparisons connected", f"{d.components} part{'s' if d.components > 1 else ''}", steps,
               d.components == 1),
        _check("Can stop early", f"± {d.prefix_imbalance}", "every prefix of the list is balanced",
               d.prefix_imbalance <= 1),
    ]  # fmt: skip


def _lengths(items: Sequence[ItemDraft]) -> dict[str, str]:
    long = sum(any(len(text.split()) > MANY_WORDS for text in item.content.values()) for item in items)
    detail = f"items have a sentence over {MANY_WORDS} words"
    return _check("Sentence length", f"{long:,}", detail, long == 0, otherwise="advice")


def _check(name: str, value: str, detail: str, holds: bool, otherwise: str = "fault") -> dict[str, str]:
    return {"name": name, "value": value, "detail": detail, "state": "ok" if holds else otherwise}
