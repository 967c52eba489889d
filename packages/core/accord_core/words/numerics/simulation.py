"""Simulated alignments: either the true links with a few errors or a careless annotator's alignment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from accord_core.pairs.numerics.links import Alignment, Link


class ErrorRates(NamedTuple):
    """The probability of each kind of error in a true link. `overlooked` is the probability that a wrong link in the
    pre-alignment stays unchanged.
    """

    missed: float = 0.05
    other_kind: float = 0.06
    moved: float = 0.03
    overlooked: float = 0.15

    def times(self, factor: float) -> ErrorRates:
        """Return the rates multiplied by a factor, up to a maximum of ½."""
        return ErrorRates(*(min(0.5, factor * rate) for rate in self))


def draw_careful(
    start: Alignment, meant: Alignment, sizes: tuple[int, int], rates: ErrorRates, generator: np.random.Generator
) -> Alignment:
    """Return the alignment of an attentive annotator, who starts with the pre-alignment `start` and draws the true
    links `meant` with a few errors. `sizes` contains the number of tokens in each sentence.
    """
    wrong = sorted(start.links - meant.links)
    overlooked = generator.random(len(wrong)) < rates.overlooked
    kinds = {link: link in start.sure for link, stays in zip(wrong, overlooked, strict=True) if stays}
    true_links = sorted(meant.links)
    draws = generator.random((len(true_links), 3)).tolist()
    for link, (miss, other, moved) in zip(true_links, draws, strict=True):
        if miss < rates.missed:
            continue
        sure = (link in meant.sure) != (other < rates.other_kind)
        if moved < rates.moved:
            link = (link[0], min(link[1] + 1, sizes[1] - 1))
        kinds[link] = sure
    return _of_kinds(kinds)


def draw_careless(start: Alignment, sizes: tuple[int, int], generator: np.random.Generator) -> Alignment:
    """Return the pre-alignment unchanged. If there is no pre-alignment, return a few random links."""
    if start.links:
        return start
    count = 1 + int(generator.integers(min(sizes)))
    return _of_kinds(
        {(int(generator.integers(sizes[0])), int(generator.integers(sizes[1]))): True for _ in range(count)}
    )


def _of_kinds(kinds: Mapping[Link, bool]) -> Alignment:
    return Alignment.of(
        (link for link, sure in kinds.items() if sure), (link for link, sure in kinds.items() if not sure)
    )
