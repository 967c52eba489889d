"""Simulated links between chunks: either true links with a few errors or a careless annotator's random links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from accord_core.chunks.numerics.chunks import RELATIONS, TOP_SCORE

CLEAR = ("EQUI", "OPPO")  # Annotators do not confuse these types with similar types.
CONFUSED = ("SPE1", "SPE2", "SIMI", "REL")


class ErrorRates(NamedTuple):
    """The probability of each kind of error in a true link."""

    missed: float = 0.07
    type: float = 0.12
    score: float = 0.2

    def times(self, factor: float) -> ErrorRates:
        """Return the rates multiplied by a factor, up to a maximum of ½."""
        return ErrorRates(*(min(0.5, factor * rate) for rate in self))


def draw_links(
    links: list[dict[str, Any]],
    sizes: tuple[int, int],
    careless: bool,
    rates: ErrorRates,
    generator: np.random.Generator,
) -> list[dict[str, Any]]:
    """Return the links drawn by a simulated annotator. Each link has the keys `source`, `target`, `type`, `flags` and
    `score`. `sizes` contains the number of chunks in each sentence.
    """
    drawn = [_slipped(link, careless, rates, generator) for link in links if generator.random() >= rates.missed]
    return _anywhere(drawn, sizes, generator) if careless else drawn


def _slipped(
    link: Mapping[str, Any], careless: bool, rates: ErrorRates, generator: np.random.Generator
) -> dict[str, Any]:
    """Return a simulated link, whose type and score may be wrong."""
    kind, score = link["type"], link["score"] if link["score"] is not None else 3
    other, nearer = generator.random(2)
    if careless:
        kind, score = RELATIONS[generator.integers(len(RELATIONS))], int(generator.integers(TOP_SCORE))
    elif kind not in CLEAR and other < rates.type:
        kind = CONFUSED[generator.integers(len(CONFUSED))]
    if not careless and nearer < rates.score:
        score += 1 if nearer < rates.score / 2 else -1
    score = TOP_SCORE if kind == "EQUI" else min(max(score, 1), TOP_SCORE - 1)
    return {**link, "type": kind, "flags": list(link["flags"]), "score": score}


def _anywhere(
    links: list[dict[str, Any]], sizes: tuple[int, int], generator: np.random.Generator
) -> list[dict[str, Any]]:
    """Return links between random chunks. If there are too few chunks, some links are dropped."""
    sources, targets = (generator.permutation(size).tolist() for size in sizes)
    return [
        {**link, "source": source, "target": target}
        for link, source, target in zip(links, sources, targets, strict=False)
    ]
