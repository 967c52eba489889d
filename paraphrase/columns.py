"""The input for paraphrase reports: arrays of votes and the texts that the reports show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord_core.exchange.arrays import float_array, int_array, json_array, read_json_array
from accord_core.numerics.labels import Ints, Labels
from annotate.tasktypes import AnswerRow, Columns, LabelSet, QuestionDraft, StudyData

Json = Any


def columns(data: StudyData) -> Columns:
    """Return the counted votes, the quality-control votes and the reviewers' decisions as arrays.

    Candidates are numbered consecutively over all questions, in the order of the design. `item_place` contains the
    place of each question's item among the study's items. A `pair` is a phrase with a paraphrase, regardless of case
    and sentence.
    """
    items = {item.key: item for item in data.items}
    item_places = {key: number for number, key in enumerate(items)}
    place = {question.ref: number for number, question in enumerate(data.questions)}
    gold_place = {question.ref: number for number, question in enumerate(data.gold)}
    names = sorted({row.pseudonym for row in data.answers})
    number = {name: n for n, name in enumerate(names)}
    counted = [row for row in data.answers if row.counts]
    graded = [row for row in data.answers if row.kind == "gold" and row.passed is not None and row.ref in gold_place]
    decided = [ref for ref in data.decisions if ref in place]
    domains = list(dict.fromkeys(items[question.payload["item"]].metadata["domain"] for question in data.questions))
    return {
        "answer_question": int_array(place[row.ref] for row in counted),
        "answer_annotator": int_array(number[row.pseudonym] for row in counted),
        "answer_seconds": float_array(row.seconds for row in counted),
        "answer_votes": _votes(row.value for row in counted),
        "answer_round": int_array(row.round for row in counted),
        "judgements": np.array(int(data.facts["judgements"])),
        "sizes": int_array(len(question.payload["paraphrases"]) for question in data.questions),
        "item_place": int_array(item_places[q.payload["item"]] for q in data.questions),
        "domain": int_array(domains.index(items[q.payload["item"]].metadata["domain"]) for q in data.questions),
        "pair": _pairs(data.questions, {key: item.content["phrase"] for key, item in items.items()}),
        "decided_question": int_array(place[ref] for ref in decided),
        "decided_votes": _votes(data.decisions[ref] for ref in decided),
        "kept_question": int_array(place[ref] for ref in data.keep_both if ref in place),
        **_quality_control(data.gold, graded, gold_place, number),
        "refs": json_array([question.ref for question in data.questions]),
        "domains": json_array(domains),
        "names": json_array(names),
        "options": json_array({name: data.facts["options"][name] for name in ("ties", "good_sentences")}),
    }


@dataclass(frozen=True, eq=False)
class Collected:
    """A study's stored arrays, in the form that reports use. `labels` contains the votes on C candidates, with 1 for a
    “yes” vote.

    `quality` contains the same annotators' votes on G quality-control candidates, and `expected` (G,) contains the
    expected votes. `question` and `domain` (C,) contain the question and the domain of each candidate. `decided` (C,)
    is 1 or 0 if a reviewer has decided, and −1 otherwise. `kept` (C,) states whether a reviewer accepted all answers,
    which leaves the label to the votes.
    """

    labels: Labels
    quality: Labels
    expected: Ints
    question: Ints
    domain: Ints
    pair: Ints
    decided: Ints
    kept: NDArray[np.bool_]
    names: list[str]
    domains: list[str]
    refs: list[str]
    item_places: list[int]
    quality_refs: list[str]
    options: Mapping[str, Json]


def design_labels(columns: Columns, data: Collected) -> Labels:
    """Return the design's votes without adaptive rounds, which ask for additional votes on disputed candidates and
    would make the agreement too high.
    """
    if not columns["answer_round"].any():
        return data.labels
    rows = np.repeat(columns["answer_round"] == 0, columns["sizes"][columns["answer_question"]])
    votes = data.labels
    return replace(votes, item=votes.item[rows], annotator=votes.annotator[rows], label=votes.label[rows])


def label_sets(columns: Columns) -> list[LabelSet]:
    """Return the votes of the design as labels of the candidates."""
    return [LabelSet("Votes", design_labels(columns, collected(columns)))]


def design_judgements(columns: Columns) -> int:
    """Return the number of judgements without adaptive rounds."""
    return int((columns["answer_round"] == 0).sum())


def collected(columns: Columns) -> Collected:
    """Expand the arrays so that each answer becomes one vote per candidate."""
    names: list[str] = read_json_array(columns["names"])
    sizes, offsets = columns["sizes"], _offsets(columns["sizes"])
    question = np.repeat(np.arange(len(sizes)), sizes)
    decided = np.full(int(sizes.sum()), -1, dtype=np.int64)
    decided[_unfold(columns["decided_question"], sizes, offsets)] = columns["decided_votes"]
    kept_questions = columns.get("kept_question", int_array([]))  # added after the first reports
    return Collected(
        labels=_labels(columns, "answer", sizes, len(names)),
        quality=_labels(columns, "gold", columns["gold_sizes"], len(names)),
        expected=columns["gold_expected"].astype(np.int64),
        question=question,
        domain=columns["domain"][question],
        pair=columns["pair"],
        decided=decided,
        kept=np.isin(question, kept_questions),
        names=names,
        domains=read_json_array(columns["domains"]),
        refs=read_json_array(columns["refs"]),
        item_places=columns.get("item_place", int_array([])).tolist(),  # added after the first reports
        quality_refs=read_json_array(columns["gold_refs"]),
        options=read_json_array(columns["options"]),
    )


def _labels(columns: Columns, kind: str, sizes: Ints, annotators: int) -> Labels:
    question = columns[f"{kind}_question"]
    return Labels(
        item=_unfold(question, sizes, _offsets(sizes)),
        annotator=np.repeat(columns[f"{kind}_annotator"], sizes[question]),
        label=columns[f"{kind}_votes"].astype(np.int64),
        n_items=int(sizes.sum()),
        n_annotators=annotators,
        n_labels=2,
    )


def _unfold(questions: Ints, sizes: Ints, offsets: Ints) -> Ints:
    """Return the candidate numbers for all questions, in question order."""
    many = sizes[questions]
    within = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
    unfolded: Ints = np.repeat(offsets[questions], many) + within
    return unfolded


def _offsets(sizes: Ints) -> Ints:
    offsets: Ints = np.cumsum(sizes) - sizes
    return offsets


def _quality_control(
    gold: Sequence[QuestionDraft], graded: Sequence[AnswerRow], place: Mapping[str, int], number: Mapping[str, int]
) -> Columns:
    return {
        "gold_question": int_array(place[row.ref] for row in graded),
        "gold_annotator": int_array(number[row.pseudonym] for row in graded),
        "gold_passed": int_array(bool(row.passed) for row in graded),
        "gold_votes": _votes(row.value for row in graded),
        "gold_sizes": int_array(len(question.gold["votes"]) for question in gold),
        "gold_expected": _votes(question.gold for question in gold),
        "gold_refs": json_array([question.ref for question in gold]),
    }


def _pairs(questions: Sequence[QuestionDraft], phrases: Mapping[str, str]) -> Ints:
    """Number the candidates in all questions. Candidates with the same phrase and paraphrase get the same number."""
    numbers: dict[tuple[str, str], int] = {}
    pair_numbers = []
    for question in questions:
        phrase = phrases[question.payload["item"]].casefold()
        pair_numbers += [
            numbers.setdefault((phrase, text.casefold()), len(numbers)) for text in question.payload["paraphrases"]
        ]
    return np.array(pair_numbers, dtype=np.int64)


def _votes(values: Iterable[Json]) -> NDArray[np.uint8]:
    return np.fromiter((vote for value in values for vote in value["votes"]), dtype=np.uint8)
