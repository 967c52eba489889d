"""The correlations of features as a table, in the order of Table 4 of STR-2021, and the feature values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord_core.exchange.printed_tables import PrintedTable, figure_table

Floats = NDArray[np.float64]

TITLES = {
    "dice": "word overlap (Dice)",
    "idf_dice": "word overlap weighted by rarity",
    "words": "words in both sentences",
    "length_difference": "difference in length",
    "noun_phrases": "noun phrases in both sentences",
    "shared:noun_phrases": "overlap of noun phrases",
}
PARTS = {
    "all": "words",
    "noun_group": "words of the noun group",
    "verb_group": "words of the verb group",
    "adjective_group": "words of the adjective group",
    "subject": "subjects",
    "object": "objects",
}


def feature_rows(figures: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the correlations with each feature's `title`. Parts of speech with a stronger correlation come first, as
    in Table 4, and all other features keep their order.
    """
    rows = [{**figure, "title": feature_title(str(figure["name"]))} for figure in figures]
    for kind in ("related:", "shared:"):
        places = [place for place, row in enumerate(rows) if row["name"].startswith(kind) and _is_tag(row["name"])]
        tags = sorted((rows[place] for place in places), key=lambda row: -(row["value"] or 0.0))
        for place, row in zip(places, tags, strict=True):
            rows[place] = row
    return rows


def feature_title(name: str) -> str:
    """Return the title of a feature, such as “related subjects” for `related:subject`."""
    if name in TITLES:
        return TITLES[name]
    kind, _, part = name.partition(":")
    if kind == "column":
        return part
    return f"{'related' if kind == 'related' else 'overlap of'} {PARTS.get(part, f'{part} words')}"


def features_table(rows: Sequence[Mapping[str, Any]], items: int) -> PrintedTable:
    """Return one row per feature, with Spearman's correlation, its interval, and the number of items that have a
    value.
    """
    return figure_table(
        ["feature", "items"],
        [([row["title"], row["items"]], row) for row in rows],
        caption=f"Spearman's correlation between features and the scores of {items:,} items",
        notes=["Intervals are 95% percentiles of resampled items."],
    )


def value_columns(items: Sequence[str], arrays: Mapping[str, Floats]) -> tuple[Iterator[list[str]], list[str]]:
    """Return the rows and columns of a file with each feature's value for each item. Missing values are empty."""
    columns = ["item", *(name.replace(":", "_") for name in arrays)]
    rows = (
        [item, *("" if np.isnan(values[row]) else f"{values[row]:.6g}" for values in arrays.values())]
        for row, item in enumerate(items)
    )
    return rows, columns


def _is_tag(name: str) -> bool:
    return name.partition(":")[2].isupper()
