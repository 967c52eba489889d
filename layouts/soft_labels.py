"""The download of soft labels, which contains the distribution of the votes on each item for each field with
choices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from accord_core.exchange.soft_labels import soft_label_rows, write_soft_label_rows
from accord_core.layouts.formats.fields import CHOICE, CHOICES, FLAG
from accord_core.numerics.labels import Floats
from accord_core.numerics.soft_labels import MODELS, fitted
from annotate.tasktypes import Export, StudyData
from layouts import row_fields
from layouts.columns import FieldLabels, collected, columns

WITH_CHOICES = (CHOICE, CHOICES, FLAG)


def choice_fields(data: StudyData) -> dict[str, FieldLabels]:
    """Return the labels of the fields with choices by name, excluding fields without answers."""
    fields = collected(columns(data))
    return {field.name: field for field in fields if field.kind in WITH_CHOICES and len(field.labels)}


def item_keys(data: StudyData) -> list[str]:
    """Return each question's item, in the order of the question numbers in `collected`."""
    return [question.payload["item"] for question in data.questions]


def label_names(field: FieldLabels) -> list[str]:
    """Return the labels as they appear in files. A set of several choices is a single label."""
    return [field.shown(number) for number in range(len(field.names))]


def soft_labels(data: StudyData, result: Mapping[str, Any] | None) -> Iterator[bytes]:
    """Yield one row for each item, field and label."""
    keys = item_keys(data)
    rows = chain.from_iterable(
        soft_label_rows(
            keys, label_names(field), field.labels.counts, _posteriors(field), {"field": [name] * len(keys)}
        )
        for name, field in choice_fields(data).items()
    )
    return (chunk.encode() for chunk in write_soft_label_rows(rows, MODELS, ["field"]))


def _posteriors(field: FieldLabels) -> dict[str, Floats]:
    estimates = {model: fitted(field.labels, model).posterior for model in MODELS}
    return {model: posterior for model, posterior in estimates.items() if posterior is not None}


SOFT_LABELS = Export(
    "soft-labels.csv",
    "text/csv; charset=utf-8",
    "votes, shares and posteriors of each choice in each field, for `accord evaluate labels --field`",
    soft_labels,
    note="Text and number fields are not included. If annotators can tick several choices, each set of choices is "
    "one label. The posteriors come from the one-coin and Dawid–Skene models. Reviewers' decisions do not "
    "change the soft labels.",
    item_column="item",
    rows=row_fields.SOFT_LABELS,
)
