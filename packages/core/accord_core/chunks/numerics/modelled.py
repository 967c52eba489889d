"""Annotations, probabilities and annotators' figures, estimated by the models of links, types and scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from accord_core.chunks.numerics.aggregation import Method, majority, medoid
from accord_core.chunks.numerics.annotator_rates import AnnotatorRates, annotator_rates
from accord_core.chunks.numerics.chunks import RELATIONS, TOP_SCORE, ChunkLink, IstsPair
from accord_core.chunks.numerics.common_chunks import Cell, Chunk
from accord_core.chunks.numerics.link_cells import (
    EQUI,
    AnnotatedPair,
    ComparedPair,
    LinkCells,
    cells_of,
    compared,
)
from accord_core.chunks.numerics.link_choice import annotation_of, best_links, merged_flags, merged_score
from accord_core.chunks.numerics.link_model import LinkModel, fit_links
from accord_core.chunks.numerics.score_model import ScoreModel, fit_scores
from accord_core.chunks.numerics.type_model import TypeModel, fit_types

FEWEST_PAIRS = 20
CERTAIN = 1e-9
"""Probabilities stay at least this far from 0 and 1, so that their log odds are finite."""


class LinkEstimate(NamedTuple):
    """The estimates for two common chunks linked by at least one annotator.

    `linked` is the probability of a link. `types` contains the probability of each type in `RELATIONS` if the chunks
    are linked. `score` is the expected score of a link of a type other than EQUI. It is NaN if all annotators who
    linked the chunks chose EQUI.
    """

    linked: float
    types: Sequence[float]
    score: float

    @property
    def expected_score(self) -> float:
        """Return the expected score of the link, if the chunks are linked."""
        if np.isnan(self.score):
            return float(TOP_SCORE)
        return self.types[EQUI] * TOP_SCORE + (1 - self.types[EQUI]) * self.score


@dataclass(frozen=True, eq=False)
class Modelled:
    """The models of the links, types and scores in several sentence pairs."""

    pairs: Sequence[AnnotatedPair]
    comparisons: Sequence[ComparedPair | None]
    cells: LinkCells
    links: LinkModel
    types: TypeModel
    scores: ScoreModel
    many_to_many: bool

    def annotations(self) -> list[IstsPair | None]:
        """Return the most probable annotation of each pair, or None for a pair without annotators.

        A link is chosen if its probability is greater than ½. If links must be one to one, the function chooses the
        links with the highest sum of log odds. The type is the most probable type among the annotators' types. If all
        annotators gave two chunks the same link, this link is chosen. Known annotations are returned unchanged.
        """
        chosen: list[IstsPair | None] = []
        for pair, comparison, estimates in zip(self.pairs, self.comparisons, self.estimates(), strict=True):
            if pair.known is not None or comparison is None:
                chosen.append(pair.known)
            else:
                chosen.append(_annotation(pair, comparison, estimates, many_to_many=self.many_to_many))
        return chosen

    def estimates(self) -> list[dict[Cell, LinkEstimate]]:
        """Return each sentence pair's estimates for the pairs of common chunks linked by at least one annotator."""
        found: list[dict[Cell, LinkEstimate]] = [{} for _ in self.pairs]
        rows = np.flatnonzero(self.cells.shares > 0)
        arrays = (self.cells.pair, self.cells.i, self.cells.j, self.links.linked, self.types.posterior)
        columns = (array[rows].tolist() for array in (*arrays, self.scores.score))
        for pair, i, j, *estimate in zip(*columns, strict=True):
            found[pair][i, j] = LinkEstimate(*estimate)
        return found

    def chunks(self, pair: int, cell: Cell) -> tuple[Chunk, Chunk]:
        """Return the two chunks of a cell. Raises ValueError for a pair without annotators."""
        comparison = self.comparisons[pair]
        if comparison is None:
            raise ValueError(f"sentence pair {pair} has no annotators")
        return comparison.chunks.source[cell[0]], comparison.chunks.target[cell[1]]

    def wrong_links(self, final: Mapping[int, IstsPair]) -> dict[int, float]:
        """Return the expected number of wrong links in each of these annotations, keyed by the pair's position.

        Each annotation must be by one of the pair's annotators. A link is wrong if it should not exist or has another
        type. Missing links count if an annotator drew them, and scores do not count.
        """
        estimates, wrong = self.estimates(), {}
        for place, annotation in final.items():
            comparison = self.comparisons[place]
            author = next(one for one, answer in self.pairs[place].answers.items() if answer == annotation)
            own = comparison.votes[author].links if comparison is not None else {}
            wrong[place] = sum(
                1 - estimate.linked * estimate.types[RELATIONS.index(own[cell].type)]
                if cell in own
                else estimate.linked
                for cell, estimate in estimates[place].items()
            )
        return wrong

    def annotators(self, *, seed: int) -> AnnotatorRates:
        """Return each annotator's estimated precision, recall, type accuracy and scores."""
        return annotator_rates(self.cells, self.links, self.types, self.scores, seed=seed)

    def warnings(self) -> list[str]:
        """Return warnings about estimates that may be unreliable."""
        annotated = sum(bool(pair.answers) for pair in self.pairs)
        found = []
        if annotated < FEWEST_PAIRS:
            found.append(
                f"The model is based on {annotated:,} annotated pairs. With fewer than {FEWEST_PAIRS} pairs, its error "
                "rates are imprecise."
            )
        for name, model in (("links", self.links), ("types", self.types), ("scores", self.scores)):
            if not model.converged:
                found.append(f"The model of {name} had not converged after {model.rounds} iterations.")
        return found


def modelled(pairs: Sequence[AnnotatedPair], n_annotators: int, *, many_to_many: bool) -> Modelled:
    """Estimate the three models from all pairs, starting with the links, followed by the types and the scores."""
    comparisons = compared(pairs)
    cells = cells_of(pairs, comparisons, n_annotators)
    links = fit_links(cells)
    types = fit_types(cells, links.linked)
    scored = np.flatnonzero((cells.type != EQUI) & ~np.isnan(cells.score))
    other_types = np.delete(types.posterior, EQUI, axis=1)
    scores = fit_scores(
        cells.row[scored],
        cells.annotator[scored],
        cells.score[scored],
        weight=links.linked * (1 - types.posterior[:, EQUI]),
        group=other_types.argmax(axis=1),
        n_annotators=n_annotators,
    )
    return Modelled(pairs, comparisons, cells, links, types, scores, many_to_many)


def aggregated(
    pairs: Sequence[AnnotatedPair], n_annotators: int, method: Method, *, many_to_many: bool
) -> list[IstsPair | None]:
    """Return one annotation for each pair, combined by one of three methods, or None for a pair without annotators."""
    if method == "model":
        return modelled(pairs, n_annotators, many_to_many=many_to_many).annotations()
    if method == "medoid":
        return [medoid(list(pair.answers.values())) if pair.answers else None for pair in pairs]
    return [
        None
        if comparison is None
        else majority(next(iter(pair.answers.values())), comparison, many_to_many=many_to_many)
        for pair, comparison in zip(pairs, compared([pair._replace(known=None) for pair in pairs]), strict=True)
    ]


def _annotation(
    pair: AnnotatedPair, comparison: ComparedPair, estimates: Mapping[Cell, LinkEstimate], *, many_to_many: bool
) -> IstsPair:
    votes = list(comparison.votes.values())
    cast = {cell: [vote.links[cell] for vote in votes if cell in vote.links] for cell in estimates}
    # A link drawn by all annotators outweighs all links drawn by only some.
    bound = -np.log(CERTAIN) * (1 + len(estimates))
    weights = {
        cell: float(bound) if len(cast[cell]) == len(votes) else _log_odds(estimate.linked)
        for cell, estimate in estimates.items()
    }
    chosen = {cell: _link(cast[cell], estimates[cell]) for cell in best_links(weights, many_to_many=many_to_many)}
    first = next(iter(pair.answers.values()))
    return annotation_of(first, comparison.chunks, votes, chosen, many_to_many=many_to_many)


def _link(links: Sequence[ChunkLink], estimate: LinkEstimate) -> tuple[str, frozenset[str], float | None]:
    """Return the type, flags and score for two linked chunks, based on the annotators' links."""
    named = {RELATIONS.index(link.type) for link in links}
    kind = RELATIONS[max(named, key=lambda number: (estimate.types[number], number))]
    return kind, merged_flags(links), merged_score(kind, links, estimate.score)


def _log_odds(probability: float) -> float:
    clipped = np.clip(probability, CERTAIN, 1 - CERTAIN)
    return float(np.log(clipped) - np.log1p(-clipped))
