"""Table cells for the estimates of a link model: tokens, probabilities and scores."""

from __future__ import annotations

from collections.abc import Iterable

from accord_core.chunks.numerics.chunks import RELATIONS
from accord_core.chunks.numerics.modelled import LinkEstimate

LEAST = 0.00005
"""Types with a smaller probability are omitted, because the probability would be printed as 0."""


def estimate_cells(estimate: LinkEstimate | None) -> list[str]:
    """Return the probability of a link, the probabilities of its types, and its expected score, as text."""
    if estimate is None:
        return ["", "", ""]
    types = (f"{name}:{share:.4f}" for name, share in zip(RELATIONS, estimate.types, strict=True) if share >= LEAST)
    return [f"{estimate.linked:.6f}", " ".join(types), f"{estimate.expected_score:.6f}"]


def tokens_cell(chunk: Iterable[int]) -> str:
    """Return a chunk's token numbers, starting at 1."""
    return " ".join(str(token + 1) for token in chunk)
