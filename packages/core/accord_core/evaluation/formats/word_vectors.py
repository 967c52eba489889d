"""Files of word vectors, which are read as streams because they can be several gigabytes.

Three formats are read, each also compressed with gzip: the text format of word2vec and fastText, the format of GloVe,
and the binary format of word2vec, in which the vectors of the Google News corpus were published.
"""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from io import BufferedReader
from typing import BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from accord_core.evaluation.formats.vectors import read_word_vectors
from accord_core.exchange.faults import TableError
from accord_core.exchange.files import STANDARD, source_name

Floats = NDArray[np.float64]

GZIP = b"\x1f\x8b"
CHUNK = 1 << 20
NUMBER_BYTES = 4  # The size of a number in the binary format.
LONGEST_WORD = 10_000  # A binary file that contains a longer word (in bytes) is damaged.


def open_word_vectors(path: str, words: Collection[str]) -> dict[str, Floats]:
    """Return the vectors (d,) of the requested `words` in a file, or from standard input if `path` is `-`.

    Only the requested words are stored. Raises OSError, and TableError for a file in any other format.
    """
    name = source_name(path)
    with _opened(path) as stream:
        try:
            if _is_binary(stream):
                return _read_binary(stream, words, name)
            return read_word_vectors(stream, words, name=name)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise TableError.of_file(name, f"the file cannot be unpacked ({error})") from error


@contextmanager
def _opened(path: str) -> Iterator[BufferedReader]:
    """Open a file, and decompress it if its first bytes show that it is a gzip file."""
    raw = cast(BufferedReader, sys.stdin.buffer) if path == STANDARD else open(path, "rb")  # noqa: SIM115
    try:
        if raw.peek(2)[:2] == GZIP:
            yield BufferedReader(gzip.GzipFile(fileobj=cast(BinaryIO, raw)), CHUNK)
        else:
            yield raw
    finally:
        if path != STANDARD:
            raw.close()


def _is_binary(stream: BufferedReader) -> bool:
    """Return whether the file begins with two numbers, and its next line contains bytes that are not text."""
    start = stream.peek(CHUNK)[:CHUNK]
    header, _, rest = start.partition(b"\n")
    numbers = header.split()
    return len(numbers) == 2 and all(number.isdigit() for number in numbers) and b"\0" in rest[:10_000]


def _read_binary(stream: BufferedReader, words: Collection[str], name: str) -> dict[str, Floats]:
    count, width = (int(number) for number in stream.readline().split())
    size = NUMBER_BYTES * width
    vectors: dict[str, Floats] = {}
    buffer, place = b"", 0
    for row in range(1, count + 1):
        end = buffer.find(b" ", place)
        while end < 0 or len(buffer) < end + 1 + size:
            more = stream.read(CHUNK)
            if not more or (end < 0 and len(buffer) - place > LONGEST_WORD):
                raise TableError.of_file(
                    name, f"the file ends in vector {row:,}, but the first line announces {count:,} vectors"
                )
            buffer, place = buffer[place:] + more, 0
            end = buffer.find(b" ")
        word = buffer[place:end].lstrip(b"\n").decode("utf-8", errors="replace")
        place = end + 1 + size
        if word in words:
            values = np.frombuffer(buffer[end + 1 : place], dtype="<f4").astype(np.float64)
            if not np.isfinite(values).all():
                raise TableError.of_file(name, f"the vector of {word} contains a number that is not finite")
            vectors.setdefault(word, values)
    return vectors
