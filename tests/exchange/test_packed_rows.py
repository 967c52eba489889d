"""Tests of the compact stores for rows and lines of large files, compared with a list and a dictionary."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.exchange.first_lines import SMALLEST, FirstLines
from accord_core.exchange.packed_rows import BATCH, PackedRows
from bws.items import read_items
from tests.memory import peak_memory


@pytest.mark.parametrize("size", [0, 1, BATCH - 1, BATCH, BATCH + 1, 3 * BATCH])
def test_packed_rows_equal_a_list(size: int) -> None:
    rows = [(f"key {number}", {"text": "x" * (number % 7)}) for number in range(size)]
    packed = PackedRows(iter(rows))
    assert (len(packed), list(packed), packed == rows, bool(packed)) == (size, rows, True, size > 0)
    places = [slice(None), slice(2), slice(BATCH - 1, BATCH + 2), slice(BATCH, 2 * BATCH), slice(-3, None)]
    for place in [*places, slice(5, 2), slice(None, None, -1)]:
        assert packed[place] == rows[place]
    for index in {0, BATCH - 1, BATCH, size - 1, -1} & set(range(-size, size)):
        assert packed[index] == rows[index]
    with pytest.raises(IndexError):
        packed[size]


@given(st.lists(st.tuples(st.integers(0, 30), st.one_of(st.none(), st.integers(0, 99)))))
def test_first_lines_equal_a_dictionary(entries: list[tuple[int, int | None]]) -> None:
    compact, plain = FirstLines(), dict[str, int | None]()
    for value, line in entries:
        assert (str(value) in compact) == (str(value) in plain)
        assert compact.setdefault(str(value), line) == plain.setdefault(str(value), line)


def test_first_lines_grow() -> None:
    compact = FirstLines()
    values = [f"i{number}" for number in range(3 * SMALLEST)]
    for line, value in enumerate(values):
        assert compact.setdefault(value, line) == line
    assert [compact.setdefault(value, 0) for value in values] == list(range(3 * SMALLEST))
    assert "other" not in compact


@pytest.mark.nightly
def test_items_of_a_large_file_need_little_memory() -> None:
    def peak(rows: int) -> int:
        lines = "".join(
            f"i{n},The {n}th boat left the harbour.,Boat {n} was out at sea.,s{n % 7}\n" for n in range(rows)
        )
        data = f"id,sentence1,sentence2,source\n{lines}".encode()
        limits = {"rows": rows, "bytes": len(data), "cell": 2_000}
        results = []
        highest = peak_memory(lambda: results.append(read_items(data, "items.csv", {"size": 4}, limits)))
        assert (len(results[0].items), results[0].faults) == (rows, [])
        return highest

    few, many = BATCH, 2 * BATCH
    assert (peak(many) - peak(few)) / (many - few) < 500, "bytes per row, of which a list needs more than 1,000"
