"""Files at the edge: bytes in from a path or standard input, whole files out or none."""

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

STANDARD = "-"


def read_bytes(path: str) -> bytes:
    """All of a file, or of standard input where `path` is `-`. Raises OSError."""
    return sys.stdin.buffer.read() if path == STANDARD else Path(path).read_bytes()


def source_name(path: str) -> str:
    """What an error message calls the file."""
    return "standard input" if path == STANDARD else path


def write_whole(path: str, chunks: Iterable[str | bytes]) -> None:
    """Write bytes, or text in UTF-8, so that a reader sees the old file or the new one, never half of it.

    `-` is standard output. A symbolic link is followed. What is no regular file (a pipe, /dev/null) is written to
    directly. Raises OSError.
    """
    if path == STANDARD:
        sys.stdout.flush()
        sys.stdout.buffer.writelines(_encoded(chunks))
        sys.stdout.buffer.flush()
        return
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        with target.open("wb") as stream:
            stream.writelines(_encoded(chunks))
        return
    draft = target.with_name(f".{target.name[:100]}.{os.urandom(6).hex()}")
    try:
        with draft.open("xb") as stream:
            stream.writelines(_encoded(chunks))
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            draft.chmod(stat.S_IMODE(target.stat().st_mode))
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def _encoded(chunks: Iterable[str | bytes]) -> Iterator[bytes]:
    return (chunk.encode() if isinstance(chunk, str) else chunk for chunk in chunks)
