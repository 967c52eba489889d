"""Methods that combine several annotators' alignments into one: the majority, the medoid, and the most probable links
under a model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np

from accord_core.numerics.labels import EQUAL
from accord_core.pairs.numerics.links import Alignment, Link, pair_f1
from accord_core.words.numerics.cell_model import CellModel
from accord_core.words.numerics.cells import NO_LINK, POSSIBLE, SURE, AnnotatedPair, Cells

Method = Literal["majority", "medoid", "model"]
METHODS: tuple[Method, ...] = ("majority", "medoid", "model")


def majority(drawn: Sequence[Alignment]) -> Alignment:
    """Return the links that more than half of the annotators drew, each marked as sure or possible.

    A link is sure if more than half of the annotators drew it as a sure link, and possible otherwise. This is the lower
    median of the annotators' states, ordered from no link to a sure link. With two annotators, both must have drawn the
    link.
    """

    def of_more_than_half(links: Iterable[Link]) -> set[Link]:
        return {link for link, times in Counter(links).items() if 2 * times > len(drawn)}

    linked = of_more_than_half(link for alignment in drawn for link in alignment.links)
    sure = of_more_than_half(link for alignment in drawn for link in alignment.sure)
    return Alignment.of(sure, linked - sure)


def medoid(drawn: Sequence[Alignment]) -> Alignment:
    """Return the alignment that has the highest mean F1 (`pair_f1`) with the other alignments.

    If several alignments tie, the function returns the alignment with the fewest links, then the alignment with the
    fewest possible links, and finally the first alignment in the order of their sorted links. The result does not
    depend on the order of the annotators. With two annotators, the function therefore returns the alignment with fewer
    links.
    """
    totals = [
        sum(pair_f1(one, other) for place, other in enumerate(drawn) if place != own) for own, one in enumerate(drawn)
    ]
    best = max(totals)
    tied = [one for one, total in zip(drawn, totals, strict=True) if total >= best - EQUAL]
    return min(tied, key=lambda one: (len(one.links), len(one.possible), sorted(one.links), sorted(one.sure)))


def most_probable(pairs: Sequence[AnnotatedPair], cells: Cells, model: CellModel) -> list[Alignment | None]:
    """Return the alignment that follows from the posteriors of a pair's cells, or None for a pair without annotators.

    A cell is linked if the probability of a link is greater than ½. Its link is sure if a sure link is more probable
    than a possible link. A cell on which all annotators agree has the state that they chose. Known alignments are
    returned unchanged. A cell that no annotator linked is not linked.
    """
    probable, sure = model.linked > 0.5 + EQUAL, model.posterior[:, SURE] > model.posterior[:, POSSIBLE] + EQUAL
    state = np.where(probable, np.where(sure, SURE, POSSIBLE), NO_LINK)
    agreed = cells.shares.max(axis=1) == 1
    state = np.where(agreed, cells.shares.argmax(axis=1), state)
    links: list[dict[int, set[Link]]] = [{POSSIBLE: set(), SURE: set()} for _ in pairs]
    chosen = np.flatnonzero((state != NO_LINK) & (cells.i >= 0))
    columns = (array[chosen].tolist() for array in (cells.pair, cells.i, cells.j, state))
    for pair, i, j, kind in zip(*columns, strict=True):
        links[pair][kind].add((i, j))
    return [
        pair.known if pair.known is not None else Alignment.of(found[SURE], found[POSSIBLE]) if pair.answers else None
        for pair, found in zip(pairs, links, strict=True)
    ]
