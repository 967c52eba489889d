"""How many gold questions a group of annotators can recognise by comparing all questions that they have seen.

Everyone who takes a HIT gets the same questions, so a comparison of one HIT shows nothing. A question in two different
HITs is a gold question, because regular questions are usually in one HIT only.
"""

from __future__ import annotations

from math import ceil


def recognised_share(sets: int, hits: float, annotators: int) -> float:
    """Return the share of gold questions in the HITs of at least two of the annotators.

    Each annotator has had `hits` HITs, each with another of the study's `sets` gold sets. The annotators had different
    HITs, which is the case that shows them most. With the same HITs, they recognise nothing.
    """
    if sets < 1:
        return 0.0
    seen = min(hits / sets, 1.0)
    return 1 - (1 - seen) ** annotators - annotators * seen * (1 - seen) ** (annotators - 1)


def hits_until_recognised(sets: int, annotators: int, share: float = 0.5) -> int:
    """Return the number of HITs per annotator after which the annotators recognise this share of the gold questions.

    `annotators` must be at least 2, and `share` between 0 and 1.
    """
    low, high = 0.0, float(sets)
    for _halving in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if recognised_share(sets, middle, annotators) >= share else (middle, high)
    return max(1, ceil(high - 1e-9)) if sets else 0
