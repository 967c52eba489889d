"""Features that may correlate with an item's score: shared words, lengths, and numbers in the metadata.

The features are the rows of Table 4 in STR-2021 for which a study has columns. The first row of the table is `dice`.
Other features, such as the relatedness of nouns, can be imported as numeric columns of the item file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotate.tasktypes import ItemDraft

Floats = NDArray[np.float64]
FEWEST = 10  # minimum number of items with both a value and a score for a correlation
FEWEST_VALUES = 3
LABELS = {
    "dice": "Words in common (Dice)",
    "idf_dice": "Words in common, weighted by rarity (Dice with IDF)",
    "words": "Words in both sentences",
    "length_difference": "Difference in length, relative to the longer sentence",
}


def features(items: Sequence[ItemDraft]) -> dict[str, Floats]:
    """Return the features by name as arrays (n,), with NaN for missing values. Numeric columns have the prefix
    `column:`.
    """
    arrays = _of_pairs(items) if items and all("sentence1" in item.content for item in items) else _of_texts(items)
    names = dict.fromkeys(name for item in items for name in item.metadata)
    for name in names:
        values = _numbers([item.metadata.get(name, "") for item in items])
        if values is not None and len(np.unique(values[~np.isnan(values)])) >= FEWEST_VALUES:
            arrays[f"column:{name}"] = values
    return arrays


def goes_with(arrays: Mapping[str, Floats], scores: Floats, *, resamples: int, seed: int) -> list[dict[str, Any]]:
    """Return Spearman's ρ between each feature and the scores, with 95% intervals from resampled items. The strongest
    correlation comes first.
    """
    from evaluation.numerics.correlation import as_figure, spearman

    rows = []
    for name, values in arrays.items():
        present = ~np.isnan(values) & ~np.isnan(scores)
        if present.sum() >= FEWEST:
            figure = as_figure(spearman(values[present], scores[present], resamples=resamples, seed=seed))
            label = LABELS.get(name, name.removeprefix("column:"))
            rows.append({"name": name, "label": label, "items": int(present.sum()), **figure})
    return sorted(rows, key=lambda row: -abs(row["value"] or 0.0))


def _of_pairs(items: Sequence[ItemDraft]) -> dict[str, Floats]:
    from evaluation.numerics.overlap import dice, idf_dice, inverse_document_frequency, word_sets

    sets = word_sets([item.content[side] for side in ("sentence1", "sentence2") for item in items])
    first, second = np.arange(len(items)), np.arange(len(items), 2 * len(items))
    lengths = sets.lengths.astype(np.float64)
    longer = np.maximum(np.maximum(lengths[first], lengths[second]), 1)
    return {
        "dice": dice(sets, first, second),
        "idf_dice": idf_dice(sets, first, second, inverse_document_frequency(sets)),
        "words": lengths[first] + lengths[second],
        "length_difference": np.abs(lengths[first] - lengths[second]) / longer,
    }


def _of_texts(items: Sequence[ItemDraft]) -> dict[str, Floats]:
    counts = [sum(len(str(text).split()) for text in item.content.values()) for item in items]
    return {"words": np.array(counts, dtype=np.float64)}


def _numbers(cells: Sequence[str]) -> Floats | None:
    """Return the cells of a column as numbers, with NaN for empty cells, or None if a cell is not a number."""
    try:
        values = np.array([float(cell) if cell.strip() else np.nan for cell in cells])
    except ValueError:
        return None
    return values if np.isfinite(values[~np.isnan(values)]).all() and not np.isnan(values).all() else None
