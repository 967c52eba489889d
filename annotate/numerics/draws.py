"""Randomness that can be told again: drawn by hashing seeds and stable names, never from a shared generator."""

from __future__ import annotations

import hashlib

import numpy as np


def draw(*names: int | str) -> float:
    """A number in [0, 1), the same for the same names in the same order."""
    return (int.from_bytes(_digest(names)[:8], "big") >> 11) / 2**53


def generator(*names: int | str) -> np.random.Generator:
    """A generator of its own for these names."""
    return np.random.default_rng(int.from_bytes(_digest(names), "big"))


def derived_seed(*names: int | str) -> int:
    """A 53-bit seed for these names."""
    return int.from_bytes(_digest(names)[:8], "big") >> 11


def _digest(names: tuple[int | str, ...]) -> bytes:
    # The length of each part is part of what is hashed: ("a", "bc") is not ("ab", "c").
    text = "".join(f"{len(str(name))}:{name}" for name in names)
    return hashlib.sha256(text.encode()).digest()
