"""Tests of suppression: published counts leave several possibilities for each hidden count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import pytest

from accord_core.numerics.suppression import suppress, suppress_options


@pytest.mark.parametrize(
    ("counts", "published"),
    [
        ([12, 9, 0], [12, 9, 0]),
        ([12, 9, 3], [12, None, None]),
        ([12, 4, 3], [12, None, None]),
        ([12, 1, 1, 1, 1, 1], [None, None, None, None, None, None]),
        ([12, 0, 2], [None, 0, None]),
        ([12, 5, 5, 4], [12, None, None, None]),
        ([3, 4, 0], [None, None, None]),
        ([3, 0], [None, None]),
    ],
)
def test_small_counts_are_hidden_with_complements(counts: list[int], published: list[int | None]) -> None:
    assert suppress(counts) == published


def test_an_option_is_hidden_if_few_chose_it_or_few_did_not() -> None:
    assert suppress_options([0, 3, 7, 17, 20], 20) == [0, None, 7, None, 20]


@pytest.mark.parametrize("cells", [2, 3, 4])
def test_no_hidden_count_can_be_calculated(cells: int) -> None:
    """The reader knows the total and the procedure. Several tables must lead to the same publication."""
    for total in range(5, 19):
        tables = defaultdict(list)
        for counts in compositions(total, cells):
            tables[tuple(suppress(counts))].append(counts)
        for published, possible in tables.items():
            for at, count in enumerate(published):
                if count is None:
                    assert len({counts[at] for counts in possible}) > 1, (published, possible)


def compositions(total: int, cells: int) -> Iterator[tuple[int, ...]]:
    if cells == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, cells - 1):
            yield (first, *rest)
