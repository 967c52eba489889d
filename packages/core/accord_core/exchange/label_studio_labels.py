"""Labels in Label Studio's JSON format: one task per item, and one annotation with a choice per annotator.

[{"data": {"item": "p1", "text": "The shop opens at nine."}, "annotations": [
  {"completed_by": {"email": "ann"}, "result": [
    {"from_name": "label", "to_name": "text", "type": "choices", "value": {"choices": ["yes"]}}]}]}]
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from xml.sax.saxutils import quoteattr

from accord_core.exchange.encoding import as_utf8
from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.json_lists import is_task_list, objects
from accord_core.exchange.lewidi import is_lewidi, read_lewidi
from accord_core.exchange.tables import Limits, Row, TableStream, iter_table

ITEM, ANNOTATOR, LABEL = "item", "annotator", "label"
TEXT = "text"
Json = dict[str, Any]


class LabelledItem(NamedTuple):
    """An item with each annotator's label. `facts` contains the texts that annotators see."""

    item: str
    facts: Mapping[str, str]
    labels: Sequence[tuple[str, str]]


def label_table(data: bytes, *, name: str) -> TableStream:
    """Return the rows of a label file: CSV, JSON Lines, Label Studio or LeWiDi. Raises TableError."""
    data = as_utf8(data, name=name)
    if is_task_list(data):
        return read_label_studio_labels(data, name=name)
    if is_lewidi(data):
        return read_lewidi(data, name=name)
    return iter_table(data, name=name, limits=Limits())


def read_label_studio_labels(data: bytes, *, name: str) -> TableStream:
    """Return a table with one row for each annotation that was not skipped.

    The table has the columns item, annotator, one column for each control with choices or ratings, and the texts of the
    task. If the tasks have only one control, its column is `label`. The item is `item` or `id` in the data of a task,
    or the ID of the task. Predictions are ignored. Raises TableError with every error: a task without data, an
    annotation without an annotator, or several choices in one control.
    """
    faults: list[Fault] = []
    rows: list[tuple[int, dict[str, str], dict[str, str]]] = []
    for line, task in objects(data, name, faults, of="tasks", example='{"data": …, "annotations": …}'):
        facts = task.get("data")
        if not isinstance(facts, dict):
            faults.append(Fault(line, "data", 'a task must have "data"'))
            continue
        item = str(facts.get(ITEM, facts.get("id", task.get("id", "")))).strip()
        texts = {key: value for key, value in facts.items() if isinstance(value, str) and key != ITEM}
        for annotation in _dicts(task.get("annotations")):
            if not annotation.get("was_cancelled"):
                who = _annotator(annotation.get("completed_by"))
                if not who:
                    faults.append(Fault(line, "completed_by", "an annotation must have the annotator in completed_by"))
                answers = dict(_answers(annotation, line, faults))
                rows.append((line, {**texts, ITEM: item, ANNOTATOR: who}, answers))
    controls = list(dict.fromkeys(control for *_, answers in rows for control in answers))
    if not controls and not faults:
        faults.append(Fault(None, None, "the tasks have no annotations with choices or ratings"))
    raise_faults(name, faults)
    titles = {control: LABEL if len(controls) == 1 else control for control in controls}
    columns = list(dict.fromkeys([ITEM, ANNOTATOR, *titles.values(), *(key for _, known, _ in rows for key in known)]))
    table = (
        Row(line, known | {title: answers.get(control, "") for control, title in titles.items()})
        for line, known, answers in rows
    )
    return TableStream(name, columns, table)


def write_label_studio_labels(items: Iterable[LabelledItem]) -> Iterator[str]:
    """Yield JSON text with one task per item. Each annotator is identified by the e-mail address in `completed_by`,
    because Label Studio uses this address to find annotators.
    """
    yield "["
    for number, (item, facts, labels) in enumerate(items):
        annotations = [
            {
                "completed_by": {"email": annotator},
                "result": [
                    {"from_name": LABEL, "to_name": TEXT, "type": "choices", "value": {"choices": [label]}},
                ],
            }
            for annotator, label in labels
        ]
        task = {"data": {ITEM: item, **facts}, "annotations": annotations}
        yield ("," if number else "") + "\n" + json.dumps(task, ensure_ascii=False)
    yield "\n]\n"


def label_studio_label_config(names: Iterable[str], *, further: Sequence[str] = ()) -> str:
    """Return the labelling configuration of a Label Studio project for these tasks. `names` contains the labels, and
    `further` contains texts that annotators see in addition to `text`.
    """
    lines = [f"  <Text name={quoteattr(text)} value={quoteattr('$' + text)} />" for text in (TEXT, *further)]
    lines.append(f'  <Choices name="{LABEL}" toName="{TEXT}" choice="single">')
    lines += [f"    <Choice value={quoteattr(name)} />" for name in names]
    return "\n".join(["<View>", *lines, "  </Choices>", "</View>", ""])


def _annotator(value: Any) -> str:
    """Return the annotator in `completed_by`: either a number or an object in Label Studio."""
    if isinstance(value, dict):
        value = next((value[key] for key in ("email", "username", "id") if value.get(key) not in (None, "")), "")
    return "" if value is None else str(value).strip()


def _answers(annotation: Mapping[str, Any], line: int, faults: list[Fault]) -> Iterator[tuple[str, str]]:
    """Yield each control's name and label."""
    for result in _dicts(annotation.get("result")):
        value = result.get("value")
        if not isinstance(value, dict):
            continue
        if result.get("type") == "rating":
            yield str(result.get("from_name")), str(value.get("rating", ""))
        elif result.get("type") == "choices":
            choices = value.get("choices")
            chosen = [str(choice) for choice in choices] if isinstance(choices, list) else []
            if len(chosen) > 1:
                message = f"an annotation has the choices {', '.join(chosen)}, but an item can have one label"
                faults.append(Fault(line, "choices", message))
            yield str(result.get("from_name")), chosen[0] if chosen else ""


def _dicts(value: Any) -> list[Json]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
