"""The rows in a file of judgements that answer a gold question, and the annotators who fail the gold rule (STR-2021,
§3.2.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from accord_core.bws.numerics.scoring import Bools, Ints, Judgements

Rule = Literal["total", "running"]


@dataclass(frozen=True, eq=False)
class GoldRecords:
    """Each annotator's gold answers, as arrays (annotators,).

    `answers` is the number of gold answers, and `correct` is the number of correct gold answers. `failed_at` is the
    number of gold answers after which the annotator failed the rule, or 0 for annotators who passed.
    """

    answers: Ints
    correct: Ints
    failed_at: Ints


def gold_rows(judgements: Judgements, gold: Judgements) -> tuple[Bools, Bools]:
    """Return two masks (M,) over the judgements, which mark the rows that answer a gold question and those that answer
    it correctly.

    Both arguments must number items in the same way. A row answers the gold question with the same set of items, in any
    order. An answer is correct if both choices match. Raises ValueError if two gold questions have the same items.
    """
    expected = {
        frozenset(items): (best, worst)
        for items, best, worst in zip(gold.items.tolist(), gold.best.tolist(), gold.worst.tolist(), strict=True)
    }
    if len(expected) < len(gold):
        raise ValueError("Two gold questions have the same items.")
    answers = [expected.get(frozenset(items)) for items in judgements.items.tolist()]
    chosen = zip(judgements.best.tolist(), judgements.worst.tolist(), strict=True)
    correct = [answer == choices for answer, choices in zip(answers, chosen, strict=True)]
    return np.array([answer is not None for answer in answers], np.bool_), np.array(correct, np.bool_)


def gold_records(
    annotator: ArrayLike,
    is_gold: ArrayLike,
    is_correct: ArrayLike,
    annotators: int,
    *,
    threshold: float = 0.7,
    minimum: int = 1,
    rule: Rule = "total",
) -> GoldRecords:
    """Apply the gold rule to judgements in chronological order. The first three arguments have the shape (M,).

    An annotator fails if the share of correct gold answers is below `threshold`. The rule `total` applies to all gold
    answers of the annotator. The rule `running` applies after each gold answer, as in a study that stops annotators.
    Annotators with fewer than `minimum` gold answers pass. Raises ValueError for a threshold outside [0, 1], and for a
    minimum below 1.
    """
    if not 0 <= threshold <= 1 or minimum < 1:
        raise ValueError("The threshold must be between 0 and 1, and the minimum must be at least 1.")
    who, gold, right = (np.asarray(values) for values in (annotator, is_gold, is_correct))
    answers, correct, failed_at = (np.zeros(annotators, np.int64) for _ in range(3))
    for number in range(annotators):
        own = right[(who == number) & gold]
        answers[number], correct[number] = len(own), own.sum()
        counts = np.arange(1, len(own) + 1)
        # `annotate/core/services/standing.py` makes the same floating-point comparison: correct / answers < threshold.
        failed = (np.cumsum(own) / counts < threshold) & (counts >= minimum)
        if rule == "total":
            failed[:-1] = False
        if failed.any():
            failed_at[number] = counts[failed][0]
    return GoldRecords(answers, correct, failed_at)
