"""Reading the files of a release from a folder or a zip file."""

from __future__ import annotations

import hashlib
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import IO

LARGEST = 2 * 1024**3  # bytes of the unpacked files in a zip file
SUMS = "SHA256SUMS"
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # other methods cannot be unpacked in parts
DAMAGED = (  # errors of zipfile for damaged, encrypted and other files
    *(zipfile.BadZipFile, zlib.error, struct.error, UnicodeDecodeError),
    *(NotImplementedError, RuntimeError, EOFError, OSError, OverflowError),
)


class UnreadableRelease(ValueError):
    """Error raised for files that are not a complete release. The message is one sentence for researchers."""


def read_release(place: Path) -> dict[str, bytes]:
    """Return the files in a folder or zip file by path. Raises `UnreadableRelease`."""
    if place.is_dir():
        files = sorted(path for path in place.rglob("*") if path.is_file())
        return {path.relative_to(place).as_posix(): path.read_bytes() for path in files}
    with place.open("rb") as file:
        return read_zip(file, str(place))


def read_zip(file: IO[bytes], name: str, largest: int | None = None) -> dict[str, bytes]:
    """Return the files in a zip file by path, without the folder of the release. `name` is for error messages, and
    `largest` the maximum number of unpacked bytes. Raises `UnreadableRelease`.
    """
    largest = largest or LARGEST
    if (size := unpacked_size(file, name)) > largest:  # a small file can unpack to many gigabytes
        raise UnreadableRelease(
            f"The files in {name} have {size:,} bytes, but the maximum is {largest:,}. Unpack the file yourself, and "
            "use its folder with the accord command."
        )
    try:
        with zipfile.ZipFile(file) as archive:
            entries = _entries(archive)
            names = [info.filename.split("/", 1)[-1] for info in entries]
            if twice := [name for name, times in Counter(names).items() if times > 1]:
                # Only one of two files with the same path would be verified, and a reader could unpack the other.
                raise UnreadableRelease(f"{name} contains the file {twice[0]} more than once.")
            return {name: _content(archive, info) for name, info in zip(names, entries, strict=True)}
    except DAMAGED as error:
        raise UnreadableRelease(f"{name} is neither a folder nor a readable zip file: {error}.") from error


def unpacked_size(file: IO[bytes], name: str) -> int:
    """Return the number of unpacked bytes that a zip file states. `read_zip` reads no more. Raises
    `UnreadableRelease`.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            return sum(info.file_size for info in _entries(archive))
    except DAMAGED as error:
        raise UnreadableRelease(f"{name} is neither a folder nor a readable zip file: {error}.") from error


def _entries(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    return [info for info in archive.infolist() if not info.is_dir()]


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Return a file in an archive. `ZipFile.read` would unpack everything before it compares the size with the stated
    one.
    """
    if info.compress_type not in METHODS:
        raise zipfile.BadZipFile(f"{info.filename} has a compression method other than Deflate")
    with archive.open(info) as content:
        return content.read(info.file_size)


def checksum_faults(files: Mapping[str, bytes]) -> tuple[int, list[str]]:
    """Return the number of listed files, and a sentence for each file that is missing, changed or not listed."""
    if SUMS not in files:
        return 0, [f"{SUMS} is missing"]
    listed: dict[str, str] = {}
    for line in files[SUMS].decode(errors="replace").splitlines():
        digest, _, path = line.partition("  ")
        listed[path] = digest
    faults = []
    for path, digest in listed.items():
        if path not in files:
            faults.append(f"{path} is missing")
        elif hashlib.sha256(files[path]).hexdigest() != digest:
            faults.append(f"{path} differs from the published file: the checksum is different")
    faults += [f"{path} is not in {SUMS}" for path in files if path not in listed and path != SUMS]
    return len(listed), faults


def require_whole(files: Mapping[str, bytes], name: str) -> None:
    """Raise `UnreadableRelease` with the first fault, unless all files of a release are there and unchanged."""
    if SUMS not in files:
        raise UnreadableRelease(f"{name} is not a release of Accord, because it contains no {SUMS}.")
    _, faults = checksum_faults(files)
    if faults:
        raise UnreadableRelease(f"{name} is not the published release: {faults[0]}. Download the release again.")
