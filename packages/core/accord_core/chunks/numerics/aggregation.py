"""Two methods that combine the annotations of several annotators into one: the majority and the medoid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import Literal

from accord_core.chunks.numerics.chunks import TOP_SCORE, ChunkLink, IstsPair
from accord_core.chunks.numerics.common_chunks import Cell
from accord_core.chunks.numerics.link_cells import ComparedPair
from accord_core.chunks.numerics.link_choice import (
    annotation_of,
    best_links,
    merged_flags,
    merged_score,
    most_frequent_type,
)
from accord_core.chunks.numerics.scores import MEASURES, ists_scores
from accord_core.numerics.labels import EQUAL

Method = Literal["majority", "medoid", "model"]
METHODS: tuple[Method, ...] = ("majority", "medoid", "model")


def pair_f1(one: IstsPair, other: IstsPair) -> float:
    """Return the F1 of type and score between two annotations of a pair, or 1 if neither annotation has links that the
    scores count. Links between punctuation marks do not count.
    """
    total = ists_scores([one], [other]).total
    return total.figures(MEASURES[-1]).f1 if total.system or total.gold else 1.0


def medoid(annotations: Sequence[IstsPair]) -> IstsPair:
    """Return the annotation that has the highest mean F1 of type and score (`pair_f1`) with the other annotations.

    If several annotations tie, the function returns the annotation with the fewest links. If the tie remains, the
    function returns the first annotation in the order of their sorted links. The result does not depend on the order of
    the annotators.
    """
    totals = [
        sum(pair_f1(one, other) for place, other in enumerate(annotations) if place != own)
        for own, one in enumerate(annotations)
    ]
    tied = [one for one, total in zip(annotations, totals, strict=True) if total >= max(totals) - EQUAL]
    return min(tied, key=lambda one: (sum(bool(link.source and link.target) for link in one.links), _sorted(one)))


def majority(pair: IstsPair, comparison: ComparedPair, *, many_to_many: bool) -> IstsPair:
    """Return the links that more than half of the annotators drew between the common chunks.

    The type of a link is its most frequent type. The score is the rounded mean of the scores of the annotators who
    linked the two chunks with a type other than EQUI. A flag is kept if more than half of these links have the flag.
    """
    votes = list(comparison.votes.values())
    times: Counter[Cell] = Counter(cell for vote in votes for cell in vote.links)
    shares = {cell: count / len(votes) for cell, count in times.items() if 2 * count > len(votes)}
    chosen = {}
    for cell in best_links(shares, many_to_many=many_to_many):
        links = [vote.links[cell] for vote in votes if cell in vote.links]
        kind = most_frequent_type(links)
        chosen[cell] = (kind, merged_flags(links), merged_score(kind, links, _mean_score(links)))
    return annotation_of(pair, comparison.chunks, votes, chosen, many_to_many=many_to_many)


def _mean_score(links: Sequence[ChunkLink]) -> float:
    scores = [link.score for link in links if link.score is not None and link.type != "EQUI"]
    return fmean(scores) if scores else float(TOP_SCORE)


def _sorted(pair: IstsPair) -> list[tuple[object, ...]]:
    return sorted((link.source, link.target, link.type, sorted(link.flags), link.score or 0.0) for link in pair.links)
