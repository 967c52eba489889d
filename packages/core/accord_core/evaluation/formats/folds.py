"""Files that assign items to the test folds of a cross-validation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from accord_core.evaluation.numerics.folds import test_folds
from accord_core.exchange.csvtext import write_csv

FOLDS = 5
COLUMNS = ("item", "fold")


def write_folds(items: Sequence[str], folds: int, seed: int) -> Iterator[str]:
    """Yield a CSV file with the test fold of each item, numbered from 1. Raises ValueError as `test_folds` does."""
    numbers = (test_folds(items, folds, seed) + 1).astype(str).tolist()
    return write_csv(zip(items, numbers, strict=True), COLUMNS)
