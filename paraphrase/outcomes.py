"""The labels of a paraphrase study, for the comparison with a repeat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from accord_core.numerics.labels import Ints
from accord_core.numerics.repeat_labels import draw_repeat, fit_repeats, several_labels
from annotate.tasktypes import Outcome, StudyData
from paraphrase.columns import collected, columns
from paraphrase.report import by_votes

NAMES = {0: "no", 1: "yes"}


def outcomes(data: StudyData) -> list[Outcome]:
    """Return the label of each candidate. Annotators judge all candidates of a question at once, so these candidates
    are resampled together.
    """
    study = collected(columns(data))
    keys, clusters = [], []
    for question in data.questions:
        item = question.payload["item"]
        clusters += [item] * len(question.payload["paraphrases"])
        keys += [f"{item}: {text}" for text in question.payload["paraphrases"]]
    model = None

    def redraw(generator: np.random.Generator) -> Sequence[str | None]:
        nonlocal model
        model = model or fit_repeats(study.labels)
        return _values(by_votes(replace(study, labels=draw_repeat(model, study.labels, generator))).label)

    values = _values(by_votes(study).label)
    return [Outcome("Labels", "candidates", keys, clusters, values, redraw if several_labels(study.labels) else None)]


def _values(labels: Ints) -> list[str | None]:
    return [NAMES.get(label) for label in labels.tolist()]
