"""The input for layout reports: all field values as arrays of label numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotate.exchange.arrays import int_array, json_array, read_json_array
from annotate.numerics.labels import Ints, Labels
from annotate.tasktypes import Columns, StudyData, gather
from layouts.formats.fields import CHOICES, HIDDEN, NUMBER, TEXT
from layouts.grading import plain
from layouts.options import layout_of

Json = Any


def columns(data: StudyData) -> Columns:
    """Return the judgements as arrays. The array `field-n` contains the rows (answer, label) for field n, without empty
    values.

    Fields that scripts have added to the form come after the fields of the layout.
    """
    gathered = gather(data)
    place = {question.ref: number for number, question in enumerate(data.questions)}
    scripts = data.facts["options"]["scripts"]
    fields = [
        (field.name, TEXT if scripts and field.kind == HIDDEN else field.kind)
        for field in layout_of(data.facts["options"]).fields
        if scripts or field.kind != HIDDEN
    ]
    known = {field.name for field in layout_of(data.facts["options"]).fields}
    further = dict.fromkeys(name for row in gathered.judgements for name in row.value["fields"] if name not in known)
    fields += [(name, TEXT) for name in further]
    decided = {ref: value for ref, value in data.decisions.items() if ref in place}
    arrays: Columns = {
        **gathered.columns(place),
        "names": json_array(gathered.names),
        "refs": json_array([question.ref for question in data.questions]),
        "fields": json_array(fields),
        "decided": int_array(place[ref] for ref in decided),
    }
    for number, (name, kind) in enumerate(fields):
        numbers: dict[str, int] = {}
        given = _numbered([row.value["fields"].get(name) for row in gathered.judgements], kind, numbers)
        chosen = _numbered([value["fields"].get(name) for value in decided.values()], kind, numbers)
        arrays |= {
            f"field-{number}": given,
            f"decided-{number}": chosen,
            f"labels-{number}": json_array(list(numbers)),
        }
    return arrays


def _numbered(values: Sequence[Json], kind: str, numbers: dict[str, int]) -> Ints:
    """Return each value's label number, or −1 for an empty value. New labels are added to `numbers`."""
    labels = map(as_label, values)
    return int_array(-1 if label is None else numbers.setdefault(label, len(numbers)) for label in labels)


def as_label(value: Json) -> str | None:
    """Return a value as a label. Texts that differ only in case and spaces have the same label."""
    if value is None or value == "" or value == []:
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return json.dumps(sorted(value), ensure_ascii=False)
    return plain(value) or None if isinstance(value, str) else f"{value:g}"


@dataclass(frozen=True, eq=False)
class FieldLabels:
    """One field's labels. `rows` contains the numbers of the judgements with a label, `empty` is the number of
    judgements without a label, and `decided` (questions,) is the label that a reviewer chose, or −1.
    """

    name: str
    kind: str
    labels: Labels
    rows: Ints
    empty: int
    names: list[str]
    decided: Ints

    @property
    def is_open(self) -> bool:
        """Return whether the field contains free text."""
        return self.kind == TEXT

    def shown(self, label: int) -> str:
        """Return a label's name, or an empty string for an undecided label."""
        if label < 0:
            return ""
        name = self.names[label]
        return ", ".join(json.loads(name)) if self.kind == CHOICES else name

    @property
    def values(self) -> list[float] | None:
        """Return a numeric field's labels as numbers, or None for other fields."""
        return [float(name) for name in self.names] if self.kind == NUMBER else None


def collected(columns: Columns) -> list[FieldLabels]:
    """Return the labels of all fields from a report's stored arrays."""
    question, annotator = columns["answers"].T
    people, questions = len(read_json_array(columns["names"])), len(read_json_array(columns["refs"]))
    found = []
    for number, (name, kind) in enumerate(read_json_array(columns["fields"])):
        names: list[str] = read_json_array(columns[f"labels-{number}"])
        label = columns[f"field-{number}"]
        rows = np.flatnonzero(label >= 0)
        decided = np.full(questions, -1, dtype=np.int64)
        decided[columns["decided"]] = columns[f"decided-{number}"]
        labels = Labels(question[rows], annotator[rows], label[rows], questions, people, max(1, len(names)))
        found.append(FieldLabels(name, kind, labels, rows, len(label) - len(rows), names, decided))
    return found


def label_order(field: FieldLabels) -> Mapping[int, int]:
    """Return the labels with their numbers of votes, most frequent label first."""
    counts = np.bincount(field.labels.label, minlength=len(field.names))
    return {int(label): int(counts[label]) for label in np.argsort(-counts, kind="stable") if counts[label]}
