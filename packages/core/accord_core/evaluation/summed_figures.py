"""Figures that are functions of mean counts, such as the alignment error rate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from accord_core.numerics.labels import Floats


class SummedFigures(NamedTuple):
    """Figures that are functions of mean counts: their `names`, the function `estimate` from means (B, K) to figures
    (F, B), and the function `rare` from judged counts (n, K) to the number of judged cases of the rarer kind (F,).
    Systems are ranked by the figure with the number `ranked`. With `lower`, lower values of this figure are better.
    """

    names: Sequence[str]
    estimate: Callable[[Floats], Floats]
    rare: Callable[[Floats], Floats]
    ranked: int
    lower: bool = False
