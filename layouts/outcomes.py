"""The labels of a layout study, for the comparison with a repeat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord_core.numerics.labels import Ints, majority
from accord_core.numerics.repeat_labels import draw_repeat, fit_repeats, several_labels
from annotate.tasktypes import Outcome, StudyData
from layouts.columns import FieldLabels, collected, columns
from layouts.report import main_fields


def outcomes(data: StudyData) -> list[Outcome]:
    """Return the majority label of each question, for each field of the main figure."""
    keys = [question.payload["item"] for question in data.questions]
    return [_outcome(field, keys) for field in main_fields(collected(columns(data)))]


def _outcome(field: FieldLabels, keys: Sequence[str]) -> Outcome:
    model = None

    def redraw(generator: np.random.Generator) -> Sequence[str | None]:
        nonlocal model
        model = model or fit_repeats(field.labels)
        return _values(field, majority(draw_repeat(model, field.labels, generator)).label)

    can_redraw = several_labels(field.labels)
    values = _values(field, majority(field.labels).label)
    return Outcome(field.name, "questions", keys, keys, values, redraw if can_redraw else None)


def _values(field: FieldLabels, labels: Ints) -> list[str | None]:
    return [None if label < 0 else field.names[label] for label in labels.tolist()]
