"""The word-overlap baseline of best–worst scaling, for `accord annotate --baseline overlap`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord_core.evaluation.numerics.overlap import words
from accord_core.numerics.shared_words import jaccard


def answer(question: Mapping[str, Any]) -> dict[str, int]:
    """Choose the sentence pair that shares the most words (Jaccard) as best, and the pair that shares the fewest words
    as worst.

    If several pairs share equally many words, the first is best and the last is worst. The question and the answer have
    the formats of the API. Raises ValueError if an item is not a sentence pair.
    """
    shares = [_share(item["sentences"]) for item in question["items"]]
    numbers = range(len(shares))
    best = max(numbers, key=shares.__getitem__)
    worst = min(reversed(numbers), key=shares.__getitem__)
    return {"best": best + 1, "worst": worst + 1}


def _share(sentences: list[str]) -> float:
    if len(sentences) != 2:
        raise ValueError("The word-overlap baseline needs items with two sentences.")
    return jaccard(*map(words, sentences))
