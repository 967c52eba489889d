"""The download of the labels in the JSON format of LeWiDi, the shared tasks on learning with disagreements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from accord_core.exchange.arrays import read_json_array
from accord_core.exchange.lewidi import Entry, write_lewidi
from annotate.tasktypes import OTHER_FORMATS, Export, StudyData
from annotate.tasktypes.common_fields import LEWIDI_OBJECTS
from layouts.columns import columns
from layouts.rows import row_of
from layouts.soft_labels import choice_fields, item_keys, label_names


def lewidi(data: StudyData, result: Mapping[str, Any] | None) -> Iterator[bytes]:
    """Yield one entry for each question and field with choices. If there are several fields, `/` and the name of the
    field follow the item in the name of the entry.
    """
    fields, keys = choice_fields(data), item_keys(data)
    contents = {item.key: item.content for item in data.items}
    texts = [row_of(question.payload, contents) for question in data.questions]
    people: list[str] = read_json_array(columns(data)["names"])

    def entries() -> Iterator[Entry]:
        for name, field in fields.items():
            names = label_names(field)
            votes: list[dict[str, str]] = [{} for _ in keys]
            for at, who, label in zip(field.labels.item, field.labels.annotator, field.labels.label, strict=True):
                votes[at][people[who]] = names[label]
            for key, text, labels in zip(keys, texts, votes, strict=True):
                item = f"{key}/{name}" if len(fields) > 1 else key
                yield Entry(item, name, text, labels, names, data.facts["language"], {})

    return (chunk.encode() for chunk in write_lewidi(entries()))


LEWIDI = Export(
    "lewidi.json",
    "application/json",
    "items with each annotator’s choices, in the format of the shared tasks on learning with disagreements (LeWiDi)",
    lewidi,
    group=OTHER_FORMATS,
    rows=LEWIDI_OBJECTS,
)
