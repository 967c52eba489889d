"""The JSON format of Label Studio for word alignments, which has one task per sentence pair, with words and links.

[{"data": {"id": "p1", "source": "A cat", "target": "Eine Katze"},
  "annotations": [{"result": [
    {"id": "s1", "from_name": "source-words", "to_name": "source", "type": "labels",
     "value": {"start": 2, "end": 5, "text": "cat", "labels": ["word"]}},
    …,
    {"type": "relation", "from_id": "s1", "to_id": "t1", "direction": "right", "labels": ["sure"]}]}]}]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from accord_core.exchange.cells import shorten
from accord_core.exchange.faults import Fault, raise_faults
from accord_core.numerics.printed import with_noun
from accord_core.pairs.formats.corpus import Corpus, Links, SentencePair, Tokens, each_link, sizes
from accord_core.pairs.formats.label_studio_regions import (
    SIDES,
    Json,
    json_list,
    region_json,
    regions_in,
    relation_json,
    relations_in,
    task_json,
    tasks_in,
)

NAME = "label-studio"
SURE, POSSIBLE = "sure", "possible"
# The labelling configuration of a Label Studio project for the exported tasks.
CONFIG = """<View>
  <Relations>
    <Relation value="sure" />
    <Relation value="possible" />
  </Relations>
  <Labels name="source-words" toName="source">
    <Label value="word" />
  </Labels>
  <Text name="source" value="$source" granularity="word" />
  <Labels name="target-words" toName="target">
    <Label value="word" />
  </Labels>
  <Text name="target" value="$target" granularity="word" />
</View>
"""


def read_label_studio(data: bytes, *, name: str) -> Corpus:
    """Return the pairs in a Label Studio export. A relation between multi-word regions links each word of the source
    region with each word of the target region. Relations without a label are sure links, and their direction does not
    matter.

    For each task, the first annotation that was not skipped counts. If the task has no annotation, its first prediction
    counts. Raises TableError with every error.
    """
    faults: list[Fault] = []
    pairs, more = [], 0
    for task in tasks_in(data, name, faults):
        more += task.further
        links = Links(faults, sizes=sizes(task.source, task.target))
        for start, end, labels in relations_in(task, regions_in(task, faults), faults):
            if start.side == end.side:
                message = f"a relation connects two regions of the {start.side} sentence"
                faults.append(Fault(task.line, "relation", message))
                continue
            kind = _kind(labels, task.line, faults)
            source, target = (start, end) if start.side == "source" else (end, start)
            for i, j in product(source.tokens, target.tokens):
                links.add(i, j, possible=kind == POSSIBLE, line=task.line, column="labels")
        pairs.append(SentencePair(task.key, task.source, task.target, links.alignment(), task.line))
    if not pairs and not faults:
        faults.append(Fault(None, None, "the list contains no tasks"))
    raise_faults(name, faults)
    notes = [f"{with_noun(more, 'further annotation')} of the same tasks excluded"] if more else []
    return Corpus(name, NAME, "own" if all(pair.id for pair in pairs) else "none", pairs, notes)


def write_label_studio(pairs: Iterable[SentencePair]) -> Iterator[str]:
    """Yield JSON text that contains one task per pair. Every pair must include its sentences. A pair without an ID is
    numbered by its position, starting at 1.
    """
    return json_list(_task(number, pair) for number, pair in enumerate(pairs, start=1))


def _task(number: int, pair: SentencePair) -> str:
    if pair.source is None or pair.target is None:
        raise ValueError(f"pair {number} has no sentences, which the Label Studio format requires")
    return task_json(pair.id or str(number), pair.source, pair.target, _results(pair, pair.source, pair.target))


def _results(pair: SentencePair, source: Tokens, target: Tokens) -> list[Json]:
    words = (sorted({i for i, _ in pair.alignment.links}), sorted({j for _, j in pair.alignment.links}))
    regions = [
        region_json(f"{side[0]}{token}", f"{side}-words", side, tokens, (token,), ["word"])
        for side, tokens, linked in zip(SIDES, (source, target), words, strict=True)
        for token in linked
    ]
    relations = [
        relation_json(f"s{i}", f"t{j}", [POSSIBLE if possible else SURE])
        for i, j, possible in each_link(pair.alignment)
    ]
    return [*regions, *relations]


def _kind(labels: Sequence[str], line: int, faults: list[Fault]) -> str:
    if unknown := [label for label in labels if label not in (SURE, POSSIBLE)] or labels[1:]:
        message = f"the labels of a relation must be “sure” or “possible”, not {shorten(', '.join(unknown))}"
        faults.append(Fault(line, "labels", message))
    return labels[0] if labels else SURE
