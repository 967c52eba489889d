"""Functions that merge the links of two alignment directions into one alignment.

An aligner such as GIZA++ links each word of one sentence to at most one word of the other sentence. The two directions
therefore differ. The methods are those of the Moses toolkit (Och and Ney 2003; Koehn, Och and Marcu 2003; Koehn et al.
2005), and the order in which links are added is that of its program `symal`.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Collection
from typing import Literal, get_args

from accord_core.pairs.numerics.links import Link

Method = Literal["intersect", "union", "grow", "grow-diag", "grow-diag-final", "grow-diag-final-and"]
METHODS: tuple[Method, ...] = get_args(Method)

Point = tuple[int, int]
"""A cell of the alignment matrix as (target, source). Moses scans the matrix by target word."""

_ADJACENT = ((-1, 0), (0, -1), (1, 0), (0, 1))
_DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def symmetrize(forward: Collection[Link], backward: Collection[Link], method: Method) -> frozenset[Link]:
    """Return the merged links of a sentence pair. Links are pairs (source, target) in both directions.

    `forward` contains the links of the aligner that generates the target sentence, so that each target word has at most
    one link. `backward` contains the links of the opposite direction. The methods also accept links without this
    limit.

    - `intersect` and `union` return the links that occur in both directions, or in at least one of them.
    - `grow` starts from the intersection, and adds links of the union that are horizontally or vertically adjacent to
      a link, if at least one of the two words has no link yet. `grow-diag` also adds diagonally adjacent links.
    - `grow-diag-final` then adds all links, first of `forward` and then of `backward`, if at least one of the two words
      has no link yet. `grow-diag-final-and` adds links only if neither word has a link.

    Raises ValueError for an unknown method.
    """
    if method not in METHODS:
        raise ValueError(f"The method must be one of {', '.join(METHODS)}, not {method}.")
    forward, backward = set(forward), set(backward)
    if method == "intersect":
        return frozenset(forward & backward)
    if method == "union":
        return frozenset(forward | backward)
    merged = _Matrix(forward & backward)
    merged.grow(forward | backward, _ADJACENT if method == "grow" else _ADJACENT + _DIAGONAL)
    if method.startswith("grow-diag-final"):
        accept = merged.both_unlinked if method.endswith("-and") else merged.one_unlinked
        for direction in (forward, backward):
            merged.add_remaining(direction, accept)
    return frozenset((source, target) for target, source in merged.points)


class _Matrix:
    """The merged links so far, sorted in scanning order, and the words that have at least one link."""

    def __init__(self, links: Collection[Link]) -> None:
        self.points: list[Point] = sorted((target, source) for source, target in links)
        self.targets = {target for target, _ in self.points}
        self.sources = {source for _, source in self.points}

    def grow(self, union: Collection[Link], neighbours: Collection[Point]) -> None:
        """Add adjacent links from the union until none remain. If a scan adds links after the current link, the scan
        also visits these links.
        """
        added = True
        while added:
            added, place = False, 0
            while place < len(self.points):
                target, source = current = self.points[place]
                for down, right in neighbours:
                    point = target + down, source + right
                    if (point[1], point[0]) in union and self.one_unlinked(point):
                        self._add(point)
                        added = True
                place = bisect_right(self.points, current)

    def add_remaining(self, links: Collection[Link], accept: Callable[[Point], bool]) -> None:
        for point in sorted((target, source) for source, target in links):
            if accept(point):
                self._add(point)

    def one_unlinked(self, point: Point) -> bool:
        return point[0] not in self.targets or point[1] not in self.sources

    def both_unlinked(self, point: Point) -> bool:
        return point[0] not in self.targets and point[1] not in self.sources

    def _add(self, point: Point) -> None:
        insort(self.points, point)
        self.targets.add(point[0])
        self.sources.add(point[1])
