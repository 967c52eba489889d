"""The download of soft labels, with the distribution of votes on each candidate and the posteriors of both models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from accord_core.exchange.soft_labels import write_soft_labels
from accord_core.numerics.labels import Floats
from accord_core.numerics.soft_labels import MODELS, fitted
from annotate.tasktypes import Export, StudyData
from paraphrase import row_fields
from paraphrase.columns import collected, columns

NAMES = ("no", "yes")


def soft_labels(data: StudyData, result: Mapping[str, Any] | None) -> Iterator[bytes]:
    """Yield two rows for each candidate in its sentence, one for the label no and one for the label yes."""
    labels = collected(columns(data)).labels
    items = {item.key: item for item in data.items}
    candidates = [
        (items[question.payload["item"]], text)
        for question in data.questions
        for text in question.payload["paraphrases"]
    ]
    posteriors: dict[str, Floats] = {}
    for model in MODELS if len(labels) else ():
        posterior = fitted(labels, model).posterior
        if posterior is not None:
            posteriors[model] = posterior
    further = {
        "sentence": [item.key for item, _ in candidates],
        "phrase": [item.content["phrase"] for item, _ in candidates],
        "paraphrase": [text for _, text in candidates],
        "domain": [item.metadata["domain"] for item, _ in candidates],
    }
    keys = [f"{item.key}/{text}" for item, text in candidates]
    return (chunk.encode() for chunk in write_soft_labels(keys, NAMES, labels.counts, posteriors, further))


SOFT_LABELS = Export(
    "soft-labels.csv",
    "text/csv; charset=utf-8",
    "votes, shares and posteriors of each label, for `accord evaluate labels`",
    soft_labels,
    note="The posteriors come from the one-coin and Dawid–Skene models. Reviewers' decisions do not change the soft "
    "labels.",
    item_column="sentence",
    rows=row_fields.SOFT_LABELS,
)
