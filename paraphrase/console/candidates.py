"""The candidates in a paraphrase report, with their sentences, votes and labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord_core.paraphrase.formats.phrases import in_parts
from annotate.toolkit import Study, contents_of, questions_of
from paraphrase.exports import reviewed_candidates

METHODS = {
    "majority": "Majority",
    "weighted": "Weighted by quality control",
    "one_coin": "One-coin",
    "dawid_skene": "Dawid–Skene",
    "one_coin_gold": "One-coin with quality control",
    "dawid_skene_gold": "Dawid–Skene with quality control",
}


@dataclass(frozen=True)
class Candidate:
    """A candidate paraphrase in its sentence. `label` is 1 for a good candidate, 0 for a bad one and −1 for an
    undecided one. `methods` lists the labels that the methods other than the majority produce. `reviewed` is
    `yes` for a reviewer's label, and `kept` if a reviewer accepted all answers.
    """

    before: str
    phrase: str
    after: str
    text: str
    domain: str
    key: str
    question: str
    yes: int
    n: int
    label: int
    methods: Sequence[tuple[str, int]]
    reviewed: str

    @property
    def unanimous(self) -> bool:
        """Return whether all annotators gave the candidate its label."""
        return self.label == {0: 0, self.n: 1}.get(self.yes)


def candidates_of(study: Study, result: Mapping[str, Any], numbers: Sequence[int]) -> list[Candidate]:
    """Return the report's candidates with the given numbers, and their sentences. Needs two queries."""
    sentences, labels, reviewed = result["sentences"], result["labels"], reviewed_candidates(result)
    ends = np.cumsum(sentences["candidates"])
    places = np.searchsorted(ends, numbers, side="right").tolist() if numbers else []
    refs = {sentences["ref"][place] for place in places}
    questions = questions_of(study, refs)
    contents = contents_of(study, (question.payload["item"] for question in questions.values()))
    others = [name for name in METHODS if name in labels and name != "majority"]
    candidates = []
    for number, place in zip(numbers, places, strict=True):
        question = questions[sentences["ref"][place]]
        texts = question.payload["paraphrases"]
        before, phrase, after = in_parts(contents[question.payload["item"]])
        candidates.append(
            Candidate(
                before,
                phrase,
                after,
                texts[number - int(ends[place]) + len(texts)],
                result["domains"][sentences["domain"][place]],
                question.payload["item"],
                question.public_id,
                labels["yes"][number],
                labels["n"][number],
                labels["majority"][number],
                [(METHODS[name], labels[name][number]) for name in others],
                reviewed.get(number, ""),
            )
        )
    return candidates
