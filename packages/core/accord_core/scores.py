"""Scores of items from best–worst judgements, and one label per item from several annotators.

`Judgements` and `Labels` hold arrays of numbers. `accord_core.formats` reads both from files, with the names of items,
annotators and labels.

>>> from accord_core.scores import Judgements, counting_scores
>>> judgements = Judgements(items=[[0, 1, 2, 3], [0, 1, 2, 3]], best=[0, 0], worst=[3, 2], n_items=4)
>>> counting_scores(judgements).score.tolist()  # (times best − times worst) / appearances, from −1 to 1
[1.0, 0.0, -0.5, -0.5]

>>> from accord_core.scores import Labels, majority
>>> labels = Labels(item=[0, 0, 0, 1, 1, 1], annotator=[0, 1, 2] * 2, label=[1, 1, 0, 0, 1, 0],
...                 n_items=2, n_annotators=3, n_labels=2)
>>> majority(labels).label.tolist()
[1, 0]
"""

from accord_core.bws.numerics.maxdiff import MaxDiffScores, maxdiff_scores, maxdiff_with_reliabilities
from accord_core.bws.numerics.scoring import (
    CountingScores,
    Judgements,
    counting_scores,
    counting_standard_errors,
    unit_scale,
)
from accord_core.numerics.em import dawid_skene, one_coin
from accord_core.numerics.labels import Aggregate, Labels, majority, weighted

__all__ = [
    "Aggregate",
    "CountingScores",
    "Judgements",
    "Labels",
    "MaxDiffScores",
    "counting_scores",
    "counting_standard_errors",
    "dawid_skene",
    "majority",
    "maxdiff_scores",
    "maxdiff_with_reliabilities",
    "one_coin",
    "unit_scale",
    "weighted",
]
