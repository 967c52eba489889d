"""Two toy task types for tests: `toy-paraphrase`, whose questions have several candidates, and `toy-links`,
which is graded by F1.
"""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import ClassVar

import numpy as np

from annotate import tasktypes
from annotate.tasktypes import (
    CannotBuild,
    Design,
    End,
    Flag,
    Grade,
    Headline,
    InvalidAnswer,
    ItemDraft,
    ItemsRead,
    Option,
    Person,
    QuestionDraft,
    QuestionsRead,
    ReportResult,
    Reports,
)

CANDIDATES = ["a", "b", "c", "d"]


def toy_columns(data):
    counted = [row for row in data.answers if row.counts]
    return {
        "ticked": np.array([len(row.value) for row in counted], dtype=np.int64),
        "who": np.array([row.pseudonym for row in counted]),
    }


def toy_results(columns, parameters, seed, progress):
    letters, times = np.unique(columns["ticked"], return_counts=True)
    rows = [{"ticked": n, "answers": many} for n, many in zip(letters.tolist(), times.tolist(), strict=True)]
    own = {"mean_ticked": float(columns["ticked"].mean()), "how_often": rows}
    return ReportResult(len(columns["ticked"]), own=own)


def toy_results_with_people(columns, parameters, seed, progress):
    people = [
        Person(
            who,
            int((columns["who"] == who).sum()),
            0,
            0,
            agreement=0.75,
            flags=[Flag("Ticks nothing", "Ticked none in all answers.")],
        )
        for who in np.unique(columns["who"]).tolist()
    ]
    headline = Headline(
        "Cohen’s κ", [End("kappa", "mean of pairs", 0.625)], target=0.7, needed=(900, 950), unit="new ticks"
    )
    return replace(toy_results(columns, parameters, seed, progress), people=people, headline=headline)


class Toy(tasktypes.TaskType):
    """Each item has one question, and an answer lists the chosen ones of four candidates."""

    module: ClassVar[str] = "js/tasks/toy.js"
    options = (Option("ask", "What is asked", "Which mean the same?"),)

    def read_items(self, data, name, options, limits):
        rows = list(csv.DictReader(io.StringIO(data.decode())))
        return ItemsRead([ItemDraft(row["id"], {"text": row["text"]}) for row in rows], [], [], ["id", "text"])

    def read_gold(self, data, name, options, items):
        rows = csv.DictReader(io.StringIO(data.decode()))
        return QuestionsRead(
            [
                QuestionDraft(row["id"], {"item": row["item"]}, gold=sorted(row["ticked"]), explanation=row["why"])
                for row in rows
            ],
            [],
        )

    def build_questions(self, items, options, seed, progress):
        if not items:
            raise CannotBuild("bring items")
        # The first question needs one more annotator, so the necessary number of HITs is added.
        return Design(
            [
                QuestionDraft(f"q-{item.key}", {"item": item.key}, judgements=3 if number == 0 else None)
                for number, item in enumerate(items)
            ],
        )

    def draw_candidates(self, items, taken, count, options, seed):
        return [QuestionDraft(f"candidate-{n}", {"item": items[n].key}) for n in range(count)]

    def item_keys(self, payload):
        return [payload["item"]]

    def shuffle(self, payload, generator):
        return generator.permutation(4).tolist()

    def present(self, payload, shown, items, options):
        return {"text": items[payload["item"]]["text"], "candidates": [CANDIDATES[n] for n in shown or range(4)]}

    def clean(self, payload, shown, raw, options):
        if not isinstance(raw, list) or not all(isinstance(n, int) and 0 <= n < 4 for n in raw):
            raise InvalidAnswer("ticked", "Tick candidates by their places.")
        return sorted({CANDIDATES[(shown or range(4))[n]] for n in raw})

    def reveal(self, payload, shown, value):
        return sorted((shown or range(4)).index(CANDIDATES.index(letter)) for letter in value)

    def simulate(self, payload, shown, truth, options, careless, generator):
        return [n for n in range(4) if generator.random() < (0.5 if careless else truth[payload["item"]])]

    reports = Reports(toy_columns, {"results": toy_results})


class ToyParaphrase(Toy):
    slug, name = "toy-paraphrase", "Paraphrases, as a toy"
    reports = Reports(toy_columns, {"results": toy_results_with_people}, headline="Cohen’s κ")

    def in_words(self, payload, shown, value, options):
        return f"ticked {' and '.join(value)}" if value else "ticked none"

    def grade(self, payload, gold, value, options):
        """There is one tally per candidate, with four decisions per question."""
        right = sum((letter in value) == (letter in gold) for letter in CANDIDATES)
        return Grade({"right": right, "wrong": 4 - right}, passed=right == 4, message=f"{right} of 4")


class ToyLinks(Toy):
    slug, name = "toy-links", "Links, as a toy"
    measures: ClassVar[dict[str, str]] = {"f1": "mean F1 of gold", "micro_f1": "F1 of all gold links together"}

    def grade(self, payload, gold, value, options):
        both = len({*gold} & {*value})
        f1 = 2 * both / (len(gold) + len(value)) if gold or value else 1.0
        tally = {"f1": f1, "graded": 1, "both": both, "links": len(gold) + len(value)}
        return Grade(tally, passed=f1 >= 0.5, message=f"F1 {f1:.2f}")

    def accuracy(self, tallies, measure):
        if measure == "micro_f1":
            return 2 * tallies["both"] / tallies["links"] if tallies.get("links") else None
        return tallies["f1"] / tallies["graded"] if tallies.get("graded") else None
