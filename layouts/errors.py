"""The final labels of fields with choices, and the probability that each is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np

from accord_core.exchange.arrays import read_json_array
from accord_core.layouts.formats.fields import CHOICE, CHOICES
from accord_core.numerics.label_errors import wrong_probabilities
from accord_core.numerics.labels import UNDECIDED, Floats, Ints, Labels, majority
from annotate.tasktypes import Columns, FinalLabels, LikelyErrors
from layouts.columns import FieldLabels, as_label, collected
from layouts.soft_labels import WITH_CHOICES


def final_labels(columns: Columns) -> FinalLabels:
    """Return the labels of all fields with choices, without free text and numbers."""
    fields = collected(columns)
    chosen = [field for field in fields if field.kind in WITH_CHOICES and len(field.labels)]
    refs = read_json_array(columns["refs"])
    decided = np.zeros(len(refs), dtype=np.bool_)
    decided[columns["decided"]] = True
    decided[columns.get("kept", np.zeros(0, dtype=np.int64))] = True  # added after the first reports
    gold = columns["gold"] if len(fields) == 1 else columns["gold"][:0]
    question, part, label = [np.zeros(0, dtype=np.int64)], [], []
    wrong = [np.zeros(0)]
    for field in chosen:
        final = majority(field.labels).label
        voted = np.flatnonzero(field.labels.counts.sum(axis=1) > 0)
        question.append(voted)
        part += [field.name] * len(voted)
        label += [None if number == UNDECIDED else field.names[number] for number in final[voted].tolist()]
        wrong.append(_wrong(field, final, gold)[voted])
    places = np.concatenate(question)
    return FinalLabels(refs, places, part, label, np.concatenate(wrong), decided[places])


def _wrong(field: FieldLabels, final: Ints, gold: Ints) -> Floats:
    """Return the probability (questions,) that each final label is wrong.

    `gold` (G, 2) contains the annotator of each graded gold answer to the field, and whether the answer was right. Each
    answer counts as an item with the known label 0, because the one-coin model does not depend on which label is wrong.
    """
    votes, own = field.labels, field.labels.n_items
    if votes.n_labels < 2:
        gold = gold[:0]
    together = Labels(
        item=np.concatenate([votes.item, own + np.arange(len(gold))]),
        annotator=np.concatenate([votes.annotator, gold[:, 0]]),
        label=np.concatenate([votes.label, 1 - gold[:, 1]]),
        n_items=own + len(gold),
        n_annotators=votes.n_annotators,
        n_labels=votes.n_labels,
    )
    known = np.concatenate([np.full(own, UNDECIDED), np.zeros(len(gold), dtype=np.int64)])
    padded = np.concatenate([final, np.full(len(gold), UNDECIDED)])
    return wrong_probabilities(together, padded, gold=known)[:own]


def decided_label(value: Any, name: str, label: str) -> str | None:
    """Return a field's label in a decision. Only a field with several choices can have an empty list as its label."""
    return as_label(value["fields"].get(name), CHOICES if label.startswith("[") else CHOICE)


ERRORS = LikelyErrors(
    repairs=lambda columns: final_labels(columns).repairs(), labels=final_labels, decided=decided_label
)
