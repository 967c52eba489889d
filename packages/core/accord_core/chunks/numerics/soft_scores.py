"""Scores of a system against all annotators: the expected values of the four official measures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord_core.chunks.numerics.chunks import ChunkLink, IstsPair
from accord_core.chunks.numerics.score_sums import EXPECTED_FIGURES, WIDTH, f1_of_sums
from accord_core.chunks.numerics.scores import MEASURES, TokenLinks, Version, overlap, token_links
from accord_core.evaluation.measure import Measure
from accord_core.evaluation.measures import measures_of_sums

Floats = NDArray[np.float64]


def soft_sums(answers: Sequence[Sequence[IstsPair]], system: Sequence[Sequence[ChunkLink]], version: Version) -> Floats:
    """Return the sums of `sums_by_pair` in an array of shape (pairs, 10), as means over the annotators of each pair.

    `answers` contains the annotations of each pair, and `system` contains the system's links. The sums of a pair are
    the expected sums if the gold annotation comes from a randomly drawn annotator of the pair. For pairs without
    annotators, all sums are 0.
    """
    return np.array(
        [
            np.mean([_row(_links(each, links), _links(each), version) for each in of_pair], axis=0)
            if of_pair
            else np.zeros(WIDTH)
            for of_pair, links in zip(answers, system, strict=True)
        ]
    ).reshape(-1, WIDTH)


def expected_f1(
    answers: Sequence[Sequence[IstsPair]],
    system: Sequence[Sequence[ChunkLink]],
    version: Version,
    *,
    resamples: int,
    seed: int,
) -> list[Measure]:
    """Return the four expected F1 values with 95% percentile intervals from resampled sentence pairs."""
    sums = soft_sums(answers, system, version)
    return measures_of_sums(EXPECTED_FIGURES, sums, f1_of_sums, resamples=resamples, seed=seed)


def held_out_sums(answers: Sequence[Sequence[IstsPair]], version: Version) -> Floats:
    """Return the sums (pairs, 10) for annotators scored like systems against each pair's other annotators.

    The sums of a pair are the means over its annotators. For pairs with only one annotator, all sums are 0.
    """
    rows = []
    for of_pair in answers:
        links = [_links(each) for each in of_pair]
        twos = [(own, other) for own in range(len(links)) for other in range(len(links)) if own != other]
        compared = [_row(links[own], links[other], version) for own, other in twos]
        rows.append(np.mean(compared, axis=0) if compared else np.zeros(WIDTH))
    return np.array(rows).reshape(-1, WIDTH)


def _links(pair: IstsPair, links: Sequence[ChunkLink] | None = None) -> TokenLinks:
    return token_links(pair.links if links is None else links, pair.source, pair.target)


def _row(system: TokenLinks, gold: TokenLinks, version: Version) -> list[float]:
    found = overlap(system, gold, version)
    return [found.system, found.gold, *(share for measure in MEASURES for share in found.found[measure])]
