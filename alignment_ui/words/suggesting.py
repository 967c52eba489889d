"""Initial links from the built-in aligner, which can learn from the finished pairs of an open study. Unopened questions
can get new links, and gold questions always start with links from the same aligner.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from accord_core.pairs.numerics.link_network import Network
from accord_core.pairs.numerics.links import Alignment
from accord_core.pairs.numerics.prealign import align
from alignment_ui.words.finished import FinishedPair, finished_pairs
from alignment_ui.words.rounds import Suggestion, in_round, later_rounds, next_round, with_start
from annotate.tasktypes import CannotBuild, Progress, QuestionDraft, StudyData, Update

Words = tuple[Sequence[str], Sequence[str]]

TEACHERS = 200
"""The maximum number of finished pairs that are aligned again when gold questions are added later."""


class Suggested(NamedTuple):
    """The links in each pair, with their probabilities, and the aligner's neural network."""

    links: list[Suggestion]
    network: Network


def suggest(
    pairs: Sequence[Words],
    finished: Sequence[FinishedPair],
    say: Callable[[float], None],
    network: Network | None = None,
) -> Suggested:
    """Return the links from the built-in aligner, which learns from the sentences of these pairs and from finished
    pairs.

    A `network` that has learned from finished pairs before does not learn again.
    """
    by_annotators = {place: pair.alignment for place, pair in enumerate(finished, start=len(pairs))}
    everything = [*pairs, *((pair.source, pair.target) for pair in finished)]
    aligned = align(everything, finished=by_annotators, network=network, progress=say)
    suggestions = [
        Suggestion(links, likely=tuple((*link, likely[link]) for link in sorted(likely)))
        for links, likely in zip(aligned.links[: len(pairs)], aligned.likely, strict=False)
    ]
    return Suggested(suggestions, aligned.network)


class Learning(NamedTuple):
    """The finished pairs that the aligner learns from, the study's gold questions and gold candidates, and the round of
    the links.
    """

    finished: Sequence[FinishedPair]
    gold: Sequence[QuestionDraft]
    number: int

    def gold_words(self) -> list[Words]:
        return [words_of(question) for question in self.gold]

    def update(self, links: Sequence[Alignment], network: Network) -> Update:
        """Return the update that adds these links to the gold questions and stores what the aligner has learned."""
        payloads = {
            question.ref: with_start(question.payload, self.number, found)
            for question, found in zip(self.gold, links, strict=True)
        }
        return Update(payloads, {"round": self.number, "network": json.loads(network.as_json())})


def learning_from(data: StudyData, seed: int) -> Learning:
    """Return the finished pairs and gold questions that the aligner can learn from in a study. If there are no finished
    pairs, gold questions are not needed, because the links belong to the first round.
    """
    finished = finished_pairs(data, seed)
    return Learning(finished, [*data.gold, *data.candidates] if finished else [], next_round(data))


def update_unopened(unopened: Sequence[QuestionDraft], data: StudyData, seed: int, progress: Progress) -> Update:
    """Return the unopened questions and the gold questions, with links from an aligner that has learned from the
    finished pairs. Raises `CannotBuild` if there are no finished pairs.
    """
    learning = learning_from(data, seed)
    if not learning.finished:
        raise CannotBuild("The aligner cannot learn, because no pair in this study has a final alignment yet.")
    message = f"learning from {len(learning.finished):,} finished pairs"
    pairs = [*learning.gold_words(), *map(words_of, unopened)]
    links, network = suggest(pairs, learning.finished, lambda share: progress(share, message))
    of_gold, of_unopened = links[: len(learning.gold)], links[len(learning.gold) :]
    payloads = {
        question.ref: in_round(question.payload, learning.number, found)
        for question, found in zip(unopened, of_unopened, strict=True)
    }
    update = learning.update(of_gold, network)
    return Update({**payloads, **update.payloads}, update.learned)


def prepare_gold(
    questions: Sequence[QuestionDraft], data: StudyData, learned: Mapping[str, Any], seed: int
) -> list[QuestionDraft]:
    """Return additional gold questions, with initial links for each later round of the study.

    The links come from the network of the latest round, and from a hidden Markov model that counts the links of up to
    `TEACHERS` finished pairs.
    """
    rounds = later_rounds(data)
    if not rounds or not questions:
        return list(questions)
    network = Network.from_json(json.dumps(learned["network"]))
    finished = finished_pairs(data, seed, most=TEACHERS)
    links, _ = suggest([words_of(question) for question in questions], finished, lambda share: None, network)
    prepared = []
    for question, found in zip(questions, links, strict=True):
        payload = question.payload
        for number in rounds:
            payload = with_start(payload, number, found)
        prepared.append(question.with_payload(payload))
    return prepared


def words_of(question: QuestionDraft) -> Words:
    return question.payload["source"], question.payload["target"]
