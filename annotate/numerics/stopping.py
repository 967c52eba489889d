"""How often the quality rule stops somebody who does not deserve it."""

from __future__ import annotations

import numpy as np


def stop_chance(accuracy: float, *, minimum: int, threshold: float, answers: int) -> float:
    """Probability that the rule stops an annotator within `answers` gold answers.

    The annotator is right with probability `accuracy`, independently each time. The rule is looked at after every
    answer from the `minimum`-th on and stops at a share of right answers under `threshold`. Computed exactly, by
    carrying forward the distribution of the number right among those who are still there.

    Raises ValueError for a probability outside [0, 1] or fewer than one answer as the minimum.
    """
    if not (0 <= accuracy <= 1 and 0 <= threshold <= 1):
        raise ValueError("accuracy and threshold are shares between 0 and 1")
    if minimum < 1:
        raise ValueError("the rule needs at least one answer to look at")
    there = np.zeros(answers + 2)
    there[0] = 1.0
    for given in range(1, answers + 1):
        there[1:] = there[1:] * (1 - accuracy) + there[:-1] * accuracy
        there[0] *= 1 - accuracy
        if given >= minimum:
            # Compared as the services do: right / given < threshold, in floating point.
            there[: given + 1][np.arange(given + 1) / given < threshold] = 0.0
    return float(max(0.0, 1.0 - there.sum()))
