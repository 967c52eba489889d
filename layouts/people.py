"""Figures for each annotator in a layout study, such as gold results, agreement with other annotators, and time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord_core.exchange.arrays import read_json_array
from accord_core.numerics.labels import Ints
from annotate.tasktypes import Columns, Person
from layouts.columns import FieldLabels


def annotator_figures(columns: Columns, fields: Sequence[FieldLabels]) -> list[Person]:
    """Return one row for each annotator. An annotator's agreement is the share of values in these fields that equal the
    majority of the other annotators.
    """
    names = read_json_array(columns["names"])
    annotator = columns["answers"][:, 1]
    gold_annotator, passed = columns["gold"].T
    alike, compared, shared = _agreement_with_others(fields, len(names))
    people = []
    for number, name in enumerate(names):
        own, graded = annotator == number, gold_annotator == number
        seconds = columns["seconds"][own]
        seconds = seconds[np.isfinite(seconds)]
        people.append(
            Person(
                name,
                judgements=int(own.sum()),
                gold_given=int(graded.sum()),
                gold_right=int(passed[graded].sum()),
                agreement=round(float(alike[number] / compared[number]), 4) if compared[number] else None,
                shared=int(shared[number]),
                median_seconds=round(float(np.median(seconds)), 1) if len(seconds) else None,
            )
        )
    return people


def _agreement_with_others(fields: Sequence[FieldLabels], people: int) -> tuple[Ints, Ints, Ints]:
    """Return each annotator's number of values equal to the others' majority, number of values with such a majority,
    and number of questions with such values.
    """
    alike, compared = np.zeros(people, dtype=np.int64), np.zeros(people, dtype=np.int64)
    questions = np.empty((0, 2), dtype=np.int64)
    for field in fields:
        labels = field.labels
        others = labels.counts[labels.item]
        others[np.arange(len(labels)), labels.label] -= 1
        clear = 2 * others.max(axis=1, initial=0) > others.sum(axis=1)
        equal = clear & (others.argmax(axis=1) == labels.label)
        alike += np.bincount(labels.annotator[equal], minlength=people)
        compared += np.bincount(labels.annotator[clear], minlength=people)
        own = np.stack([labels.annotator[clear], labels.item[clear]], axis=1)
        questions = np.unique(np.concatenate([questions, own]), axis=0)
    return alike, compared, np.bincount(questions[:, 0], minlength=people)
