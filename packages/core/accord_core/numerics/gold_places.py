"""The positions of gold questions in a HIT, which are the same for everyone who takes the HIT."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from .draws import draw

Question = TypeVar("Question")


def insert_gold(
    regular: Sequence[Question], gold: Iterable[tuple[int, Question]], *, block: int, seed: int, first: str
) -> list[Question]:
    """Insert gold questions into the blocks of a HIT, one block after the other, and return all questions in order.

    Each gold question comes with its place in the gold set. The seed, the place and the ref of the HIT's first question
    (`first`) determine the position, because primary keys differ between copies of a study. A `block` of 0 stands for
    the whole HIT.
    """
    block = block or len(regular)
    blocks = [list(regular[start : start + block]) for start in range(0, len(regular), block)]
    for place, question in gold:
        chosen = blocks[place % len(blocks)]
        chosen.insert(int(draw(seed, "gold place", first, place) * (len(chosen) + 1)), question)
    return [question for chosen in blocks for question in chosen]
