"""The fewest actions that turn the links of a word-alignment board into the wanted links, as far as simple plans go.

By pointer: a drag links two words, or takes a link of the same kind away. A drag along one sentence selects
neighbouring words, so that a block costs a drag for each side with several words, and one more. By keys, each word has
a letter, and Space adds one more word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import count

Pair = tuple[int, int]
Links = Mapping[Pair, str]  # "sure" or "possible"
SIGNS = "abcdefghijklmnopqrstuvwxyz1234567890"


@dataclass(frozen=True)
class Block:
    """All pairs between runs of neighbouring words, which get this kind of link, or lose it if all of them have it. A
    diagonal contains the first words of both runs, the second words, and so on.
    """

    kind: str
    first: range
    second: range
    is_diagonal: bool = False

    @cached_property
    def pairs(self) -> frozenset[Pair]:
        if self.is_diagonal:
            return frozenset(zip(self.first, self.second, strict=True))
        return frozenset((i, j) for i in self.first for j in self.second)


def drags_of(block: Block) -> int:
    """Count a selection for each side with several words, and the drag or press that links them."""
    return 1 + (len(block.first) > 1) + (len(block.second) > 1)


def keys_of(block: Block) -> int:
    """Count a letter for each side, and a Space for each further word or Shift and a letter for all of them."""
    return sum(1 + min(len(run) - 1, 2) for run in (block.first, block.second))


def cells_of(block: Block) -> int:
    """Count a drag over cells of the table, and Alt for a diagonal."""
    return 1 + block.is_diagonal


def labels(count: int) -> list[str]:
    """Return the letters of the words of a sentence, like `letters.js`."""
    long = max(0, -((len(SIGNS) - count) // (len(SIGNS) - 1)))
    short, first = SIGNS[: len(SIGNS) - long], SIGNS[len(SIGNS) - long :]
    return [*short, *(one + two for one in first for two in SIGNS)][:count]


def changes(start: Links, wanted: Links) -> list[Pair]:
    """Return the pairs whose link is added, removed or changed in kind."""
    return sorted(pair for pair in {*start, *wanted} if start.get(pair) != wanted.get(pair))


def blocks(
    start: Links, wanted: Links, actions: Callable[[Block], int] = drags_of, *, diagonals: bool = False
) -> list[Block]:
    """Return blocks that carry out all changes: sure links first, so that the kind is chosen once."""
    found: list[Block] = []
    for kind in ("sure", "possible"):
        gone = {pair for pair, link in start.items() if link == kind and pair not in wanted}
        whole = {pair for pair, link in wanted.items() if link == kind}
        new = {pair for pair in whole if start.get(pair) != kind}
        for pairs, within in ((gone, gone), (new, whole)):
            among = [Block(kind, *ranges) for ranges in _rectangles(within)]
            if diagonals:
                among += [Block(kind, *ranges, is_diagonal=True) for ranges in _diagonals(within)]
            found += _cover(pairs, among, actions)
    return found


def _cover(pairs: set[Pair], among: list[Block], actions: Callable[[Block], int]) -> Iterator[Block]:
    """Choose the block that carries out most changes per action, again and again."""
    left = set(pairs)
    while left:
        best = max(among, key=lambda block: (len(block.pairs & left) / actions(block), -len(block.pairs)))
        yield best
        left -= best.pairs


def _rectangles(pairs: set[Pair]) -> Iterator[tuple[range, range]]:
    """Return each block of neighbouring words of which all pairs are among these."""
    for i, j in pairs:
        width = len(pairs)
        for last in count(i):
            row = next(k for k in range(width + 1) if k == width or (last, j + k) not in pairs)
            width = min(width, row)
            if not width:
                break
            yield from ((range(i, last + 1), range(j, j + k)) for k in range(1, width + 1))


def _diagonals(pairs: set[Pair]) -> Iterator[tuple[range, range]]:
    """Return each diagonal of at least two of these pairs."""
    for i, j in pairs:
        for length in count(2):
            if (i + length - 1, j + length - 1) not in pairs:
                break
            yield range(i, i + length), range(j, j + length)
