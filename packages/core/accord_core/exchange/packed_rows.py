"""A list that stores its rows in compressed batches, because a million rows would need a gigabyte as Python objects."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar, overload

Row = TypeVar("Row")

BATCH = 2_000


class PackedRows(Sequence[Row]):
    """Rows in compressed batches. Reading a row decompresses its batch, so rows should be read in order."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._batches: list[bytes] = []
        self._last: list[Row] = []
        for row in rows:
            self._last.append(row)
            if len(self._last) == BATCH:
                self._batches.append(zlib.compress(pickle.dumps(self._last), 1))
                self._last = []

    def __len__(self) -> int:
        return BATCH * len(self._batches) + len(self._last)

    def __iter__(self) -> Iterator[Row]:
        for number in range(len(self._batches) + 1):
            yield from self._batch(number)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> list[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | list[Row]:
        if isinstance(place, slice):
            start, stop, step = place.indices(len(self))
            if step != 1:
                return list(self)[place]
            rows = [row for number in range(start // BATCH, -(-stop // BATCH)) for row in self._batch(number)]
            return rows[start % BATCH : start % BATCH + max(0, stop - start)]
        index = range(len(self))[place]
        return self._batch(index // BATCH)[index % BATCH]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # like a list

    def _batch(self, number: int) -> list[Row]:
        if number == len(self._batches):
            return self._last
        rows: list[Row] = pickle.loads(zlib.decompress(self._batches[number]))  # noqa: S301 - packed by this object
        return rows
