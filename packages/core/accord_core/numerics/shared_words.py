"""Words that two texts share, for the word-overlap baselines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

SHORTEST_STEM = 4  # letters
STEM_SHARE = 0.6  # of the longer word


def jaccard(first: Sequence[str], second: Sequence[str]) -> float:
    """Return |X ∩ Y| / |X ∪ Y| of two sets of words, from 0 to 1. Two empty sets share nothing, so the result is 0."""
    one, other = set(first), set(second)
    return len(one & other) / max(len(one | other), 1)


def share_stem(first: str, second: str) -> bool:
    """Return whether two words are equal or probably forms of one word, such as “walks” and “walked”, ignoring case.

    Forms of one word begin with at least four common letters, which make up at least 60% of the longer word.
    """
    one, other = first.casefold(), second.casefold()
    prefix = sum(1 for _ in takewhile(lambda letters: letters[0] == letters[1], zip(one, other, strict=False)))
    return one == other or (prefix >= SHORTEST_STEM and prefix >= STEM_SHARE * max(len(one), len(other)))
