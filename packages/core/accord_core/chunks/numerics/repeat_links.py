"""Simulated repeats of a chunk alignment study, drawn from the models of links, types and scores that are fitted to the
study's own annotations. Whole annotations can be careless (`careless_answers.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from accord_core.chunks.numerics.chunks import RELATIONS, TOP_SCORE, ChunkLink, IstsPair
from accord_core.chunks.numerics.link_cells import EQUI, AnnotatedPair
from accord_core.chunks.numerics.link_model import LinkModel, fit_links
from accord_core.chunks.numerics.modelled import Modelled, modelled
from accord_core.chunks.numerics.type_model import PRIOR_LINKS, TYPES
from accord_core.numerics.draws import choices_by_row
from accord_core.numerics.labels import Bools, Floats
from accord_core.pairs.numerics.careless_answers import (
    SEED,
    Answers,
    Likelihoods,
    answers_of,
    draw_careless,
    fit_careless,
    new_answers,
    vote_frequencies,
)

LOWEST = 1.0  # the lowest score of a link
FEWEST_ERRORS = 0.2  # the error rate of types starts with this number of wrong types in one link


@dataclass(frozen=True, eq=False)
class RepeatModel:
    """The fitted models, and N annotations.

    `careless` (N,) marks careless annotations, and `likelihoods` belong to them. `links` is the model of links in the
    other annotations, and `frequencies` (2, 2) are the votes in careless ones by initial state. `type_votes` (A, 6, 6)
    contains their expected numbers of links by true type and chosen type. `score` (R,) is the expected score of each
    cell.
    """

    fitted: Modelled
    score: Floats
    answers: Answers
    careless: Bools
    likelihoods: Likelihoods
    links: LinkModel
    frequencies: Floats
    type_votes: Floats


def same_chunks(pairs: Sequence[AnnotatedPair]) -> bool:
    """Return whether all annotators of a pair have the same chunks. The models describe links between common chunks, so
    they cannot predict how a new annotator divides a sentence.
    """
    return all(
        len({(tuple(each.source_chunks), tuple(each.target_chunks)) for each in pair.answers.values()}) <= 1
        for pair in pairs
    )


def fit_repeats(pairs: Sequence[AnnotatedPair], n_annotators: int, *, many_to_many: bool) -> RepeatModel:
    """Fit the models. Error rates of links come from careful annotations only. The expected score of a cell without
    scores is the mean score of all links that are not EQUI.
    """
    fitted = modelled(pairs, n_annotators, many_to_many=many_to_many)
    cells, known = fitted.cells, fitted.scores.score
    answers = answers_of(cells.pair, cells.row, cells.annotator, np.ones(len(cells.pair)))
    initial = cells.initial[cells.row]

    def estimated(careless: Bools) -> tuple[Likelihoods, LinkModel, Floats]:
        used = ~careless[answers.answer]
        columns = {name: getattr(cells, name)[used] for name in ("row", "annotator", "type", "score")}
        links = fit_links(replace(cells, **columns))
        frequencies = vote_frequencies(answers, cells.initial, cells.linked, careless, 2)
        likelihoods = Likelihoods(
            np.log(links.confusion)[cells.annotator, initial, :, cells.linked],
            np.log(frequencies)[initial, cells.linked],
            np.log(links.prior)[cells.group],
        )
        return likelihoods, links, frequencies

    careless = fit_careless(answers, lambda drawn: estimated(drawn)[0], np.random.default_rng(SEED))
    mean = float(np.nanmean(known)) if not np.isnan(known).all() else TOP_SCORE / 2
    likelihoods, links, frequencies = estimated(careless)
    votes = np.flatnonzero((cells.linked == 1) & ~careless[answers.answer])
    expected = (fitted.types.posterior * links.linked[:, None])[cells.row[votes]]
    type_votes = np.zeros((n_annotators, TYPES, TYPES))
    np.add.at(type_votes, (cells.annotator[votes], cells.type[votes]), expected)
    score = np.where(np.isnan(known), mean, known)
    return RepeatModel(fitted, score, answers, careless, likelihoods, links, frequencies, type_votes.transpose(0, 2, 1))


def draw_repeat(model: RepeatModel, generator: np.random.Generator) -> list[list[IstsPair]]:
    """Return annotations of each pair by as many new annotators, whose error rates are drawn from those of the study's
    annotators. If links must be one to one, conflicting links are dropped in random order.
    """
    fitted, cells, answers = model.fitted, model.fitted.cells, model.answers
    careless, posterior = draw_careless(answers, model.likelihoods, model.careless, generator)
    linked = choices_by_row(posterior, generator)
    kind = choices_by_row(fitted.types.posterior, generator)
    annotator, is_careless = new_answers(answers, careless, cells.n_annotators, generator)
    own, initial = annotator[answers.answer], cells.initial[cells.row]
    chance = np.where(
        is_careless[answers.answer],
        model.frequencies[initial, 1],
        model.links.confusion[own, initial, linked[cells.row], 1],
    )
    votes = np.flatnonzero(generator.random(len(chance)) < chance)
    generator.shuffle(votes)
    row, own = cells.row[votes], own[votes]
    types = choices_by_row(draw_type_rates(model.type_votes, generator)[own, kind[row]], generator)
    noise = generator.normal(fitted.scores.bias[own], fitted.scores.error[own])
    scores = np.clip(np.rint(model.score[row] + noise), LOWEST, TOP_SCORE - 1)
    links: list[list[ChunkLink]] = [[] for _ in answers.pair]
    taken: set[tuple[int, str, int]] = set()
    columns = (answers.answer[votes], cells.pair[row], cells.i[row], cells.j[row], types, scores)
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
    for place, drawn in zip(answers.pair.tolist(), links, strict=True):
        first = next(iter(fitted.pairs[place].answers.values()))
        repeat[place].append(IstsPair(first.id, first.source, first.target, tuple(drawn)))
    return repeat


def draw_type_rates(votes: Floats, generator: np.random.Generator) -> Floats:
    """Return each annotator's error rates (A, 6, 6) by true type and chosen type, given the expected numbers of links.

    They are shrunk towards the rates of all annotators, drawn by a Bayesian bootstrap (Rubin 1981). Those rates are
    shrunk towards the observed share of errors, because with a fixed share, simulated repeats would contain too many or
    too few errors.
    """
    pooled = np.tensordot(len(votes) * generator.dirichlet(np.ones(len(votes))), votes, 1)
    error = (pooled.sum() - np.trace(pooled) + FEWEST_ERRORS) / (pooled.sum() + 1)
    typical = np.full((TYPES, TYPES), error / (TYPES - 1))
    np.fill_diagonal(typical, 1 - error)
    pooled += PRIOR_LINKS * typical
    own = votes + PRIOR_LINKS * pooled / pooled.sum(axis=1, keepdims=True)
    rates: Floats = own / own.sum(axis=2, keepdims=True)
    return rates
