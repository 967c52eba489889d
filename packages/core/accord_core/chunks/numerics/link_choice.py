"""Functions that combine the votes of several annotators on links between common chunks into one annotation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from accord_core.chunks.numerics.chunks import RELATIONS, TOP_SCORE, ChunkLink, IstsPair
from accord_core.chunks.numerics.common_chunks import Cell, ChunkVotes, CommonChunks
from accord_core.numerics.labels import EQUAL


def best_links(weights: Mapping[Cell, float], *, many_to_many: bool) -> list[Cell]:
    """Return the cells with positive weights or, for one-to-one links, the links with the highest total weight.

    `weights` contains the weight of each possible link. One-to-one links are a maximum weight matching (Kuhn 1955).
    """
    from scipy.optimize import linear_sum_assignment  # importing it takes as long as starting Django

    positive = sorted(cell for cell, weight in weights.items() if weight > EQUAL)
    if many_to_many or not positive:
        return positive
    shape = tuple(max(cell[side] for cell in positive) + 1 for side in (0, 1))
    matrix = np.zeros(shape)
    for cell in positive:
        matrix[cell] = weights[cell]
    rows, columns = linear_sum_assignment(matrix, maximize=True)
    return sorted(set(zip(rows.tolist(), columns.tolist(), strict=True)) & set(positive))


def most_frequent_type(votes: Sequence[ChunkLink]) -> str:
    """Return the links' most frequent type. If several types tie, return the one that comes first in `RELATIONS`."""
    times = Counter(vote.type for vote in votes)
    return min(times, key=lambda name: (-times[name], RELATIONS.index(name)))


def merged_flags(votes: Sequence[ChunkLink]) -> frozenset[str]:
    """Return the flags that more than half of the links share."""
    times = Counter(flag for vote in votes for flag in vote.flags)
    return frozenset(flag for flag, count in times.items() if 2 * count > len(votes))


def merged_score(type_name: str, votes: Sequence[ChunkLink], score: float) -> float | None:
    """Return a score for a link of this type. If all annotators gave the same score, the result is that score.
    Otherwise, the result is the whole number nearest to `score` that the guidelines allow for the type.

    The score of EQUI is 5. The scores of other types are from 0 to 4, halves are rounded up, and the scores of EQUI
    links do not count.
    """
    scores = {vote.score for vote in votes if (vote.type == "EQUI") == (type_name == "EQUI")}
    if len(scores) == 1:
        return scores.pop()
    return float(TOP_SCORE) if type_name == "EQUI" else float(np.clip(np.floor(score + 0.5), 0, TOP_SCORE - 1))


def annotation_of(
    pair: IstsPair,
    chunks: CommonChunks,
    votes: Sequence[ChunkVotes],
    chosen: Mapping[Cell, tuple[str, frozenset[str], float | None]],
    *,
    many_to_many: bool,
) -> IstsPair:
    """Return the annotation that contains the `chosen` links (given as types, flags and scores) and marks all other
    chunks as NOALI or ALIC.

    The type of an unlinked chunk is chosen by the annotators who did not link the chunk: it is the more frequent of
    their types, or NOALI if both types are equally frequent. If all annotators linked the chunk, the chunk is ALIC if a
    chunk to which they linked it has another link, and NOALI otherwise. If links are many to many, all unlinked chunks
    are NOALI.
    """
    links = [
        ChunkLink(chunks.source[a], chunks.target[b], kind, flags, score)
        for (a, b), (kind, flags, score) in sorted(chosen.items())
    ]
    for side, own, other in ((0, chunks.source, chunks.target), (1, chunks.target, chunks.source)):
        linked = {cell[side] for cell in chosen}
        taken = {cell[1 - side] for cell in chosen}
        for place, chunk in enumerate(own):
            if place in linked:
                continue
            marks = Counter(
                mark for vote in votes if (mark := (vote.unlinked_target if side else vote.unlinked_source).get(place))
            )
            matches = {cell[1 - side] for vote in votes for cell in vote.links if cell[side] == place}
            alic = marks["ALIC"] > marks["NOALI"] if marks else bool(matches & taken)
            kind = "ALIC" if alic and not many_to_many and other else "NOALI"
            links.append(ChunkLink((), chunk, kind) if side else ChunkLink(chunk, (), kind))
    return IstsPair(pair.id, pair.source, pair.target, tuple(links))
