"""Final labels that are probably wrong, which reviewers can check first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord_core.exchange.arrays import Columns
from accord_core.numerics.label_errors import expected_repairs
from accord_core.numerics.labels import Bools, Floats, Ints

Json = Any

ERROR_SAMPLE = "error-sample"  # the kind of report that contains a sample of labels


@dataclass(frozen=True, eq=False)
class FinalLabels:
    """The labels of a study that its annotators have voted on.

    `refs` contains the refs of all questions. `question` (L,) is the question of each label by its place in `refs`, and
    `part` names the label within its question. `label` is the final label as a decision would contain it, or None if
    the annotators are undecided. `wrong` (L,) is the probability that the label is wrong, and NaN if it is None.
    `decided` (L,) states whether a reviewer has decided the question.
    """

    refs: Sequence[str]
    question: Ints
    part: Sequence[Json]
    label: Sequence[Json]
    wrong: Floats
    decided: Bools

    def repairs(self) -> dict[str, float]:
        """Return the number of labels that a decision is expected to change, by the refs of undecided questions."""
        open_labels = ~self.decided
        questions = self.question[open_labels]
        expected = expected_repairs(self.wrong[open_labels], np.ones(len(questions)))
        sums = np.bincount(questions, expected, len(self.refs)).tolist()
        return {self.refs[at]: sums[at] for at in np.unique(questions).tolist()}


@dataclass(frozen=True)
class LikelyErrors:
    """A task type's estimates of errors in its final labels or links.

    `repairs` returns the number of labels or links that a decision on a question is expected to change, by ref. It
    takes the columns of a results report and omits decided questions and questions without answers. Task types whose
    answers consist of labels also have `labels`, from which reviewers can check a sample, and `decided`, which returns
    the label in one part of a decision. It receives the decided answer, the part, and the final label, whose form the
    returned label has.
    """

    repairs: Callable[[Columns], Mapping[str, float]]
    labels: Callable[[Columns], FinalLabels] | None = None
    decided: Callable[[Json, Json, Json], Json] | None = None
