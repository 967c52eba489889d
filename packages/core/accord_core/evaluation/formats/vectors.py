"""Readers for sentence and word vectors in NumPy (`.npy`), CSV, word2vec text or GloVe text format.

The format of a file is detected from its contents, not from its name.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord_core.exchange.csvtext import iter_records
from accord_core.exchange.encoding import as_utf8, open_text
from accord_core.exchange.faults import Fault, TableError, raise_faults

Floats = NDArray[np.float64]

_NPY = b"\x93NUMPY"
_NO_TEXT = "the file is not text. Use an array (.npy), CSV, or the text format of word2vec (not its binary format)"


class Vectors(NamedTuple):
    """`values` has the shape (n, d). If the file contains names, each row has a name and a line number. In NumPy
    arrays, each row has a row number.
    """

    values: Floats
    names: list[str] | None
    lines: list[int]


def read_vectors(data: bytes, *, name: str) -> Vectors:
    """Return the vectors in a file, one per row. Raises TableError with all errors and their line numbers.

    CSV files contain only numbers, or a name in the first column, with an optional header. A word2vec file begins with
    the line `n d`, followed by lines with a name and d numbers. A GloVe file has the same lines without the first line.
    """
    if data.startswith(_NPY):
        return _read_array(data, name)
    data = as_utf8(data, name=name)
    if b"\0" in data[:10_000]:
        raise TableError.of_file(name, _NO_TEXT)
    first = open_text(data, name=name).readline()
    if any(sign in first for sign in ",;\t"):
        return _collected(_csv_rows(data, name), name)
    lines = data.removeprefix(b"\xef\xbb\xbf").splitlines()
    return _collected(_text_rows(lines, None), name)


def read_word_vectors(lines: Iterable[bytes], words: Collection[str], *, name: str) -> dict[str, Floats]:
    """Return the vectors for the requested `words` from a file in word2vec or GloVe text format. The file is read line
    by line.

    Only the requested words are stored and checked, because such a file can have several gigabytes. Raises TableError
    with every error in the requested lines.
    """
    stream = iter(lines)
    first = next(stream, b"")
    if b"\0" in first or first.startswith(_NPY):
        raise TableError.of_file(name, "the file must be in the text format of word2vec, which names each vector")
    vectors = _collected(_text_rows(_again(first, stream), frozenset(words)), name, fewest=0)
    names = vectors.names or []
    return {word: vectors.values[n] for n, word in enumerate(names)}


def vectors_of_sentences(vectors: Vectors, sentences: Sequence[str], *, name: str) -> Floats:
    """Return an array (n, d) with one vector per sentence. Raises TableError with the names of sentences that have no
    vector.

    Rows with names belong to the sentence with this name, in which spaces can be replaced by `_`, or to the sentence
    with this number, counted from 1. Rows without names must have the same number and order as the sentences. No vector
    can be zero.
    """
    if vectors.names is None:
        if len(vectors.values) != len(sentences):
            raise TableError.of_file(
                name,
                f"the file has {len(vectors.values):,} vectors for {len(sentences):,} "
                "sentences. Each sentence needs one vector",
            )
        rows = list(range(len(sentences)))
    else:
        rows = _rows_by_name(vectors.names, sentences, name)
    values = vectors.values[rows]
    zero = np.flatnonzero(~values.any(axis=1))
    if len(zero):
        message = "the vector is zero, so it has no direction"
        raise TableError(name, [Fault(vectors.lines[rows[n]], None, message) for n in zero.tolist()])
    return values


def _rows_by_name(names: Sequence[str], sentences: Sequence[str], name: str) -> list[int]:
    row = {each: n for n, each in enumerate(names)}
    numbered = row.keys() >= {str(n) for n in range(1, len(sentences) + 1)}
    rows, faults = [], []
    for number, sentence in enumerate(sentences, start=1):
        keys = (str(number),) if numbered else (sentence, sentence.replace(" ", "_"))
        place = next((row[key] for key in keys if key in row), None)
        if place is None:
            faults.append(Fault(None, None, f"no vector is named “{sentence}” (sentence {number})"))
        else:
            rows.append(place)
    raise_faults(name, faults)
    return rows


def _read_array(data: bytes, name: str) -> Vectors:
    try:
        array = np.load(io.BytesIO(data), allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise TableError.of_file(name, f"the array cannot be read ({error})") from error
    if array.ndim != 2 or array.dtype.kind not in "fiu" or not array.size:
        raise TableError.of_file(
            name,
            f"the array has the shape {array.shape} and the type {array.dtype}. "
            "It must have one row of numbers per sentence",
        )
    values = array.astype(np.float64)
    bad = np.argwhere(~np.isfinite(values))
    first_of_row = {int(row): int(column) for row, column in bad[::-1]}
    if first_of_row:
        faults = [
            Fault(None, None, f"row {row + 1}, number {column + 1}: {values[row, column]} is not a finite number")
            for row, column in sorted(first_of_row.items())
        ]
        raise TableError(name, faults)
    return Vectors(values, None, list(range(1, len(values) + 1)))


class _Row(NamedTuple):
    line: int
    name: str | None
    cells: list[str]


def _csv_rows(data: bytes, name: str) -> Iterator[_Row]:
    records = iter_records(data, name=name)
    line, cells = next(records)
    second = next(records, None)
    named = not _is_number((second or (line, cells))[1][0])
    header = not all(_is_number(cell) for cell in cells[named:])
    if second is None or not header:
        yield _row(line, cells, named)
    if second is not None:
        yield _row(*second, named)
    for line, cells in records:
        yield _row(line, cells, named)


def _row(line: int, cells: list[str], named: bool) -> _Row:
    return _Row(line, cells[0].strip(), cells[1:]) if named else _Row(line, None, cells)


def _text_rows(lines: Iterable[bytes], words: Collection[str] | None) -> Iterator[_Row]:
    """Yield the rows of a text file. Some files have spaces at the ends of lines.

    In a file of word vectors, a name can contain spaces, as in the GloVe vectors of Common Crawl. Such a line has more
    cells than the first line, and its name is not the first word.
    """
    width = None
    for number, line in enumerate(lines, start=1):
        word, _, rest = line.strip(b" \t\r\n").partition(b" ")
        if number == 1 and word.isdigit() and rest.strip().isdigit():
            width = int(rest)  # The first line contains the number of vectors, followed by this width.
            continue
        if not word:
            continue
        if width is None:
            width = len(rest.split())
        text = word.decode("utf-8", errors="replace")
        if words is None or text in words:
            cells = rest.decode("utf-8", errors="replace").split()
            if words is None or len(cells) <= width or " ".join([text, *cells[:-width]]) in words:
                yield _Row(number, text, cells)


def _collected(rows: Iterable[_Row], name: str, *, fewest: int = 1) -> Vectors:
    values: list[Floats] = []
    names: list[str] = []
    lines: list[int] = []
    faults: list[Fault] = []
    first: dict[str, int] = {}
    width = None
    for row in rows:
        numbers = _numbers(row, faults)
        if numbers is None:
            continue
        width = len(numbers) if width is None else width
        if len(numbers) != width or not width:
            message = (
                f"the line has {len(numbers):,} numbers, but line {lines[0]} has {width:,}"
                if lines
                else "the line has no numbers"
            )
            faults.append(Fault(row.line, None, message))
            continue
        if row.name is not None and first.setdefault(row.name, row.line) != row.line:
            faults.append(Fault(row.line, None, f"“{row.name}” is already on line {first[row.name]}"))
            continue
        values.append(numbers)
        lines.append(row.line)
        if row.name is not None:
            names.append(row.name)
    if not faults and len(values) < fewest:
        faults.append(Fault(None, None, "the file has no vectors"))
    raise_faults(name, faults)
    return Vectors(np.array(values).reshape(len(values), width or 0), names or None, lines)


def _numbers(row: _Row, faults: list[Fault]) -> Floats | None:
    try:
        values = np.array(row.cells, dtype=np.float64)
    except ValueError:
        wrong = next(n for n, cell in enumerate(row.cells, start=1) if not _is_number(cell))
        faults.append(Fault(row.line, None, f"number {wrong} is “{row.cells[wrong - 1][:40]}”, which is not a number"))
        return None
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        faults.append(Fault(row.line, None, f"number {bad[0] + 1} is {row.cells[bad[0]]}, which is not finite"))
        return None
    return values


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _again(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest
