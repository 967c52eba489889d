"""Zip archives written during the download, so that memory use does not grow with the archive."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator
from datetime import datetime


class _Unsent(io.RawIOBase):
    """A file object that stores the written bytes until `take` removes them."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        part = bytes(data)  # type: ignore[call-overload]
        self._parts.append(part)
        return len(part)

    def take(self) -> bytes:
        data = b"".join(self._parts)
        self._parts.clear()
        return data


def zipped(files: Iterable[tuple[str, Iterable[bytes]]], at: datetime) -> Iterator[bytes]:
    """Yield the bytes of a zip archive that contains these files, each given by its name and its chunks. All files have
    the modification time `at`.

    The same files and time always produce the same bytes.
    """
    unsent = _Unsent()
    with zipfile.ZipFile(unsent, "w") as archive:
        for name, chunks in files:
            entry = zipfile.ZipInfo(name, at.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as file:
                for chunk in chunks:
                    file.write(chunk)
                    if data := unsent.take():
                        yield data
            yield unsent.take()
    yield unsent.take()
