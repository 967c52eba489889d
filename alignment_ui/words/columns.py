"""Functions that pack the answers of a word alignment study into arrays for reports, and unpack them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord_core.exchange.arrays import Ints, int_array, json_array, read_json_array
from accord_core.pairs.numerics.links import Alignment
from accord_core.words.numerics.agreement import AlignedPair
from accord_core.words.numerics.cells import AnnotatedPair
from accord_core.words.numerics.modelled import Modelled, modelled
from alignment_ui.words.answer import as_alignment
from alignment_ui.words.final import final_alignment
from alignment_ui.words.rounds import start_of
from annotate.tasktypes import Columns, StudyData, gather


class Pair(NamedTuple):
    """A sentence pair in a study's design. `shown` contains the initial links that the annotator saw. For a pair shown
    without initial links, `withheld` contains the links that annotators would otherwise have seen. `decided` is the
    alignment that a researcher chose. `kept` states whether a researcher accepted all alignments instead.
    """

    ref: str
    subcorpus: str
    source: Sequence[str]
    target: Sequence[str]
    shown: Alignment | None
    withheld: Alignment | None
    decided: Alignment | None
    kept: bool = False

    @property
    def is_decided(self) -> bool:
        return self.kept or self.decided is not None


class Judgement(NamedTuple):
    """An answer that counts, with the indices of the pair and the annotator. `operations` is the number of entries in
    the answer's log, and `round` is the adaptive round of the answer, or 0 for the design.
    """

    pair: int
    annotator: int
    alignment: Alignment
    seconds: float | None
    operations: int
    round: int = 0


class Graded(NamedTuple):
    annotator: int
    ref: str
    passed: bool
    f1: float


class GoldPair(NamedTuple):
    """A gold question with its expected alignment, and with answers and initial links by annotator."""

    source: Sequence[str]
    target: Sequence[str]
    expected: Alignment
    answers: Mapping[int, Alignment]
    starts: Mapping[int, Alignment | None]

    @property
    def start(self) -> Alignment | None:
        """Return the initial links that most annotators saw."""
        return Counter(self.starts.values()).most_common(1)[0][0] if self.starts else None


class Compared(NamedTuple):
    """Two answers to the same pair, sorted by annotator name."""

    pair: Pair
    first: Judgement
    second: Judgement

    def aligned(self, *, corrected: bool = True) -> AlignedPair:
        """Return both alignments. If agreement is corrected for chance, also return the initial links."""
        shown = self.pair.shown.links if corrected and self.pair.shown is not None else None
        return AlignedPair(self.pair.source, self.pair.target, self.first.alignment, self.second.alignment, shown)


@dataclass(frozen=True)
class Collected:
    """The unpacked input for a report. Answers are sorted by submission time."""

    pairs: list[Pair]
    names: list[str]
    judgements: list[Judgement]
    gold: list[Graded]
    gold_pairs: list[GoldPair]
    ignore_identical: bool
    order: Sequence[int]  # the places of the pairs in the order of their import

    @cached_property
    def answers(self) -> dict[int, list[Judgement]]:
        """Return the answers to each pair that has at least one answer, sorted by annotator."""
        by_pair: dict[int, list[Judgement]] = defaultdict(list)
        for judgement in sorted(self.judgements, key=lambda judgement: judgement.annotator):
            by_pair[judgement.pair].append(judgement)
        return dict(sorted(by_pair.items()))

    @cached_property
    def design_answers(self) -> dict[int, list[Judgement]]:
        """Return the same answers without adaptive rounds, which ask again about disputed pairs and would therefore
        bias the agreement.
        """
        of_design = {pair: [answer for answer in answers if not answer.round] for pair, answers in self.answers.items()}
        return {pair: answers for pair, answers in of_design.items() if answers}

    @cached_property
    def compared(self) -> list[Compared]:
        """Return every two answers of the design to the same pair."""
        return [
            Compared(self.pairs[pair], *two)
            for pair, answers in self.design_answers.items()
            for two in combinations(answers, 2)
        ]

    @property
    def interchangeable(self) -> bool:
        """Return whether more than two annotators are compared. The order of the two annotators of a pair, which is the
        order of their random pseudonyms, must then not affect any figure.
        """
        return len({answer.annotator for _, *two in self.compared for answer in two}) > 2

    @property
    def design_judgements(self) -> int:
        return sum(len(answers) for answers in self.design_answers.values())

    @property
    def rounds(self) -> Ints:
        """Return the adaptive round (M,) of each judgement."""
        return int_array(judgement.round for judgement in self.judgements)

    @cached_property
    def final(self) -> dict[int, Alignment]:
        """Return the final alignment of each pair that has one, in the order of their import."""
        alignments = {
            place: final_alignment(
                self.pairs[place].decided, [judgement.alignment for judgement in self.answers.get(place, [])]
            )
            for place in self.order
        }
        return {place: alignment for place, alignment in alignments.items() if alignment is not None}

    @property
    def annotated(self) -> list[AnnotatedPair]:
        """Return the pairs in the form that the annotator error model requires."""
        return [
            AnnotatedPair(
                pair.source,
                pair.target,
                {judgement.annotator: judgement.alignment for judgement in self.answers.get(place, [])},
                pair.shown,
                pair.decided,
            )
            for place, pair in enumerate(self.pairs)
        ]

    @cached_property
    def modelled(self) -> Modelled:
        """Return the annotator error model. Researchers' decisions count as the true alignments."""
        return modelled(self.annotated, len(self.names))

    def modelled_with_gold(self) -> Modelled:
        """Return the same model, estimated from the study's pairs and its gold pairs. The expected alignments of gold
        pairs, which come last, count as the true alignments.
        """
        gold = [
            AnnotatedPair(each.source, each.target, each.answers, each.start, each.expected) for each in self.gold_pairs
        ]
        return modelled([*self.annotated, *gold], len(self.names))

    @cached_property
    def subcorpora(self) -> list[str]:
        return sorted({pair.subcorpus for pair in self.pairs})


def columns(data: StudyData) -> Columns:
    """Pack the pairs, the counted answers and the graded gold answers into arrays. Answers are sorted by submission
    time.
    """
    options = data.facts["options"]
    metadata = {item.key: item.metadata for item in data.items}
    imported = {key: number for number, key in enumerate(metadata)}
    payloads = [question.payload for question in data.questions]
    refs = [question.ref for question in data.questions]
    place = {ref: number for number, ref in enumerate(refs)}
    gathered = gather(data)
    known = list(data.gold)
    texts = {
        "refs": refs,
        "order": sorted(range(len(refs)), key=lambda number: imported[payloads[number]["item"]]),
        "subcorpora": [metadata[payload["item"]].get(options["subcorpus"], "") for payload in payloads],
        "sources": [payload["source"] for payload in payloads],
        "targets": [payload["target"] for payload in payloads],
        "names": gathered.names,
        "gold": [row.ref for row in gathered.graded],
        "known": [[question.ref, question.payload["source"], question.payload["target"]] for question in known],
    }
    return {
        "texts": json_array(texts),
        "ignore_identical": np.array(bool(options["ignore_identical"])),
        "judgements": np.array(int(data.facts["judgements"])),
        "kept": np.array([ref in data.keep_both for ref in refs], dtype=np.bool_),
        "round": int_array(row.round for row in gathered.judgements),
        **_packed("shown", [_maybe(payload["prealignment"]) for payload in payloads]),
        **_packed("withheld", [_maybe(payload.get("withheld")) for payload in payloads]),
        **_packed("decided", [_maybe(data.decisions.get(ref)) for ref in refs]),
        **_packed("drawn", [as_alignment(row.value) for row in gathered.judgements]),
        **_packed("expected", [_maybe(question.gold) for question in known]),
        **_packed("gold_drawn", [_maybe(row.value) for row in gathered.graded]),
        **_packed("gold_shown", [_maybe(start_of(row.payload, row.shown)) for row in gathered.graded]),
        **gathered.columns(place, [len(row.value["log"]) for row in gathered.judgements]),
    }


def collected(columns: Columns) -> Collected:
    """Unpack the arrays that `columns` returns."""
    texts = read_json_array(columns["texts"])
    pairs = zip(
        texts["refs"],
        texts["subcorpora"],
        texts["sources"],
        texts["targets"],
        *(_unpacked(name, columns) for name in ("shown", "withheld", "decided")),
        columns["kept"].tolist()
        if "kept" in columns
        else [False] * len(texts["refs"]),  # added after the first reports
        strict=True,
    )
    rounds, drawn, seconds = columns["round"].tolist(), _unpacked("drawn", columns), columns["seconds"].tolist()
    rows = zip(columns["answers"].tolist(), drawn, seconds, rounds, strict=True)
    gold = zip(columns["gold"].tolist(), texts["gold"], columns["gold_f1"].tolist(), strict=True)
    return Collected(
        pairs=[Pair(*pair) for pair in pairs],
        names=texts["names"],
        judgements=[
            Judgement(pair, annotator, alignment or Alignment(), None if np.isnan(took) else took, operations, number)
            for (pair, annotator, operations), alignment, took, number in rows
        ],
        gold=[Graded(annotator, ref, bool(passed), f1) for (annotator, passed), ref, f1 in gold],
        gold_pairs=_gold_pairs(columns, texts),
        ignore_identical=bool(columns["ignore_identical"]),
        order=texts.get("order", range(len(texts["refs"]))),  # added after the first reports
    )


def _gold_pairs(columns: Columns, texts: Mapping[str, Any]) -> list[GoldPair]:
    """Return the gold questions, with the answers of annotators who have judgements."""
    judged = set(columns["answers"][:, 1].tolist())
    drawn, shown = (_unpacked(name, columns) for name in ("gold_drawn", "gold_shown"))
    answers: dict[str, dict[int, Alignment]] = defaultdict(dict)
    starts: dict[str, dict[int, Alignment | None]] = defaultdict(dict)
    graded = zip(columns["gold"][:, 0].tolist(), texts["gold"], drawn, shown, strict=True)
    for annotator, ref, alignment, start in graded:
        if annotator in judged and alignment is not None:
            answers[ref][annotator] = alignment
            starts[ref][annotator] = start
    return [
        GoldPair(source, target, expected or Alignment(), answers[ref], starts[ref])
        for (ref, source, target), expected in zip(texts["known"], _unpacked("expected", columns), strict=True)
    ]


def _maybe(value: Mapping[str, Any] | None) -> Alignment | None:
    return None if value is None else as_alignment(value)


def _packed(name: str, alignments: Sequence[Alignment | None]) -> Columns:
    """Pack alignments into two arrays: one that states whether each alignment exists, and one that contains the links
    as rows of (index, source, target, sure).
    """
    links = [
        (place, i, j, int((i, j) in alignment.sure))
        for place, alignment in enumerate(alignments)
        if alignment is not None
        for i, j in sorted(alignment.links)
    ]
    return {
        f"{name}_there": np.array([alignment is not None for alignment in alignments], dtype=np.bool_),
        f"{name}_links": np.array(links, dtype=np.int32).reshape(-1, 4),
    }


def _unpacked(name: str, columns: Columns) -> list[Alignment | None]:
    links: dict[int, list[list[int]]] = defaultdict(list)
    for row in _rows(columns[f"{name}_links"]):
        links[row[0]].append(row)
    return [
        Alignment.of(
            ((i, j) for _, i, j, sure in links[place] if sure), ((i, j) for _, i, j, sure in links[place] if not sure)
        )
        if there
        else None
        for place, there in enumerate(columns[f"{name}_there"].tolist())
    ]


def _rows(array: NDArray[Any]) -> Iterable[list[int]]:
    rows: list[list[int]] = array.tolist()
    return rows
