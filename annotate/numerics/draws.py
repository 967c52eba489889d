"""Reproducible random draws that are based on hashes of seeds and stable names instead of a shared generator."""

from __future__ import annotations

import hashlib

import numpy as np


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


def derived_seed(*names: int | str) -> int:
    """Return a 53-bit seed that depends only on the given names."""
    return int.from_bytes(_digest(names)[:8], "big") >> 11


def _digest(names: tuple[int | str, ...]) -> bytes:
    # The hash includes the length of each part, so that ("a", "bc") differs from ("ab", "c").
    text = "".join(f"{len(str(name))}:{name}" for name in names)
    return hashlib.sha256(text.encode()).digest()
