"""Functions that pack the answers of a chunk alignment study into arrays for reports, and unpack them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from accord_core.chunks.numerics.aggregation import pair_f1
from accord_core.chunks.numerics.chunks import IstsPair
from accord_core.chunks.numerics.link_cells import AnnotatedPair
from accord_core.chunks.numerics.modelled import Modelled, modelled
from accord_core.exchange.arrays import Ints, int_array, json_array, read_json_array
from alignment_ui.chunks.answer import SIDES, to_pair
from annotate.tasktypes import Columns, StudyData, gather


class Asked(NamedTuple):
    """A sentence pair in a study's design. `decided` contains the researcher's decision, if any, and `initial` contains
    the chunks and links with which annotators started. In `initial`, all chunks without a link are NOALI or ALIC.
    `kept` states whether the researcher accepted all annotations instead. `number` is the pair's position in the order
    of import, and `metadata` contains the other columns of the pair's file.
    """

    ref: str
    dataset: str
    source: Sequence[str]
    target: Sequence[str]
    decided: IstsPair | None
    initial: IstsPair | None
    kept: bool = False
    number: int = 0
    metadata: Mapping[str, str] = {}

    @property
    def is_decided(self) -> bool:
        return self.kept or self.decided is not None


class GoldPair(NamedTuple):
    """A gold question with its expected annotation and the graded annotations, by annotator number."""

    expected: IstsPair
    initial: IstsPair | None
    answers: Mapping[int, IstsPair]


class Judgement(NamedTuple):
    """An answer that counts, with the indices of the sentence pair and the annotator. `round` is the adaptive round of
    the answer, or 0 for the design.
    """

    asked: int
    annotator: int
    pair: IstsPair
    seconds: float | None
    round: int = 0


class Graded(NamedTuple):
    annotator: int
    passed: bool
    f1: float


@dataclass(frozen=True)
class Collected:
    """The unpacked input for a report. Answers are sorted by submission time."""

    asked: list[Asked]
    names: list[str]
    judgements: list[Judgement]
    gold: list[Graded]
    gold_pairs: list[GoldPair]
    many_to_many: bool

    @cached_property
    def answers(self) -> dict[int, list[Judgement]]:
        by_pair: dict[int, list[Judgement]] = defaultdict(list)
        for judgement in self.judgements:
            by_pair[judgement.asked].append(judgement)
        return dict(sorted(by_pair.items()))

    @cached_property
    def design_answers(self) -> dict[int, list[Judgement]]:
        """Return the same answers without adaptive rounds, which ask again about disputed pairs and would therefore
        bias the agreement.
        """
        of_design = {
            place: [answer for answer in answers if not answer.round] for place, answers in self.answers.items()
        }
        return {place: answers for place, answers in of_design.items() if answers}

    @cached_property
    def compared(self) -> dict[int, list[tuple[Judgement, Judgement, float]]]:
        """Return every two answers of the design to the same sentence pair, with their F1 of type and score. Sentence
        pairs with only one answer are omitted.
        """
        return {
            place: [(one, other, pair_f1(one.pair, other.pair)) for one, other in combinations(answers, 2)]
            for place, answers in self.design_answers.items()
            if len(answers) > 1
        }

    @property
    def rounds(self) -> Ints:
        """Return the adaptive round (M,) of each judgement."""
        return int_array(judgement.round for judgement in self.judgements)

    @cached_property
    def final(self) -> dict[int, IstsPair]:
        """Return the final annotation of each pair that has one."""
        annotations = {
            place: final_annotation(asked.decided, [judgement.pair for judgement in self.answers.get(place, [])])
            for place, asked in enumerate(self.asked)
        }
        return {place: pair for place, pair in annotations.items() if pair is not None}

    @cached_property
    def annotated(self) -> list[AnnotatedPair]:
        """Return the annotations of each pair in the form that the model requires. Researchers' decisions count as the
        true annotations.
        """
        return [
            AnnotatedPair(
                {judgement.annotator: judgement.pair for judgement in self.answers.get(place, [])},
                asked.initial,
                asked.decided,
            )
            for place, asked in enumerate(self.asked)
        ]

    @cached_property
    def modelled(self) -> Modelled:
        """Estimate the annotators' error model from the study's annotations."""
        return modelled(self.annotated, len(self.names), many_to_many=self.many_to_many)

    def modelled_with_gold(self) -> Modelled:
        """Estimate the model from the study's pairs and its gold pairs. The expected annotations of gold pairs, which
        come last, count as the true annotations.
        """
        gold = [AnnotatedPair(each.answers, each.initial, each.expected) for each in self.gold_pairs]
        return modelled([*self.annotated, *gold], len(self.names), many_to_many=self.many_to_many)


def final_annotation(decided: IstsPair | None, annotations: Sequence[IstsPair]) -> IstsPair | None:
    """Return the researcher's decision or, if there is none, the annotation that agrees best with the others.

    Annotations are not merged, because chunks, types and scores depend on each other, and a merged annotation might be
    one that no annotator would make. If there are only two annotations, or if several annotations agree equally well,
    the first annotation is final. The result is None if the pair has no annotation.
    """
    if decided is not None or not annotations:
        return decided
    if len(annotations) < 3:
        return annotations[0]
    return max(annotations, key=lambda one: sum(pair_f1(one, other) for other in annotations if other is not one))


def columns(data: StudyData) -> Columns:
    """Pack the pairs, the counted answers and the graded gold answers into arrays. Answers are sorted by submission
    time.
    """
    options = data.facts["options"]
    metadata = {item.key: item.metadata for item in data.items}
    imported = {key: number for number, key in enumerate(metadata)}
    place = {question.ref: number for number, question in enumerate(data.questions)}
    gathered = gather(data)
    texts = {
        "asked": [
            {
                "ref": question.ref,
                "dataset": metadata[question.payload["item"]].get(options["dataset"], ""),
                "source": question.payload["source"],
                "target": question.payload["target"],
                "decided": _annotation(data.decisions.get(question.ref)),
                "initial": _initial(question.payload),
                "kept": question.ref in data.keep_both,
                "number": imported[question.payload["item"]],
                "metadata": _without(metadata[question.payload["item"]], options["dataset"]),
            }
            for question in data.questions
        ],
        "known": [
            {
                "ref": question.ref,
                "source": question.payload["source"],
                "target": question.payload["target"],
                "expected": _annotation(question.gold),
                "initial": _initial(question.payload),
            }
            for question in data.gold
        ],
        "gold": [{"ref": row.ref, "answer": _annotation(row.value)} for row in gathered.graded],
        "given": [_annotation(row.value) for row in gathered.judgements],
        "names": gathered.names,
    }
    return {
        "texts": json_array(texts),
        "many": np.array(bool(options["many"])),
        "judgements": np.array(int(data.facts["judgements"])),
        "round": int_array(row.round for row in gathered.judgements),
        **gathered.columns(place),
    }


def _without(metadata: Mapping[str, str], name: str) -> dict[str, str]:
    return {key: value for key, value in metadata.items() if key != name}


def collected(columns: Columns) -> Collected:
    """Unpack the arrays that `columns` returns."""
    texts = read_json_array(columns["texts"])
    asked = [
        Asked(
            one["ref"],
            one["dataset"],
            one["source"],
            one["target"],
            decided=_pair(one, one.get("decided")),
            initial=_pair(one, one.get("initial")),
            # These three were added after the first reports.
            kept=one.get("kept", False),
            number=one.get("number", 0),
            metadata=one.get("metadata", {}),
        )
        for one in texts["asked"]
    ]
    rows = columns["answers"].tolist()
    rounds = columns["round"].tolist() if "round" in columns else [0] * len(rows)  # added after the first reports
    judgements = []
    for (place, annotator), answer, seconds, number in zip(
        rows, texts["given"], columns["seconds"].tolist(), rounds, strict=True
    ):
        pair = to_pair(asked[place].ref, texts["asked"][place], answer)
        judgements.append(Judgement(place, annotator, pair, None if np.isnan(seconds) else seconds, number))
    gold = zip(columns["gold"].tolist(), columns["gold_f1"].tolist(), strict=True)
    return Collected(
        asked,
        texts["names"],
        judgements,
        [Graded(who, bool(passed), f1) for (who, passed), f1 in gold],
        _gold_pairs(texts, columns["gold"][:, 0].tolist()),
        bool(columns["many"]),
    )


def _gold_pairs(texts: Mapping[str, Any], annotators: Sequence[int]) -> list[GoldPair]:
    """Return the gold questions with their answers."""
    answers: dict[str, dict[int, Any]] = defaultdict(dict)
    for annotator, row in zip(annotators, texts["gold"], strict=True):
        if row["answer"] is not None:
            answers[row["ref"]][annotator] = row["answer"]
    pairs = []
    for one in texts["known"]:
        expected = _pair(one, one["expected"])
        if expected is not None:
            own = {annotator: to_pair(one["ref"], one, answer) for annotator, answer in answers[one["ref"]].items()}
            pairs.append(GoldPair(expected, _pair(one, one["initial"]), own))
    return pairs


def _initial(payload: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a question's initial annotation, with NOALI for unlinked chunks without a mark."""
    chunks = payload.get("chunks")
    if chunks is None:
        return None
    links, left = payload.get("links") or [], payload.get("left") or []
    used = {(side, link[side]) for link in links for side in SIDES} | {(one["side"], one["chunk"]) for one in left}
    rest = [
        {"side": side, "chunk": number, "type": "NOALI"}
        for side in SIDES
        for number in range(len(chunks[side]))
        if (side, number) not in used
    ]
    return {"chunks": chunks, "links": links, "left": [*left, *rest]}


def _annotation(value: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return the chunks and links of an answer without its log, or None for a missed gold question."""
    return {name: value[name] for name in ("chunks", "links", "left")} if value else None


def _pair(asked: Mapping[str, Any], answer: Mapping[str, Any] | None) -> IstsPair | None:
    return None if answer is None else to_pair(asked["ref"], asked, answer)
