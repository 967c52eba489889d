"""The word-overlap baseline of paraphrase in context, for `accord annotate --baseline overlap`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord_core.evaluation.numerics.overlap import words
from accord_core.numerics.shared_words import share_stem

THRESHOLD = 0.5


def answer(question: Mapping[str, Any]) -> dict[str, list[bool]]:
    """Choose each candidate that shares at least half of its words, or of the phrase's words, with the phrase.

    The share is calculated for the longer of the two texts. Forms of one word, such as “walks” and “walked”, count as
    shared. The question and the answer have the formats of the API.
    """
    phrase = words(question["phrase"])
    return {"votes": [_share(phrase, words(candidate)) >= THRESHOLD for candidate in question["candidates"]]}


def _share(phrase: list[str], candidate: list[str]) -> float:
    """Return the share of the longer text's words that have a match in the other text."""
    shorter, longer = sorted([phrase, candidate], key=len)
    matched = sum(any(share_stem(word, other) for other in shorter) for word in longer)
    return matched / max(len(longer), 1)
