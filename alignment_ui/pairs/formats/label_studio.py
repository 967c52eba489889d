"""The JSON format of Label Studio for word alignments: one task per sentence pair, with words and links.

    [{"data": {"id": "p1", "source": "A cat", "target": "Eine Katze"},
      "annotations": [{"result": [
        {"id": "s1", "from_name": "source-words", "to_name": "source", "type": "labels",
         "value": {"start": 2, "end": 5, "text": "cat", "labels": ["word"]}},
        …,
        {"type": "relation", "from_id": "s1", "to_id": "t1", "direction": "right", "labels": ["sure"]}]}]}]

Offsets count Unicode code points. Files from versions of Label Studio that counted UTF-16 code units can be read too,
because each region also contains its text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from alignment_ui.pairs.formats.corpus import Corpus, Ids, Links, SentencePair, Tokens, each_link, plural, sizes
from alignment_ui.pairs.formats.json_lists import objects
from alignment_ui.pairs.formats.tokens import split_tokens, token_fault
from annotate.exchange.cells import shorten
from annotate.exchange.faults import Fault, TableError, in_order

NAME = "label-studio"
SIDES = ("source", "target")
SURE, POSSIBLE = "sure", "possible"
# The settings of a Label Studio project that fit the exported tasks.
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


class Region(NamedTuple):
    """A marked part of a sentence: `side` is `source` or `target`, and `tokens` are the numbers of its words."""

    side: str
    tokens: tuple[int, ...]
    labels: tuple[str, ...]


class Relation(NamedTuple):
    """A labelled relation from a region of the source sentence to a region of the target sentence."""

    source: Region
    target: Region
    labels: tuple[str, ...]


def read_label_studio(data: bytes, *, name: str) -> Corpus:
    """Return the pairs in an export of Label Studio. A relation between regions of several words links each word of the
    source region with each word of the target region. Relations without a label are sure links.

    The first annotation of a task that was not skipped counts, or the first prediction if the task has no annotation.
    Raises TableError with every error.
    """
    faults: list[Fault] = []
    ids = Ids(faults)
    pairs, more = [], 0
    for line, task in objects(data, name, faults):
        facts = task.get("data")
        if not isinstance(facts, dict):
            faults.append(Fault(line, "data", 'a task must have "data" with "source" and "target"'))
            continue
        source, target = (_sentence(facts, side, line, faults) for side in SIDES)
        key = str(facts.get("id", task.get("id", ""))).strip() or None
        if key is not None:
            ids.add(key, line, "id")
        results, further = annotation_of(task)
        more += further
        links = Links(faults, sizes=sizes(source, target))
        for relation in relations_in(results, (source, target), line, faults):
            kind = _kind(relation.labels, line, faults)
            for i, j in product(relation.source.tokens, relation.target.tokens):
                links.add(i, j, possible=kind == POSSIBLE, line=line, column="labels")
        pairs.append(SentencePair(key, source, target, links.alignment(), line))
    if not pairs and not faults:
        faults.append(Fault(None, None, "the list contains no tasks"))
    if faults:
        raise TableError(name, in_order(faults))
    notes = [f"{plural(more, 'further annotation')} of the same tasks excluded"] if more else []
    return Corpus(name, NAME, "own" if all(pair.id for pair in pairs) else "none", pairs, notes)


def write_label_studio(pairs: Iterable[SentencePair]) -> Iterator[str]:
    """Yield JSON text with one task per pair. Every pair must include its sentences. A pair without an ID is numbered
    by its position, starting at 1.
    """
    yield "["
    for number, pair in enumerate(pairs, start=1):
        if pair.source is None or pair.target is None:
            raise ValueError(f"pair {number} has no sentences, which the Label Studio format requires")
        task = {
            "data": {"id": pair.id or str(number), "source": " ".join(pair.source), "target": " ".join(pair.target)},
            "annotations": [{"result": _results(pair, pair.source, pair.target)}],
        }
        yield ("," if number > 1 else "") + "\n" + json.dumps(task, ensure_ascii=False)
    yield "\n]\n"


def _results(pair: SentencePair, source: Tokens, target: Tokens) -> list[dict[str, Any]]:
    words = (sorted({i for i, _ in pair.alignment.links}), sorted({j for _, j in pair.alignment.links}))
    regions = [
        region(f"{side[0]}{token}", side, tokens, (token,), ["word"])
        for side, tokens, linked in zip(SIDES, (source, target), words, strict=True)
        for token in linked
    ]
    relations = [
        relation(f"s{i}", f"t{j}", [POSSIBLE if possible else SURE]) for i, j, possible in each_link(pair.alignment)
    ]
    return [*regions, *relations]


def region(key: str, side: str, tokens: Tokens, covered: Sequence[int], labels: Sequence[str]) -> dict[str, Any]:
    """Return a region over adjacent words in the form that Label Studio imports."""
    starts = offsets(tokens)
    start, end = starts[covered[0]], starts[covered[-1]] + len(tokens[covered[-1]])
    text = " ".join(tokens)[start:end]
    return {
        "id": key,
        "from_name": f"{side}-words",
        "to_name": side,
        "type": "labels",
        "value": {"start": start, "end": end, "text": text, "labels": list(labels)},
    }


def relation(source: str, target: str, labels: Sequence[str]) -> dict[str, Any]:
    """Return a relation between two regions in the form that Label Studio imports."""
    return {"type": "relation", "from_id": source, "to_id": target, "direction": "right", "labels": list(labels)}


def offsets(tokens: Tokens) -> list[int]:
    """Return the position of each token in the sentence, in code points."""
    places, place = [], 0
    for token in tokens:
        places.append(place)
        place += len(token) + 1
    return places


def annotation_of(task: Mapping[str, Any]) -> tuple[list[Any], int]:
    """Return the results of the annotation that counts, and the number of further annotations."""
    annotations = [each for each in _dicts(task.get("annotations")) if not each.get("was_cancelled")]
    chosen = annotations or _dicts(task.get("predictions"))[:1]
    return (_dicts(chosen[0].get("result")) if chosen else []), max(0, len(annotations) - 1)


def relations_in(
    results: Sequence[Any], sentences: tuple[Tokens, Tokens], line: int, faults: list[Fault]
) -> Iterator[Relation]:
    """Yield the relations between the two sentences. The direction of a relation does not matter. Invalid regions and
    relations are added to `faults`.
    """
    regions = {
        str(each.get("id")): found
        for each in results
        if each.get("type") == "labels" and (found := _region(each, sentences, line, faults))
    }
    for each in results:
        if each.get("type") != "relation":
            continue
        ends = [regions.get(str(each.get(key))) for key in ("from_id", "to_id")]
        if ends[0] is None or ends[1] is None:
            faults.append(Fault(line, "relation", "a relation begins or ends at a region that the task does not have"))
            continue
        by_side = {end.side: end for end in ends if end is not None}
        if len(by_side) < len(SIDES):
            faults.append(Fault(line, "relation", f"a relation connects two regions of the {ends[0].side} sentence"))
            continue
        labels = tuple(str(label) for label in each.get("labels") or ())
        yield Relation(by_side["source"], by_side["target"], labels)


def _region(
    result: Mapping[str, Any], sentences: tuple[Tokens, Tokens], line: int, faults: list[Fault]
) -> Region | None:
    side, value = result.get("to_name"), result.get("value")
    if side not in SIDES or not isinstance(value, dict):
        message = "a region must have a value and belong to the text “source” or “target”"
        faults.append(Fault(line, "to_name", message))
        return None
    tokens = sentences[SIDES.index(side)]
    place = _place(value, " ".join(tokens))
    starts = {start: number for number, start in enumerate(offsets(tokens))}
    ends = {start + len(tokens[number]): number for start, number in starts.items()}
    if place is None or place[0] not in starts or place[1] not in ends:
        shown = shorten(str(value.get("text", "")))
        message = f"the region “{shown}” of the {side} sentence does not begin and end with whole words"
        faults.append(Fault(line, "value", message))
        return None
    covered = tuple(range(starts[place[0]], ends[place[1]] + 1))
    return Region(side, covered, tuple(str(label) for label in value.get("labels") or ()))


def _place(value: Mapping[str, Any], sentence: str) -> tuple[int, int] | None:
    """Return the first and last offset of a region without the spaces at its ends, or None if the text of the region is
    neither at these code points nor at these UTF-16 code units.
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


def _kind(labels: Sequence[str], line: int, faults: list[Fault]) -> str:
    if unknown := [label for label in labels if label not in (SURE, POSSIBLE)] or labels[1:]:
        message = f"the labels of a relation must be “sure” or “possible”, not {shorten(', '.join(unknown))}"
        faults.append(Fault(line, "labels", message))
    return labels[0] if labels else SURE


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


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
