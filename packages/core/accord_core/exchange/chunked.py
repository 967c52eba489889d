"""Tables in large files, read in chunks so that a file is never completely in memory.

    table = read_chunks(Chunked("Batch_1.csv", upload.chunks), limits=Limits(rows=1_000_000))
    for row in table.rows:
        row.line, row.values["AssignmentId"]

The encoding is detected as in all other files (see `encoding`). The separator is detected as well.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from accord_core.exchange.csvtext import first_lines, records_of, sniff_delimiter
from accord_core.exchange.encoding import ENCODINGS, UTF8, codec_of, detect_encoding, kind_of_binary
from accord_core.exchange.faults import Fault, TableError
from accord_core.exchange.tables import Limits, TableStream, iter_table, table_of

BLOCK = 1 << 16


@dataclass(frozen=True)
class Chunked:
    """A file. Each call to `chunks` yields its contents from the beginning."""

    name: str
    chunks: Callable[[], Iterable[bytes]]


def read_chunks(file: Chunked, *, limits: Limits) -> TableStream:
    """Return the table in a CSV or JSON Lines file in any encoding. Errors in rows are raised at the end.

    A JSON Lines file is read as a whole, because no host writes results in that format.
    """
    chunk = next(filter(None, file.chunks()), b"")
    if kind_of_binary(chunk):
        # The end of a workbook shows whether it is damaged.
        raise TableError.of_file(file.name, kind_of_binary(b"".join(file.chunks())))
    encoding = detect_encoding(file.chunks()).encoding
    codec = "utf-8-sig" if encoding == UTF8 else codec_of(encoding)
    reader = io.BufferedReader(_Reader(file.chunks()), BLOCK)
    stream = io.TextIOWrapper(reader, encoding=codec, errors="strict", newline="")
    try:
        start = first_lines(stream).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise _undecodable(file.name, encoding) from error
    if start.lstrip().startswith("{"):
        return iter_table(b"".join(file.chunks()), name=file.name, limits=limits)
    lines = _decoded(start, stream, file.name, encoding)
    records = records_of(lines, start, name=file.name, delimiter=sniff_delimiter(start), escaped=True)
    return table_of(records, name=file.name, limits=limits)


def _decoded(start: str, stream: Iterable[str], name: str, encoding: str) -> Iterator[str]:
    yield from io.StringIO(start, newline="")
    try:
        for line in stream:
            if "\0" in line:
                raise TableError.of_file(
                    name, "the file contains a NUL byte, so it is not text. Save the file as CSV in UTF-8"
                )
            yield line
    except UnicodeDecodeError as error:
        raise _undecodable(name, encoding) from error


def _undecodable(name: str, encoding: str) -> TableError:
    message = f"the file is not valid text in {ENCODINGS[encoding]}. Save the file in UTF-8"
    return TableError(name, [Fault(None, None, message)])


class _Reader(io.RawIOBase):
    """A binary file that consists of chunks."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        while not self._rest:
            chunk = next(self._chunks, None)
            if chunk is None:
                return 0
            self._rest = memoryview(chunk)
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size
