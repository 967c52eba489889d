"""The JSON format of Label Studio for chunk alignments: one task per sentence pair, with chunks and typed links.

    [{"data": {"id": "p1", "source": "A cat sleeps", "target": "It slept"}, "annotations": [{"result": [
      {"id": "r1", "from_name": "source-chunks", "to_name": "source", "type": "labels",
       "value": {"start": 0, "end": 5, "text": "A cat", "labels": ["chunk"]}},
      …,
      {"type": "relation", "from_id": "r1", "to_id": "r3", "direction": "right", "labels": ["SPE1", "4"]}]}]}]

Relations have no fields in Label Studio, so the type, the flags and the score of a link are labels of the relation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import quoteattr

from accord_core.chunks.formats.regions import CHUNK, SAME, SIDES, Region, Relation, links_of, regions_of
from accord_core.chunks.numerics.chunks import FLAGS, RELATIONS, TOP_SCORE, UNLINKED, IstsPair
from accord_core.exchange.faults import Fault, raise_faults
from accord_core.pairs.formats.label_studio_regions import (
    json_list,
    region_json,
    regions_in,
    relation_json,
    relations_in,
    task_json,
    tasks_in,
)

NAME = "label-studio"


def read_label_studio(data: bytes, *, name: str) -> tuple[list[IstsPair], int]:
    """Return the pairs in a Label Studio export, and the number of additional annotations that were excluded.

    For each task, the first annotation that was not skipped counts. If the task has no annotation, its first prediction
    counts. A pair without an ID is numbered by its position, starting at 1. Raises TableError with every error.
    """
    faults: list[Fault] = []
    pairs, further = [], 0
    for number, task in enumerate(tasks_in(data, name, faults), start=1):
        further += task.further
        marked = regions_in(task, faults)
        place = {id(region): position for position, region in enumerate(marked.values())}
        regions = [Region(each.side, each.tokens, each.labels or (CHUNK,), task.line) for each in marked.values()]
        relations = [
            Relation(place[id(each.start)], place[id(each.end)], each.labels, task.line)
            for each in relations_in(task, marked, faults)
        ]
        links = links_of(regions, relations, faults, column="labels")
        pairs.append(IstsPair(task.key or str(number), task.source, task.target, links, line=task.line))
    if not pairs and not faults:
        faults.append(Fault(None, None, "the list contains no tasks"))
    raise_faults(name, faults)
    return pairs, further


def write_label_studio(pairs: Iterable[IstsPair]) -> Iterator[str]:
    """Yield JSON text that contains one task per pair. Comments and the status of pairs are not written."""
    return json_list(_task(pair) for pair in pairs)


def label_studio_config() -> str:
    """Return the labelling configuration of a Label Studio project for the exported tasks."""
    links = [*RELATIONS, *FLAGS, *map(str, range(TOP_SCORE + 1)), SAME]
    lines = ["  <Relations>", *(f"    <Relation value={quoteattr(label)} />" for label in links), "  </Relations>"]
    for side in SIDES:
        chunks = [f"    <Label value={quoteattr(label)} />" for label in (CHUNK, *UNLINKED)]
        lines += [f'  <Labels name="{side}-chunks" toName="{side}">', *chunks, "  </Labels>"]
        lines.append(f'  <Text name="{side}" value="${side}" granularity="word" />')
    return "\n".join(["<View>", *lines, "</View>", ""])


def _task(pair: IstsPair) -> str:
    regions, relations = regions_of(pair)
    results = [
        region_json(f"r{number}", f"{each.side}-chunks", each.side, getattr(pair, each.side), each.tokens, each.labels)
        for number, each in enumerate(regions, start=1)
    ]
    results += [relation_json(f"r{each.start + 1}", f"r{each.end + 1}", each.labels) for each in relations]
    return task_json(pair.id, pair.source, pair.target, results)
