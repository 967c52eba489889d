"""The final labels of candidates, and the probability that each is wrong."""

from __future__ import annotations

import numpy as np

from accord_core.numerics.label_errors import wrong_probabilities
from accord_core.numerics.labels import UNDECIDED
from annotate.tasktypes import Columns, FinalLabels, LikelyErrors
from paraphrase.columns import collected
from paraphrase.report import by_votes, with_quality_control


def final_labels(columns: Columns) -> FinalLabels:
    """Return each voted candidate's label. The model also learns from the answers to quality-control questions."""
    data = collected(columns)
    final = by_votes(data).label
    together, gold = with_quality_control(data)
    own = data.labels.n_items
    padded = np.concatenate([final, np.full(data.quality.n_items, UNDECIDED)])
    wrong = wrong_probabilities(together, padded, gold=gold)[:own]
    voted = np.flatnonzero(data.labels.counts.sum(axis=1) > 0)
    first = np.searchsorted(data.question, data.question)  # the number of the first candidate of the same question
    return FinalLabels(
        refs=data.refs,
        question=data.question[voted],
        part=(voted - first[voted]).tolist(),
        label=[None if label == UNDECIDED else label for label in final[voted].tolist()],
        wrong=wrong[voted],
        decided=((data.decided != UNDECIDED) | data.kept)[voted],
    )


ERRORS = LikelyErrors(
    repairs=lambda columns: final_labels(columns).repairs(),
    labels=final_labels,
    decided=lambda value, place, _: int(value["votes"][place]),
)
