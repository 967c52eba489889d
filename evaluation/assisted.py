"""Program-assisted figures of a table of questions: means and label shares, and figures of systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from accord_core.evaluation.formats.assisted_tables import PEOPLE, PROGRAM, AssistedTable, as_numbers
from accord_core.exchange.faults import TableError
from accord_core.numerics.assisted import (
    FEWEST_RARE,
    AssistedFigure,
    Drawn,
    Judgements,
    assisted_figures,
    assisted_spearman,
    parts_of_spearman,
)
from accord_core.numerics.assisted_labels import (
    agreement_counts,
    agreement_figures,
    plain_means,
    rarer_agreement,
    rarer_shares,
    shares,
)
from accord_core.numerics.assisted_ranks import Rank, assisted_ranks, ranks_of_sums
from accord_core.numerics.labels import Floats, Ints
from evaluation.assisted_result import AssistedResult, NamedFigure

Estimate = Callable[[Floats], Floats]


def number_figures(table: AssistedTable, *, over_annotators: bool, name: str) -> AssistedResult:
    """Return the mean of the answers, and Spearman's correlation of each system with people's mean answers.

    Raises TableError if an answer is not a number, or if a question has several items.
    """
    if len(set(table.question)) < len(table.items):
        raise TableError.of_file(name, "a question has several items, but numbers need one item per question")
    given = as_numbers([answer for _, _, answer in table.judgements], PEOPLE, name=name)
    program = np.array(as_numbers(table.program, PROGRAM, name=name))
    answers = _Answers(table)
    drawn, single = answers.drawn, answers.by_annotator(np.array(given)[:, None])
    own = answers.means(single)
    (mean,) = assisted_figures(
        own, program[:, None], drawn, plain_means, judgements=single if over_annotators else None
    )
    figures = [NamedFigure("", "mean", mean)]
    if not table.systems:
        return answers.result(figures, None)
    systems = np.array([as_numbers(each, system, name=name) for system, each in table.systems.items()])
    correlations = assisted_spearman(own[:, 0], program, systems, drawn)
    figures += [NamedFigure(system, "Spearman", each) for system, each in zip(table.systems, correlations, strict=True)]
    parts = parts_of_spearman(own[:, 0], program, systems, drawn)
    return answers.result(figures, assisted_ranks(parts, drawn) if len(systems) > 1 else None)


def label_figures(table: AssistedTable, *, over_annotators: bool) -> AssistedResult:
    """Return the share of each label, and each system's accuracy, κ and F1 of each label. An item with several
    judgements counts as the mean over them.
    """
    given = [answer for _, _, answer in table.judgements]
    labels = sorted({*given, *table.program, *(label for each in table.systems.values() for label in each)})
    answers, of_people, of_program = _Answers(table), _one_hot(given, labels), _one_hot(table.program, labels)

    def figures_of(judged: Floats, predicted: Floats, estimate: Estimate, **options: Any) -> list[AssistedFigure]:
        single = answers.by_annotator(judged)
        return assisted_figures(
            answers.means(single),
            answers.by_question(predicted),
            answers.drawn,
            estimate,
            judgements=single if over_annotators else None,
            **options,
        )

    rare = rarer_shares(answers.means(answers.by_annotator(of_people)))
    of_labels = figures_of(of_people, of_program, shares, rare=rare)
    figures = [NamedFigure("", f"share of {label}", each) for label, each in zip(labels, of_labels, strict=True)]
    names = ["accuracy", "κ", *(f"F1 of {label}" for label in labels)]
    compared: list[tuple[Floats, Floats]] = []
    for system, predicted in table.systems.items():
        of_system = _one_hot(predicted, labels)
        judged = agreement_counts(of_system[answers.item], of_people)
        assumed = agreement_counts(of_system, of_program)
        own = answers.means(answers.by_annotator(judged))
        compared.append((own, answers.by_question(assumed)))
        by_system = figures_of(judged, assumed, agreement_figures, scale="fisher", rare=rarer_agreement(own))
        figures += [NamedFigure(system, *each) for each in zip(names, by_system, strict=True)]
    return answers.result(figures, _ranks_by_kappa(compared, answers.drawn))


class _Answers:
    """The judgements of a table, summed by question and annotator. `item` (L,) is the item of each row's judgement."""

    def __init__(self, table: AssistedTable) -> None:
        self.item = np.array([place for place, _, _ in table.judgements], dtype=np.int64)
        self.of_item = np.array(table.question, dtype=np.int64)
        self.questions, self.systems = int(self.of_item.max()) + 1, list(table.systems)
        _, annotator = np.unique([annotator for _, annotator, _ in table.judgements], return_inverse=True)
        judged, question = np.unique(self.of_item[self.item], return_inverse=True)
        # All items of a question with the same annotator are one judgement.
        groups, self.group = np.unique(question * (annotator.max() + 1) + annotator, return_inverse=True)
        self.question, self.annotator = groups // (annotator.max() + 1), groups % (annotator.max() + 1)
        probability = np.ones(len(judged))
        for place, value in table.probability.items():
            probability[np.searchsorted(judged, self.of_item[place])] = value
        self.drawn = Drawn(judged, probability, self.questions)

    def by_annotator(self, counts: Floats) -> Judgements:
        """Return the sums over the items of a question, from the counts (L, K) of the rows."""
        return Judgements(_sums(counts, self.group, len(self.question)), self.question, self.annotator)

    def by_question(self, counts: Floats) -> Floats:
        """Return the sums (U, K) over the items of a question, from the counts of all items."""
        return _sums(counts, self.of_item, self.questions)

    def means(self, single: Judgements) -> Floats:
        """Return the means (n, K) over the annotators of each judged question."""
        number = np.bincount(single.question)[:, None]
        means: Floats = _sums(single.counts, single.question, len(number)) / number
        return means

    def result(self, figures: list[NamedFigure], ranks: list[Rank] | None) -> AssistedResult:
        by_system = {} if ranks is None else dict(zip(self.systems, ranks, strict=True))
        return AssistedResult(figures, by_system, self.drawn.questions, len(self.drawn.judged))


def _sums(counts: Floats, group: Ints, groups: int) -> Floats:
    sums = np.zeros((groups, counts.shape[1]))
    np.add.at(sums, group, counts)
    return sums


def _one_hot(answers: Sequence[str], labels: Sequence[str]) -> Floats:
    number = {label: place for place, label in enumerate(labels)}
    one_hot: Floats = np.eye(len(labels))[[number[answer] for answer in answers]]
    return one_hot


def _ranks_by_kappa(compared: list[tuple[Floats, Floats]], drawn: Drawn) -> list[Rank] | None:
    if any(rarer_agreement(own)[0] < FEWEST_RARE for own, _ in compared):
        return None
    return ranks_of_sums(compared, drawn, lambda means: agreement_figures(means)[1])
