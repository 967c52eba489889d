"""Simulated repeats of a chunk alignment study, drawn from the models of links, types and scores that are fitted to the
study's own annotations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accord_core.chunks.numerics.chunks import RELATIONS, TOP_SCORE, ChunkLink, IstsPair
from accord_core.chunks.numerics.link_cells import EQUI, AnnotatedPair
from accord_core.chunks.numerics.modelled import Modelled, modelled
from accord_core.numerics.draws import choices_by_row, new_annotators
from accord_core.numerics.labels import Floats, Ints

LOWEST = 1.0  # the lowest score of a link


@dataclass(frozen=True, eq=False)
class RepeatModel:
    """The fitted models, and the form of the study's N annotations.

    `score` (R,) is the expected score of each cell. `answer` (L,) is the annotation of each vote, and `pair` and
    `annotator` (N,) describe the annotations. `judged` (A,) contains the annotators with annotations.
    """

    fitted: Modelled
    score: Floats
    answer: Ints
    pair: Ints
    annotator: Ints
    judged: Ints


def same_chunks(pairs: Sequence[AnnotatedPair]) -> bool:
    """Return whether all annotators of a pair have the same chunks. The models describe links between common chunks, so
    they cannot predict how a new annotator divides a sentence.
    """
    return all(
        len({(tuple(each.source_chunks), tuple(each.target_chunks)) for each in pair.answers.values()}) <= 1
        for pair in pairs
    )


def fit_repeats(pairs: Sequence[AnnotatedPair], n_annotators: int, *, many_to_many: bool) -> RepeatModel:
    """Fit the models. The expected score of a cell without scores is the mean score of all links that are not EQUI."""
    fitted = modelled(pairs, n_annotators, many_to_many=many_to_many)
    cells, known = fitted.cells, fitted.scores.score
    mean = float(np.nanmean(known)) if not np.isnan(known).all() else TOP_SCORE / 2
    votes = np.stack([cells.pair[cells.row], cells.annotator], axis=1)
    answers, answer = np.unique(votes, axis=0, return_inverse=True)
    return RepeatModel(
        fitted,
        np.where(np.isnan(known), mean, known),
        answer.ravel(),
        answers[:, 0],
        answers[:, 1],
        np.unique(cells.annotator),
    )


def draw_repeat(model: RepeatModel, generator: np.random.Generator) -> list[list[IstsPair]]:
    """Return annotations of each pair by as many new annotators, whose error rates are drawn from those of the study's
    annotators. If links must be one to one, conflicting links are dropped in random order.
    """
    fitted, cells = model.fitted, model.fitted.cells
    linked = generator.random(len(cells.pair)) < fitted.links.linked
    kind = choices_by_row(fitted.types.posterior, generator)
    drawn_as = model.judged[new_annotators(len(model.judged), cells.n_annotators, generator)]
    own = drawn_as[cells.annotator]
    chance = fitted.links.confusion[own, cells.initial[cells.row], linked[cells.row].astype(np.int64), 1]
    votes = np.flatnonzero(generator.random(len(chance)) < chance)
    generator.shuffle(votes)
    row, own = cells.row[votes], own[votes]
    types = choices_by_row(fitted.types.confusion[own, kind[row]], generator)
    noise = generator.normal(fitted.scores.bias[own], fitted.scores.error[own])
    scores = np.clip(np.rint(model.score[row] + noise), LOWEST, TOP_SCORE - 1)
    links: list[list[ChunkLink]] = [[] for _ in model.pair]
    taken: set[tuple[int, str, int]] = set()
    columns = (model.answer[votes], cells.pair[row], cells.i[row], cells.j[row], types, scores)
    for answer, pair, i, j, number, score in zip(*(column.tolist() for column in columns), strict=True):
        sides = {(answer, "source", i), (answer, "target", j)}
        if not fitted.many_to_many and sides & taken:
            continue
        taken |= sides
        source, target = fitted.chunks(pair, (i, j))
        links[answer].append(
            ChunkLink(source, target, RELATIONS[number], score=float(TOP_SCORE) if number == EQUI else score)
        )
    repeat: list[list[IstsPair]] = [[] for _ in fitted.pairs]
    for place, drawn in zip(model.pair.tolist(), links, strict=True):
        first = next(iter(fitted.pairs[place].answers.values()))
        repeat[place].append(IstsPair(first.id, first.source, first.target, tuple(drawn)))
    return repeat
