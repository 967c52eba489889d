"""Features that may correlate with an item's score, such as shared words, lengths, and numbers in the metadata.

The features correspond to the rows of Table 4 in STR-2021 for which the study has columns. The first row of the table
is `dice`. Other features, such as the relatedness of nouns, can be imported as numeric columns of the item file. The
command `accord evaluate features` calculates such features from parses and word vectors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from annotate.tasktypes import ItemDraft

if TYPE_CHECKING:
    from accord_core.evaluation.numerics.features import Floats

LABELS = {
    "dice": "Words in common (Dice)",
    "idf_dice": "Words in common, weighted by rarity (Dice with IDF)",
    "words": "Number of words",
    "length_difference": "Difference in length, relative to the longer sentence",
}


def features(items: Sequence[ItemDraft]) -> dict[str, Floats]:
    """Return the features as arrays (n,) by name, with NaN for missing values. Numeric columns have the prefix
    `column:`.
    """
    from accord_core.evaluation.numerics.features import numeric_column, text_features

    if items and all("sentence1" in item.content for item in items):
        arrays = text_features(*([item.content[side] for item in items] for side in ("sentence1", "sentence2")))
    else:
        arrays = _of_texts(items)
    names = dict.fromkeys(name for item in items for name in item.metadata)
    for name in names:
        values = numeric_column([item.metadata.get(name, "") for item in items])
        if values is not None:
            arrays[f"column:{name}"] = values
    return arrays


def goes_with(arrays: Mapping[str, Floats], scores: Floats, *, resamples: int, seed: int) -> list[dict[str, Any]]:
    """Return Spearman's ρ between each feature and the scores, with 95% intervals from resampled items. The strongest
    correlation comes first.
    """
    from accord_core.evaluation.numerics.features import feature_correlations

    rows = [
        {**row, "label": LABELS.get(row["name"], row["name"].removeprefix("column:"))}
        for row in feature_correlations(arrays, scores, resamples=resamples, seed=seed)
    ]
    return sorted(rows, key=lambda row: -abs(row["value"] or 0.0))


def _of_texts(items: Sequence[ItemDraft]) -> dict[str, Floats]:
    from accord_core.bws.formats import count_words

    counts = [sum(count_words(str(text)) for text in item.content.values()) for item in items]
    return {"words": np.array(counts, dtype=np.float64)}
