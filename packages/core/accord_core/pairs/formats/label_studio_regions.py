"""Sentence pairs with regions and relations in the JSON format of Label Studio, for words and for chunks.

Offsets count Unicode code points. Files from versions of Label Studio that counted UTF-16 code units can be read too,
because each region also contains its text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from accord_core.exchange.cells import shorten
from accord_core.exchange.faults import Fault
from accord_core.exchange.json_lists import objects
from accord_core.pairs.formats.corpus import Ids, Tokens
from accord_core.pairs.formats.tokens import split_tokens, token_fault

SIDES = ("source", "target")
Json = dict[str, Any]


class Task(NamedTuple):
    """A sentence pair with the results of the annotation that counts. `further` is the number of additional
    annotations, and `line` is the task's first line.
    """

    key: str | None
    source: Tokens
    target: Tokens
    results: list[Json]
    further: int
    line: int


class Region(NamedTuple):
    """A marked part of a sentence: `side` is `source` or `target`, and `tokens` are the numbers of its words."""

    side: str
    tokens: tuple[int, ...]
    labels: tuple[str, ...]


class Relation(NamedTuple):
    """A labelled relation between two regions of a task."""

    start: Region
    end: Region
    labels: tuple[str, ...]


def tasks_in(data: bytes, name: str, faults: list[Fault]) -> Iterator[Task]:
    """Yield the tasks in an export. Errors are added to `faults`.

    For each task, the first annotation that was not skipped counts. If the task has no annotation, its first prediction
    counts. Raises TableError if the file is not a list.
    """
    ids = Ids(faults)
    for line, task in objects(data, name, faults):
        facts = task.get("data")
        if not isinstance(facts, dict):
            faults.append(Fault(line, "data", 'a task must have "data" with "source" and "target"'))
            continue
        source, target = (_sentence(facts, side, line, faults) for side in SIDES)
        key = str(facts.get("id", task.get("id", ""))).strip() or None
        if key is not None:
            ids.add(key, line, "id")
        annotations = [each for each in dicts(task.get("annotations")) if not each.get("was_cancelled")]
        chosen = annotations or dicts(task.get("predictions"))[:1]
        results = dicts(chosen[0].get("result")) if chosen else []
        yield Task(key, source, target, results, max(0, len(annotations) - 1), line)


def regions_in(task: Task, faults: list[Fault]) -> dict[str, Region]:
    """Return a task's regions, by ID. Invalid regions are added to `faults`."""
    return {
        str(each.get("id")): region
        for each in task.results
        if each.get("type") == "labels" and (region := _region(each, task, faults))
    }


def relations_in(task: Task, regions: Mapping[str, Region], faults: list[Fault]) -> Iterator[Relation]:
    """Yield a task's relations. Relations without two regions are added to `faults`."""
    for each in task.results:
        if each.get("type") != "relation":
            continue
        start, end = (regions.get(str(each.get(key))) for key in ("from_id", "to_id"))
        if start is None or end is None:
            message = "a relation begins or ends at a region that the task does not have"
            faults.append(Fault(task.line, "relation", message))
            continue
        yield Relation(start, end, _labels(each, "relation", task.line, faults))


def task_json(key: str, source: Tokens, target: Tokens, results: Sequence[Json]) -> str:
    """Return a task with one annotation, in the form that Label Studio imports."""
    facts = {"id": key, "source": " ".join(source), "target": " ".join(target)}
    return json.dumps({"data": facts, "annotations": [{"result": list(results)}]}, ensure_ascii=False)


def region_json(key: str, name: str, side: str, tokens: Tokens, covered: Sequence[int], labels: Sequence[str]) -> Json:
    """Return a region over adjacent words, in the form that Label Studio imports. `name` is the name of the control in
    the labelling configuration.
    """
    starts = _offsets(tokens)
    start, end = starts[covered[0]], starts[covered[-1]] + len(tokens[covered[-1]])
    text = " ".join(tokens)[start:end]
    return {
        "id": key,
        "from_name": name,
        "to_name": side,
        "type": "labels",
        "value": {"start": start, "end": end, "text": text, "labels": list(labels)},
    }


def relation_json(start: str, end: str, labels: Sequence[str]) -> Json:
    """Return a relation between two regions, in the form that Label Studio imports."""
    return {"type": "relation", "from_id": start, "to_id": end, "direction": "right", "labels": list(labels)}


def json_list(objects_as_text: Iterator[str]) -> Iterator[str]:
    """Yield the text of a JSON list with one object per line."""
    yield "["
    for number, text in enumerate(objects_as_text):
        yield ("," if number else "") + "\n" + text
    yield "\n]\n"


def dicts(value: Any) -> list[Json]:
    """Return the objects in a value that should be a list of objects."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _region(result: Mapping[str, Any], task: Task, faults: list[Fault]) -> Region | None:
    side, value = result.get("to_name"), result.get("value")
    if side not in SIDES or not isinstance(value, dict):
        message = "a region must have a value and belong to the text “source” or “target”"
        faults.append(Fault(task.line, "to_name", message))
        return None
    tokens = task.source if side == "source" else task.target
    place = _place(value, " ".join(tokens))
    starts = {start: number for number, start in enumerate(_offsets(tokens))}
    ends = {start + len(tokens[number]): number for start, number in starts.items()}
    if place is None or place[0] not in starts or place[1] not in ends:
        shown = shorten(str(value.get("text", "")))
        message = f"the region “{shown}” of the {side} sentence does not begin and end with whole words"
        faults.append(Fault(task.line, "value", message))
        return None
    covered = tuple(range(starts[place[0]], ends[place[1]] + 1))
    return Region(side, covered, _labels(value, "region", task.line, faults))


def _labels(value: Mapping[str, Any], kind: str, line: int, faults: list[Fault]) -> tuple[str, ...]:
    """Return the labels of a region or relation. The list is empty if the labels are missing. `kind` names the labelled
    part in error messages.
    """
    labels = value.get("labels") or []
    if not isinstance(labels, list):
        faults.append(Fault(line, "labels", f"the labels of a {kind} must be a list, not {shorten(str(labels))}"))
        return ()
    return tuple(str(label) for label in labels)


def _place(value: Mapping[str, Any], sentence: str) -> tuple[int, int] | None:
    """Return the first and last offset of a region without surrounding spaces, or None if its text is neither at these
    code points nor at these UTF-16 code units.
    """
    start, end, text = value.get("start"), value.get("end"), value.get("text")
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start < end):
        return None
    if isinstance(text, str) and sentence[start:end] != text:
        units = sentence.encode("utf-16-le")
        before, marked = (
            part.decode("utf-16-le", "replace") for part in (units[: 2 * start], units[2 * start : 2 * end])
        )
        if marked != text:
            return None
        start, end = len(before), len(before) + len(marked)
    marked = sentence[start:end]
    return start + len(marked) - len(marked.lstrip(" ")), start + len(marked.rstrip(" "))


def _offsets(tokens: Tokens) -> list[int]:
    """Return the position of each token in the sentence, counted in code points."""
    places, place = [], 0
    for token in tokens:
        places.append(place)
        place += len(token) + 1
    return places


def _sentence(facts: Mapping[str, Any], side: str, line: int, faults: list[Fault]) -> Tokens:
    value = facts.get(side)
    if not isinstance(value, str):
        faults.append(Fault(line, side, "the value must be text in quotation marks"))
        return ()
    tokens = tuple(split_tokens(value))
    if fault := token_fault(tokens) or (
        "the words must have single spaces between" if " ".join(tokens) != value else ""
    ):
        faults.append(Fault(line, side, fault))
    return tokens
