"""Reproducible random draws that are based on hashes of seeds and stable names instead of a shared generator."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray


def draw(*names: int | str) -> float:
    """Return a random number in [0, 1) that depends only on the given names and their order."""
    return (int.from_bytes(_digest(names)[:8], "big") >> 11) / 2**53


def sample(size: int, count: int, *names: int | str) -> list[int]:
    """Draw `count` different numbers below `size`, without replacement. The same names always give the same numbers."""
    moved: dict[int, int] = {}  # a Fisher–Yates shuffle that stores only the numbers that have moved
    drawn = []
    for place in range(count):
        chosen = place + int(draw(*names, place) * (size - place))
        drawn.append(moved.get(chosen, chosen))
        moved[chosen] = moved.get(place, place)
    return drawn


def generator(*names: int | str) -> np.random.Generator:
    """Return a random generator whose seed depends only on the given names."""
    return np.random.default_rng(int.from_bytes(_digest(names), "big"))


def choices_by_row(probabilities: NDArray[np.float64], generator: np.random.Generator) -> NDArray[np.int64]:
    """Return one random column (n,) for each row of `probabilities` (n, q), whose rows need not sum to 1."""
    reached = probabilities.cumsum(axis=1)
    chosen = (generator.random(len(probabilities))[:, None] * reached[:, -1:] >= reached).sum(axis=1)
    columns: NDArray[np.int64] = np.minimum(chosen, probabilities.shape[1] - 1)
    return columns


def new_annotators(known: int, size: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """Return the numbers (size,) of the known annotators whose behaviour `size` new annotators have.

    The annotators of a study are a sample. A Bayesian bootstrap (Rubin 1981) first draws how frequent the behaviour of
    each of them is in the population, so that the new annotators differ from the sample as two samples do.
    """
    return generator.choice(known, size, p=generator.dirichlet(np.ones(known)))


def derived_seed(*names: int | str) -> int:
    """Return a 53-bit seed that depends only on the given names."""
    return int.from_bytes(_digest(names)[:8], "big") >> 11


def _digest(names: tuple[int | str, ...]) -> bytes:
    # The hash includes the length of each part, so that ("a", "bc") differs from ("ab", "c").
    text = "".join(f"{len(str(name))}:{name}" for name in names)
    return hashlib.sha256(text.encode()).digest()
