"""Scores of links against all annotators' links: the expected precision, recall and F1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord_core.pairs.numerics.links import Alignment, Link

Floats = NDArray[np.float64]


def soft_counts(answers: Sequence[Sequence[Alignment]], system: Sequence[Alignment]) -> Floats:
    """Return three counts for each sentence pair (pairs, 3): the expected number of the system's links that an
    annotator drew, the number of the system's links, and the expected number of an annotator's links.

    `answers` contains the alignments of each pair by its annotators. A link counts with the share of the annotators who
    drew the link, sure or possible. For pairs without annotators, all counts are 0.
    """
    return np.array([_counts(each, drawn) for each, drawn in zip(answers, system, strict=True)]).reshape(-1, 3)


def held_out_counts(answers: Sequence[Sequence[Alignment]]) -> Floats:
    """Return the counts (pairs, 3) for annotators who are scored like systems against the other annotators of each
    pair.

    The counts of a pair are the means over its annotators. For pairs with only one annotator, all counts are 0.
    """
    rows = []
    for each in answers:
        others = [[*each[:place], *each[place + 1 :]] for place in range(len(each))]
        held_out = [_counts(rest, drawn) for rest, drawn in zip(others, each, strict=True)]
        rows.append(np.mean(held_out, axis=0) if len(each) > 1 else np.zeros(3))
    return np.array(rows).reshape(-1, 3)


def _counts(answers: Sequence[Alignment], drawn: Alignment) -> tuple[float, float, float]:
    if not answers:
        return 0.0, 0.0, 0.0
    times: Counter[Link] = Counter(link for answer in answers for link in answer.links)
    hits = sum(times[link] for link in drawn.links) / len(answers)
    return hits, float(len(drawn.links)), times.total() / len(answers)
