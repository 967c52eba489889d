"""The largest disagreements of a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.numerics.printed import coefficient


def largest(disagreements: Sequence[Mapping[str, Any]], most: int) -> list[Mapping[str, Any]]:
    """Return the first disagreements, without those with F1 1.00, which differ only in links that F1 does not count."""
    return [row for row in disagreements[:most] if coefficient(row["f1"], 2) != coefficient(1, 2)]
