"""The input for layout reports: all field values as arrays of label numbers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord_core.exchange.arrays import int_array, json_array, read_json_array
from accord_core.layouts.formats.fields import CHOICES, HIDDEN, NUMBER, TEXT
from accord_core.numerics.labels import Ints, Labels
from annotate.tasktypes import Columns, StudyData, gather
from layouts.grading import plain
from layouts.options import layout_of

Json = Any
NOTHING_TICKED = "(none)"


def columns(data: StudyData) -> Columns:
    """Return the judgements as arrays. The array `field-n` contains the rows (answer, label) for field n, without empty
    values. For a text field, `written-n` contains the number of each answer's text as it was written, in `texts-n`.
    `scales` contains the names of the fields whose choices are the steps of a scale.

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
        "scales": json_array([field.name for field in layout_of(data.facts["options"]).fields if field.is_scale]),
        "decided": int_array(place[ref] for ref in decided),
        "kept": int_array(place[ref] for ref in data.keep_both if ref in place),
    }
    for number, (name, kind) in enumerate(fields):
        numbers: dict[str, int] = {}
        given = [row.value["fields"].get(name) for row in gathered.judgements]
        chosen = [value["fields"].get(name) for value in decided.values()]
        arrays |= {
            f"field-{number}": _numbered([as_label(value, kind) for value in given], numbers),
            f"decided-{number}": _numbered([as_label(value, kind) for value in chosen], numbers),
            f"labels-{number}": json_array(_names(numbers, [*given, *chosen], kind)),
        }
        if kind == TEXT:
            texts: dict[str, int] = {}
            arrays |= {
                f"written-{number}": _numbered([as_written(value) for value in given], texts),
                f"decided-written-{number}": _numbered([as_written(value) for value in chosen], texts),
                f"texts-{number}": json_array(list(texts)),
            }
    return arrays


def _numbered(labels: Sequence[str | None], numbers: dict[str, int]) -> Ints:
    """Return each label's number, or −1 for None. New labels are added to `numbers`."""
    return int_array(-1 if label is None else numbers.setdefault(label, len(numbers)) for label in labels)


def _names(numbers: Mapping[str, int], values: Sequence[Json], kind: str) -> list[str]:
    """Return the labels' names in the order of their numbers. A text is named as it was first written."""
    first = {as_label(value, kind): value for value in reversed(values)} if kind == TEXT else {}
    return [str(first.get(label, label)) for label in numbers]


def as_written(value: Json) -> str | None:
    """Return a text unchanged, or None if its field is empty."""
    return None if as_label(value, TEXT) is None else str(value)


def as_label(value: Json, kind: str) -> str | None:
    """Return a value as a label. Texts that differ only in case and spaces have the same label. A list without ticked
    boxes is a label too, because annotators submit it with the form.
    """
    if value is None or value == "" or (value == [] and kind != CHOICES):
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return json.dumps(sorted(value), ensure_ascii=False)
    if isinstance(value, str):
        return (plain(value) if kind == TEXT else value) or None
    return f"{value:g}"


@dataclass(frozen=True, eq=False)
class FieldLabels:
    """One field's labels. `rows` contains the numbers of the judgements with a label, `empty` is the number of
    judgements without a label, and `decided` (questions,) is the label that a reviewer chose, or −1. `written` maps
    (question, label) to the text as it was written, for text fields.
    """

    name: str
    kind: str
    is_scale: bool
    labels: Labels
    rows: Ints
    empty: int
    names: list[str]
    decided: Ints
    written: Mapping[tuple[int, int], str]

    @property
    def is_open(self) -> bool:
        """Return whether the field contains free text."""
        return self.kind == TEXT

    def shown(self, label: int) -> str:
        """Return a label's name, or an empty string for an undecided label."""
        if label < 0:
            return ""
        name = self.names[label]
        return (", ".join(json.loads(name)) or NOTHING_TICKED) if self.kind == CHOICES else name

    def exported(self, question: int, label: int) -> str:
        """Return the label as a question's annotators or its reviewer wrote it."""
        return self.written.get((question, label)) or self.shown(label)

    @property
    def values(self) -> list[float] | None:
        """Return the labels of a numeric field or a scale as numbers, or None for other fields."""
        return [float(name) for name in self.names] if self.kind == NUMBER or self.is_scale else None


def collected(columns: Columns) -> list[FieldLabels]:
    """Return the labels of all fields from a report's stored arrays."""
    question, annotator = columns["answers"].T
    people, questions = len(read_json_array(columns["names"])), len(read_json_array(columns["refs"]))
    scales = set(read_json_array(columns["scales"])) if "scales" in columns else set()  # older reports have none
    found = []
    for number, (name, kind) in enumerate(read_json_array(columns["fields"])):
        names: list[str] = read_json_array(columns[f"labels-{number}"])
        label = columns[f"field-{number}"]
        rows = np.flatnonzero(label >= 0)
        decided = np.full(questions, -1, dtype=np.int64)
        decided[columns["decided"]] = columns[f"decided-{number}"]
        labels = Labels(question[rows], annotator[rows], label[rows], questions, people, max(1, len(names)))
        written = _written(columns, number) if f"texts-{number}" in columns else {}
        found.append(
            FieldLabels(name, kind, name in scales, labels, rows, len(label) - len(rows), names, decided, written)
        )
    return found


def _written(columns: Columns, number: int) -> dict[tuple[int, int], str]:
    """Return the text for each label of each question: the reviewer's spelling or, if there is none, the most frequent
    one. Of equally frequent spellings, the first counts.
    """
    texts: list[str] = read_json_array(columns[f"texts-{number}"])
    spellings: dict[tuple[int, int], Counter[int]] = {}
    question = columns["answers"][:, 0].tolist()
    answers = zip(question, columns[f"field-{number}"].tolist(), columns[f"written-{number}"].tolist(), strict=True)
    for at, label, text in answers:
        if label >= 0:
            spellings.setdefault((at, label), Counter())[text] += 1
    written = {place: texts[counts.most_common(1)[0][0]] for place, counts in spellings.items()}
    decided = (columns[name].tolist() for name in ("decided", f"decided-{number}", f"decided-written-{number}"))
    return written | {(at, label): texts[text] for at, label, text in zip(*decided, strict=True) if label >= 0}


def label_order(field: FieldLabels) -> Mapping[int, int]:
    """Return the labels with their numbers of votes, most frequent label first."""
    counts = np.bincount(field.labels.label, minlength=len(field.names))
    return {int(label): int(counts[label]) for label in np.argsort(-counts, kind="stable") if counts[label]}
