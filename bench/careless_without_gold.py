"""Careless annotators without gold questions: how many annotators who answer at random are flagged, and how many
careful annotators are flagged by mistake.

    python -m bench.careless_without_gold [STUDIES]

All annotators are simulated. In each study, six of 60 annotators answer every question at random, and six answer every
fifth question at random. Sentences and true answers come from the demonstration studies, repeated as often as needed.
"""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from alignment_ui.chunks import columns as chunk_columns
from alignment_ui.chunks.people import people as chunk_people
from alignment_ui.chunks.tasktype import Chunks
from alignment_ui.words import columns as word_columns
from alignment_ui.words.people import people as word_people
from alignment_ui.words.tasktype import Words
from annotate.tasktypes import AnswerRow, Columns, ItemDraft, Person, QuestionDraft, StudyData, TaskType
from bws.annotator_model import AnnotatorModel
from bws.people import annotator_figures as best_worst_people
from bws.report import judgements_of
from bws.tasktype import BestWorstScaling
from paraphrase import columns as vote_columns
from paraphrase.people import annotator_figures as paraphrase_people
from paraphrase.tasktype import ParaphraseInContext

STUDIES = 10
ANNOTATORS, CARELESS, WEAK = 60, 6, 6
FIFTH = 0.2
ANSWERS = (10, 20, 30, 50)
EXAMPLES = Path(__file__).parent.parent / "examples"
NOON = datetime(2026, 11, 2, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Kind:
    """A kind of annotation: its demonstration study, the number of judgements per question, and the function that
    returns the figures of the annotators.
    """

    name: str
    task: TaskType
    example: str
    truth: str
    judgements: int
    options: Mapping[str, Any]
    people: Callable[[Columns], list[Person]]


def main() -> None:
    studies = int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES
    print(f"{studies} studies of {ANNOTATORS} annotators for each row; share of annotators with a flag")
    print("kind                     answers   random  one in five random   careful")
    for kind in kinds():
        started = time.perf_counter()
        for answers in ANSWERS:
            flagged = np.zeros(3, dtype=int)
            for seed in range(studies):
                flagged += flags_in_one_study(kind, answers, seed)
            careful = ANNOTATORS - CARELESS - WEAK
            random, weak, wrong = flagged / studies / np.array([CARELESS, WEAK, careful])
            print(f"{kind.name:<24} {answers:>7}   {random:>6.1%}  {weak:>18.1%}   {wrong:>7.2%}", flush=True)
        print(f"  {time.perf_counter() - started:.0f} s")


def kinds() -> list[Kind]:
    def paraphrases(columns: Columns) -> list[Person]:
        return paraphrase_people(columns, vote_columns.collected(columns), None)

    def best_worst(columns: Columns) -> list[Person]:
        judgements = judgements_of(columns)
        names = [name_of(n) for n in range(ANNOTATORS)]
        return best_worst_people(columns, judgements, names, 1, AnnotatorModel(judgements, 1))

    without_links = {"prealign": "none", "double": -1}
    return [
        Kind("best–worst", BestWorstScaling(), "relatedness", "relatedness", 3, {}, best_worst),
        Kind("paraphrase in context", ParaphraseInContext(), "paraphrase", "share_good", 5, {}, paraphrases),
        Kind(
            "word alignment",
            Words(),
            "alignment",
            "alignment",
            2,
            without_links,
            lambda columns: word_people(word_columns.collected(columns)),
        ),
        Kind(
            "chunk alignment",
            Chunks(),
            "chunks",
            "links",
            3,
            {"begin": "chunks"},
            lambda columns: chunk_people(chunk_columns.collected(columns)),
        ),
    ]


def flags_in_one_study(kind: Kind, answers: int, seed: int) -> Any:
    """Return the numbers of flagged annotators among those who answer at random, who answer every fifth question at
    random, and who are careful.
    """
    people = {person.pseudonym: person for person in kind.people(kind.task.reports.columns(study(kind, answers, seed)))}
    flagged = [bool(people[name_of(number)].flags) for number in range(ANNOTATORS)]
    return np.array([sum(flagged[:CARELESS]), sum(flagged[CARELESS:][:WEAK]), sum(flagged[CARELESS + WEAK :])])


def study(kind: Kind, answers: int, seed: int) -> StudyData:
    """Return a study in which each annotator has given `answers` answers, and each question has all its judgements."""
    generator = np.random.default_rng([seed, answers, 7])
    options = kind.task.clean_options(kind.options)
    items, truth = items_of(kind, options, -(-ANNOTATORS * answers // kind.judgements))
    questions = kind.task.build_questions(items, options, seed, lambda share, text: None).questions
    rows = []
    for number, chosen in enumerate(shares(len(questions), answers, kind.judgements, generator)):
        for place in chosen:
            careless = number < CARELESS or (number < CARELESS + WEAK and generator.random() < FIFTH)
            rows.append(answer(kind, questions[place], options, truth, number, careless, generator))
    return StudyData({"options": options, "judgements": kind.judgements}, items, questions, [], rows)


def items_of(kind: Kind, options: Mapping[str, Any], questions: int) -> tuple[list[ItemDraft], dict[str, Any]]:
    """Return the items of the demonstration study, repeated until there are enough for the number of questions."""
    folder = EXAMPLES / kind.example
    file = next(path for path in folder.iterdir() if path.stem == "items")
    limits = {"rows": 10_000, "bytes": 10_000_000, "cell": 10_000}
    read = kind.task.read_items(file.read_bytes(), file.name, options, limits)
    usable = [item for item in read.items if not item.held_out]
    with (folder / "truth.csv").open(newline="", encoding="utf-8") as lines:
        rows = list(csv.reader(lines))[1:]
    truths = {key: float(value) if is_number(value) else value for key, value in rows}
    needed = questions // 2 if kind.example == "relatedness" else questions
    copies = range(-(-needed // len(usable)))
    items = [replace(item, key=f"{item.key}~{copy}") for copy in copies for item in usable][:needed]
    return items, {item.key: truths[item.key.partition("~")[0]] for item in items}


def shares(questions: int, answers: int, judgements: int, generator: Any) -> list[list[int]]:
    """Deal the questions to the annotators, so that each annotator has different questions."""
    chosen: list[list[int]] = []
    left = np.full(questions, judgements)
    for _ in range(ANNOTATORS):
        weights = left + generator.random(questions) * 0.9
        own = np.argsort(-weights, kind="stable")[:answers]
        left[own] -= 1
        chosen.append(own.tolist())
    return chosen


def answer(
    kind: Kind,
    question: QuestionDraft,
    options: Mapping[str, Any],
    truth: Mapping[str, Any],
    number: int,
    careless: bool,
    generator: Any,
) -> AnswerRow:
    shown = kind.task.shuffle(question.payload, generator)
    known = {key: truth[key] for key in kind.task.item_keys(question.payload)}
    raw = kind.task.simulate(question.payload, shown, known, options, careless, generator)
    return AnswerRow(
        ref=question.ref,
        kind="regular",
        value=kind.task.clean(question.payload, shown, raw, options),
        shown=shown,
        pseudonym=name_of(number),
        hit=1,
        position=1,
        seconds=20.0,
        given_at=NOON + timedelta(seconds=number),
        counts=True,
        reason="",
        passed=None,
        tally=None,
        payload=question.payload,
    )


def name_of(number: int) -> str:
    return f"annotator-{number:03d}"


def is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()


if __name__ == "__main__":
    main()
