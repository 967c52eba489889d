"""What a report on chunk alignment is computed from: a study's answers as arrays, and read from them again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from alignment_ui.chunks.answer import to_pair
from alignment_ui.chunks.numerics.chunks import IstsPair
from alignment_ui.chunks.numerics.scores import MEASURES, ists_scores
from annotate.exchange.arrays import json_array, read_json_array
from annotate.tasktypes import Columns, StudyData, gather


class Asked(NamedTuple):
    """A sentence pair that is asked about; `decided` is a researcher's word."""

    ref: str
    dataset: str
    source: Sequence[str]
    target: Sequence[str]
    decided: IstsPair | None


class Given(NamedTuple):
    """An answer that counts: to which pair and by whom, both by their places."""

    asked: int
    annotator: int
    pair: IstsPair
    seconds: float | None


class Graded(NamedTuple):
    annotator: int
    passed: bool
    f1: float


@dataclass(frozen=True)
class Collected:
    """Everything a report may speak of; answers in the order in which they were given."""

    asked: list[Asked]
    names: list[str]
    given: list[Given]
    gold: list[Graded]
    many_to_many: bool

    @cached_property
    def answers(self) -> dict[int, list[Given]]:
        found: dict[int, list[Given]] = defaultdict(list)
        for given in self.given:
            found[given.asked].append(given)
        return dict(sorted(found.items()))

    @cached_property
    def compared(self) -> dict[int, list[tuple[Given, Given, float]]]:
        """Every two answers to a pair, with their F1 of type and score; no entry for pairs answered once."""
        return {
            place: [(one, other, pair_f1(one.pair, other.pair)) for one, other in combinations(answers, 2)]
            for place, answers in self.answers.items()
            if len(answers) > 1
        }

    @cached_property
    def final(self) -> dict[int, IstsPair]:
        """The final annotation of each pair that has one."""
        found = {
            place: final_annotation(asked.decided, [given.pair for given in self.answers.get(place, [])])
            for place, asked in enumerate(self.asked)
        }
        return {place: pair for place, pair in found.items() if pair is not None}


def final_annotation(decided: IstsPair | None, given: Sequence[IstsPair]) -> IstsPair | None:
    """A decision stands. Of several annotations the one that is closest to the others: mean F1 of type and score.

    Chunks, types and scores hang together, so that a mixture of annotations might be one that nobody would give. Of
    annotations that are equally close, two for instance, the first given. None where nobody has annotated the pair.
    """
    if decided is not None or not given:
        return decided
    if len(given) < 3:
        return given[0]
    return max(given, key=lambda one: sum(pair_f1(one, other) for other in given if other is not one))


def pair_f1(one: IstsPair, other: IstsPair) -> float:
    """Return F1 of type and score of two annotations of one pair, or 1 if neither has links."""
    if not any(link.source and link.target for link in (*one.links, *other.links)):
        return 1.0
    return ists_scores([one], [other]).total.figures(MEASURES[-1]).f1


def columns(data: StudyData) -> Columns:
    """Arrays of the pairs, of the answers that count in the order in which they were given, and of gold."""
    options = data.facts["options"]
    metadata = {item.key: item.metadata for item in data.items}
    place = {question.ref: number for number, question in enumerate(data.questions)}
    gathered = gather(data)
    texts = {
        "asked": [
            {
                "ref": question.ref,
                "dataset": metadata[question.payload["item"]].get(options["dataset"], ""),
                "source": question.payload["source"],
                "target": question.payload["target"],
                "decided": _said(data.decisions.get(question.ref)),
            }
            for question in data.questions
        ],
        "given": [_said(row.value) for row in gathered.judgements],
        "names": gathered.names,
    }
    return {
        "texts": json_array(texts),
        "many": np.array(bool(options["many"])),
        **gathered.columns(place),
    }


def collected(columns: Columns) -> Collected:
    """The inverse of `columns`."""
    texts = read_json_array(columns["texts"])
    asked = [
        Asked(one["ref"], one["dataset"], one["source"], one["target"], _pair(one, one["decided"]))
        for one in texts["asked"]
    ]
    given = []
    for (place, annotator), said, seconds in zip(
        columns["answers"].tolist(), texts["given"], columns["seconds"].tolist(), strict=True
    ):
        pair = to_pair(asked[place].ref, texts["asked"][place], said)
        given.append(Given(place, annotator, pair, None if np.isnan(seconds) else seconds))
    gold = zip(columns["gold"].tolist(), columns["gold_f1"].tolist(), strict=True)
    return Collected(
        asked, texts["names"], given, [Graded(who, bool(passed), f1) for (who, passed), f1 in gold],
        bool(columns["many"]),
    )  # fmt: skip


def _said(value: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """What an answer says, without how it came about."""
    return None if value is None else {name: value[name] for name in ("chunks", "links", "left")}


def _pair(asked: Mapping[str, Any], said: Mapping[str, Any] | None) -> IstsPair | None:
    return None if said is None else to_pair(asked["ref"], asked, said)
