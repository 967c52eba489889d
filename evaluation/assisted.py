"""Program-assisted figures of a table of questions: means and label shares, and figures of systems."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from annotate.numerics.assisted import (
    FEWEST_RARE,
    Drawn,
    Judgements,
    assisted_figures,
    assisted_spearman,
    parts_of_spearman,
)
from annotate.numerics.assisted_labels import (
    agreement_counts,
    agreement_figures,
    rarer_agreement,
    rarer_shares,
    shares,
)
from annotate.numerics.assisted_ranks import Rank, assisted_ranks, ranks_of_sums
from annotate.numerics.labels import Floats, Ints
from evaluation.assisted_result import AssistedResult, NamedFigure
from evaluation.formats.assisted_tables import PEOPLE, PROGRAM, AssistedTable, as_numbers


def number_figures(table: AssistedTable, *, over_annotators: bool, name: str) -> AssistedResult:
    """Return the mean of the answers, and Spearman's correlation of each system with people's mean answers.

    Raises TableError if an answer is not a number.
    """
    given = as_numbers([answer for _, _, answer in table.judgements], PEOPLE, name=name)
    program = np.array(as_numbers(table.program, PROGRAM, name=name))
    answers = _Answers(table, np.array(given)[:, None])
    (mean,) = assisted_figures(
        answers.people, program[:, None], answers.drawn, shares, judgements=answers.single if over_annotators else None
    )
    figures = [NamedFigure("", "mean", mean)]
    if not table.systems:
        return answers.result(figures, None)
    systems = np.array([as_numbers(each, system, name=name) for system, each in table.systems.items()])
    own = answers.people[:, 0]
    correlations = assisted_spearman(own, program, systems, answers.drawn)
    figures += [NamedFigure(system, "Spearman", each) for system, each in zip(table.systems, correlations, strict=True)]
    parts = parts_of_spearman(own, program, systems, answers.drawn)
    return answers.result(figures, assisted_ranks(parts, answers.drawn) if len(systems) > 1 else None)


def label_figures(table: AssistedTable, *, over_annotators: bool) -> AssistedResult:
    """Return the share of each label, and each system's accuracy, κ and F1 of each label. A question with several
    judgements counts as the mean over them.
    """
    given = [answer for _, _, answer in table.judgements]
    labels = sorted({*given, *table.program, *(label for each in table.systems.values() for label in each)})
    answers = _Answers(table, _one_hot(given, labels))
    program, drawn = _one_hot(table.program, labels), answers.drawn
    single = answers.single if over_annotators else None
    of_labels = assisted_figures(
        answers.people, program, drawn, shares, rare=rarer_shares(answers.people), judgements=single
    )
    figures = [NamedFigure("", f"share of {label}", each) for label, each in zip(labels, of_labels, strict=True)]
    names = ["accuracy", "κ", *(f"F1 of {label}" for label in labels)]
    compared: list[tuple[Floats, Floats]] = []
    for system, predicted in table.systems.items():
        of_system = _one_hot(predicted, labels)
        own = agreement_counts(of_system[drawn.judged], answers.people)
        compared.append((own, agreement_counts(of_system, program)))
        by_system = assisted_figures(
            own,
            compared[-1][1],
            drawn,
            agreement_figures,
            scale="fisher",
            rare=rarer_agreement(own),
            judgements=None if single is None else _agreement(single, of_system[drawn.judged]),
        )
        figures += [NamedFigure(system, *each) for each in zip(names, by_system, strict=True)]
    return answers.result(figures, _ranks_by_kappa(compared, drawn))


class _Answers:
    """The mean counts (n, K) of the judged questions, from the counts (L, K) of the judgements."""

    def __init__(self, table: AssistedTable, counts: Floats) -> None:
        places = np.array([place for place, _, _ in table.judgements], dtype=np.int64)
        judged, question = np.unique(places, return_inverse=True)
        _, annotator = np.unique([annotator for _, annotator, _ in table.judgements], return_inverse=True)
        self.single = Judgements(counts, question, annotator)
        self.people = _means(counts, question, len(judged))
        probability = np.array([table.probability.get(int(place), 1.0) for place in judged])
        self.drawn = Drawn(judged, probability, len(table.items))
        self.systems = list(table.systems)

    def result(self, figures: list[NamedFigure], ranks: list[Rank] | None) -> AssistedResult:
        by_system = {} if ranks is None else dict(zip(self.systems, ranks, strict=True))
        return AssistedResult(figures, by_system, self.drawn.questions, len(self.drawn.judged))


def _means(counts: Floats, question: Ints, questions: int) -> Floats:
    sums = np.zeros((questions, counts.shape[1]))
    np.add.at(sums, question, counts)
    means: Floats = sums / np.bincount(question)[:, None]
    return means


def _one_hot(answers: Sequence[str], labels: Sequence[str]) -> Floats:
    number = {label: place for place, label in enumerate(labels)}
    one_hot: Floats = np.eye(len(labels))[[number[answer] for answer in answers]]
    return one_hot


def _agreement(single: Judgements, system: Floats) -> Judgements:
    return single._replace(counts=agreement_counts(system[single.question], single.counts))


def _ranks_by_kappa(compared: list[tuple[Floats, Floats]], drawn: Drawn) -> list[Rank] | None:
    if any(rarer_agreement(own)[0] < FEWEST_RARE for own, _ in compared):
        return None
    return ranks_of_sums(compared, drawn, lambda means: agreement_figures(means)[1])
