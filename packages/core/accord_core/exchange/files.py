"""Functions that read or write a complete file, standard input or standard output."""

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from accord_core.exchange.encoding import ENCODINGS, as_utf8, detect_encoding, kind_of_binary

STANDARD = "-"


_encoding: ContextVar[str | None] = ContextVar("encoding", default=None)
_on_doubt: ContextVar[Callable[[str], None] | None] = ContextVar("on_doubt", default=None)


@contextmanager
def chosen_encoding(encoding: str | None, on_doubt: Callable[[str], None] | None = None) -> Iterator[None]:
    """Read all text files in this encoding instead of the detected one. `on_doubt` receives a message for each file
    whose detected encoding is not certain.
    """
    encoding_before, on_doubt_before = _encoding.set(encoding), _on_doubt.set(on_doubt)
    try:
        yield
    finally:
        _encoding.reset(encoding_before)
        _on_doubt.reset(on_doubt_before)


def get_encoding() -> str | None:
    """Return the chosen encoding, or None if encodings should be detected."""
    return _encoding.get()


def read_bytes(path: str) -> bytes:
    """Return a text file in UTF-8, decoded from the chosen or the detected encoding. Files that are not text are
    returned unchanged. Raises OSError, or TableError if the file is not valid in the chosen encoding.
    """
    data, name, encoding = read_unchanged(path), source_name(path), _encoding.get()
    if encoding is None and not kind_of_binary(data):
        detected = detect_encoding([data])
        encoding = detected.encoding
        if not detected.is_sure and (on_doubt := _on_doubt.get()):
            read_as = f"Accord read the file as {ENCODINGS[encoding]}"
            on_doubt(f"{name}: the encoding is not certain. {read_as}. Use accord --encoding to choose another")
    return as_utf8(data, name=name, encoding=encoding)


def read_unchanged(path: str) -> bytes:
    """Return the contents of a file, or of standard input if `path` is `-`. Raises OSError."""
    return sys.stdin.buffer.read() if path == STANDARD else Path(path).read_bytes()


def source_name(path: str) -> str:
    """Return the name of the file, as shown in error messages."""
    return "standard input" if path == STANDARD else path


def write_whole(path: str, chunks: Iterable[str | bytes]) -> None:
    """Write bytes or UTF-8 text to a file. An existing file is replaced only when the new file is complete.

    `-` is standard output. Symbolic links are followed. Pipes and devices such as /dev/null are written directly.
    Raises OSError.
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
