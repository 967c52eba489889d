"""Tables in large files, which are read in chunks so that a file is never completely in memory.

    table = read_chunks(Chunked("Batch_1.csv", upload.chunks), limits=Limits(rows=1_000_000))
    for row in table.rows:
        row.line, row.values["AssignmentId"]

Excel writes UTF-8 with a byte order mark, UTF-16, or the encoding of the computer, which is Windows-1252 in Western
Europe and America. The separator is a comma, a semicolon or a tab.
"""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from annotate.exchange.csvtext import records_of, sniff_delimiter
from annotate.exchange.encoding import UTF16_MARKS
from annotate.exchange.faults import Fault, TableError
from annotate.exchange.tables import Limits, TableStream, iter_table, table_of

BLOCK = 1 << 16
LONGEST_HEADER = 1 << 20  # characters


@dataclass(frozen=True)
class Chunked:
    """A file whose contents `chunks` yields from the beginning each time it is called."""

    name: str
    chunks: Callable[[], Iterable[bytes]]


def encoding_of(file: Chunked) -> str:
    """Return the encoding of a text file, which is UTF-8, UTF-16 with a byte order mark, or otherwise Windows-1252.

    Raises TableError if the file is not text.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    encoding, first = "utf-8-sig", True
    for chunk in filter(None, file.chunks()):
        if first and chunk.startswith(UTF16_MARKS):
            return "utf-16"
        first = False
        if b"\0" in chunk:
            message = "the file contains a NUL byte, so it is not text. Save the file as CSV in UTF-8"
            raise TableError(file.name, [Fault(None, None, message)])
        if encoding == "utf-8-sig":
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError:
                encoding = "windows-1252"
    return "windows-1252" if decoder.getstate()[0] else encoding  # the last character is incomplete


def read_chunks(file: Chunked, *, limits: Limits) -> TableStream:
    """Return the table in a CSV or JSON Lines file in any of these encodings. Errors in rows are raised at the end.

    A JSON Lines file is read as a whole, because no host writes results in that format.
    """
    start = next(filter(None, file.chunks()), b"")
    if start.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{"):
        return iter_table(b"".join(file.chunks()), name=file.name, limits=limits)
    encoding = encoding_of(file)
    reader = io.BufferedReader(_Reader(file.chunks()), BLOCK)
    stream = io.TextIOWrapper(reader, encoding=encoding, errors="strict", newline="")
    try:
        header = stream.readline(LONGEST_HEADER)
    except UnicodeDecodeError as error:
        raise _undecodable(file.name, encoding) from error
    lines = _decoded(header, stream, file.name, encoding)
    records = records_of(lines, name=file.name, delimiter=sniff_delimiter(header), escaped=True)
    return table_of(records, name=file.name, limits=limits)


def _decoded(header: str, stream: Iterable[str], name: str, encoding: str) -> Iterator[str]:
    if header:
        yield header
    try:
        yield from stream
    except UnicodeDecodeError as error:
        raise _undecodable(name, encoding) from error


def _undecodable(name: str, encoding: str) -> TableError:
    return TableError(name, [Fault(None, None, f"the file is not valid text in {encoding}. Save the file in UTF-8")])


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
