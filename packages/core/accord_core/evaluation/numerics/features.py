"""Features of sentence pairs, and their correlations with collected scores (STR-2021, §5, Table 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord_core.evaluation.numerics.correlation import spearman
from accord_core.evaluation.numerics.overlap import dice, idf_dice, inverse_document_frequency, word_sets

Floats = NDArray[np.float64]

FEWEST = 10  # A correlation needs at least this number of items with both a value and a score.
FEWEST_VALUES = 3


def text_features(first: Sequence[str], second: Sequence[str]) -> dict[str, Floats]:
    """Return the features (n,) of n sentence pairs that need only the texts: Dice, IDF-weighted Dice, the total number
    of words, and the length difference as a share of the longer sentence.
    """
    sets = word_sets([*first, *second])
    count = len(first)
    one, other = np.arange(count), np.arange(count, 2 * count)
    lengths = sets.lengths.astype(np.float64)
    longer = np.maximum(np.maximum(lengths[one], lengths[other]), 1)
    return {
        "dice": dice(sets, one, other),
        "idf_dice": idf_dice(sets, one, other, inverse_document_frequency(sets)),
        "words": lengths[one] + lengths[other],
        "length_difference": np.abs(lengths[one] - lengths[other]) / longer,
    }


def feature_correlations(
    arrays: Mapping[str, Floats], scores: ArrayLike, *, resamples: int, seed: int
) -> list[dict[str, Any]]:
    """Return Spearman's ρ between each feature (n,) and the scores (n,), with 95% intervals from resampled items.

    Missing values and scores are NaN. Each correlation uses the items that have both a value and a score, and `items`
    is the number of these items. Features with fewer than ten such items are omitted. The result is in the order of the
    features.
    """
    collected = np.asarray(scores, dtype=np.float64)
    rows = []
    for name, values in arrays.items():
        present = ~np.isnan(values) & ~np.isnan(collected)
        if present.sum() >= FEWEST:
            figure = spearman(values[present], collected[present], resamples=resamples, seed=seed).as_figure()
            rows.append({"name": name, "items": int(present.sum()), **figure})
    return rows


def numeric_column(cells: Sequence[str]) -> Floats | None:
    """Return a column's cells as numbers (n,), with NaN for empty cells.

    The result is None if a cell is not a finite number, or if the column has fewer than three different numbers.
    """
    try:
        values = np.array([float(cell) if cell.strip() else np.nan for cell in cells])
    except ValueError:
        return None
    known = values[~np.isnan(values)]
    return values if np.isfinite(known).all() and len(np.unique(known)) >= FEWEST_VALUES else None
