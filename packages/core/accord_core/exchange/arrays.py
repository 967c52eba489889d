"""Functions that convert between plain values and the arrays stored with a report."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Columns = dict[str, NDArray[Any]]


def json_array(value: Any) -> NDArray[np.uint8]:
    """Return any JSON value as a byte array, so that a report's entire input can be stored in one array file."""
    return np.frombuffer(json.dumps(value, ensure_ascii=False).encode(), dtype=np.uint8)


def read_json_array(array: NDArray[np.uint8]) -> Any:
    """Return the JSON value stored in an array by `json_array`."""
    return json.loads(array.tobytes())


def int_array(values: Iterable[int]) -> Ints:
    """Return whole numbers as an array of shape (n,)."""
    return np.fromiter(values, dtype=np.int64)


def table_array(rows: Sequence[Sequence[int]], width: int) -> Ints:
    """Return rows of whole numbers as an array of shape (n, width). If `rows` is empty, the array has the shape (0,
    width).
    """
    return np.array(rows, dtype=np.int64).reshape(-1, width)


def float_array(values: Iterable[float | None]) -> Floats:
    """Return numbers as an array of shape (n,), with NaN for each missing value."""
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def finite_or_none(value: float) -> float | None:
    """Return the number in a form that JSON can represent, with None for NaN and infinity."""
    return float(value) if np.isfinite(value) else None


def pack(columns: Columns) -> bytes:
    """Return columns as a compressed .npz file. Its bytes depend only on the columns."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **dict(sorted(columns.items())))  # type: ignore[arg-type]
    return buffer.getvalue()


def unpack(data: bytes) -> Columns:
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}
