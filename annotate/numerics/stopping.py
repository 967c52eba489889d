"""The probability that the quality rule stops a good annotator."""

from __future__ import annotations

import numpy as np


def stop_chance(accuracy: float, *, minimum: int, threshold: float, answers: int) -> float:
    """Return the probability that the quality rule stops an annotator within the first `answers` gold answers.

    Each answer is correct with probability `accuracy`, independently of the others. The rule applies from answer number
    `minimum` on, and stops the annotator if the share of correct answers is below `threshold`. The calculation is
    exact: it follows the distribution of the number of correct answers of annotators who have not been stopped.

    Raises ValueError for a probability outside [0, 1] or fewer than one answer as the minimum.
    """
    if not (0 <= accuracy <= 1 and 0 <= threshold <= 1):
        raise ValueError("accuracy and threshold must be between 0 and 1")
    if minimum < 1:
        raise ValueError("the rule needs a minimum of at least one answer")
    active = np.zeros(answers + 2)  # the probability of each number of correct answers without a stop
    active[0] = 1.0
    for number in range(1, answers + 1):
        active[1:] = active[1:] * (1 - accuracy) + active[:-1] * accuracy
        active[0] *= 1 - accuracy
        if number >= minimum:
            # `annotate.services` makes the same floating-point comparison: correct / number < threshold.
            active[: number + 1][np.arange(number + 1) / number < threshold] = 0.0
    return float(max(0.0, 1.0 - active.sum()))
