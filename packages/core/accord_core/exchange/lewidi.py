"""Labels in the JSON format of LeWiDi, the shared tasks on learning with disagreements (Leonardelli and others 2025).

{"p1": {"annotation task": "irony detection", "text": {"post": "Lovely weather.", "reply": "Bring a boat."},
  "number of annotators": 2, "annotators": "Ann1,Ann2", "number of annotations": 2,
  "annotations": {"Ann1": "0", "Ann2": "1"}, "soft_label": {"0": 0.5, "1": 0.5}, "lang": "en", "other_info": {}}}
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from accord_core.exchange.encoding import open_text
from accord_core.exchange.faults import Fault, TableError, raise_faults
from accord_core.exchange.json_numbers import refuse_constant
from accord_core.exchange.tables import Row, TableStream

ITEM, ANNOTATOR, LABEL = COLUMNS = ("item", "annotator", "label")
_ENTRIES = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{")
_VOTES = re.compile(rb'"annotations"\s*:\s*\{')


class Entry(NamedTuple):
    """An item with its texts, each annotator's label, the names of all possible labels, and further facts."""

    item: str
    task: str
    text: Mapping[str, str]
    labels: Mapping[str, str]
    names: Sequence[str]
    language: str
    facts: Mapping[str, Any]


def is_lewidi(data: bytes) -> bool:
    """Return whether a file is a JSON object with the annotations of items."""
    return bool(_ENTRIES.match(data) and _VOTES.search(data))


def read_lewidi(data: bytes, *, name: str) -> TableStream:
    """Return a table with one row per label and the columns item, annotator and label.

    Raises TableError with every error: text that is not JSON, or an item without annotations.
    """
    try:
        entries = json.loads(open_text(data, name=name).read(), parse_constant=refuse_constant)
    except json.JSONDecodeError as error:
        raise TableError(name, [Fault(error.lineno, None, f"the file is not valid JSON: {error.msg}")]) from error
    faults: list[Fault] = []
    rows: list[Row] = []
    for number, (item, entry) in enumerate(entries.items(), start=1):
        labels = entry.get("annotations") if isinstance(entry, dict) else None
        if not isinstance(labels, dict):
            faults.append(Fault(None, "annotations", f'{item} must have "annotations" with a label per annotator'))
            continue
        rows += [Row(number, {ITEM: item, ANNOTATOR: who, LABEL: str(label)}) for who, label in labels.items()]
    raise_faults(name, faults)
    return TableStream(name, list(COLUMNS), iter(rows))


def write_lewidi(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield a JSON object with one entry per item that has labels."""
    before = "{\n"
    for entry in entries:
        if not entry.labels:
            continue
        votes = Counter(entry.labels.values())
        value = {
            "annotation task": entry.task,
            "text": entry.text,
            "number of annotators": len(entry.labels),
            "annotators": ",".join(entry.labels),
            "number of annotations": len(entry.labels),
            "annotations": entry.labels,
            "soft_label": {label: votes[label] / len(entry.labels) for label in entry.names},
            "lang": entry.language,
            "other_info": entry.facts,
        }
        yield f"{before}{json.dumps(entry.item, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}"
        before = ",\n"
    yield "{}\n" if before == "{\n" else "\n}\n"
