"""Bytes that claim to be text: UTF-8 with or without a byte order mark, and nothing else."""

import codecs
from io import BytesIO, TextIOWrapper

from annotate.exchange.faults import Fault, TableError

UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def open_text(data: bytes, *, name: str) -> TextIOWrapper:
    """A stream over `data` that leaves line endings as they are.

    Raises TableError naming line and byte where `data` is not UTF-8 or holds a NUL, and where it is empty.
    """
    if not data.removeprefix(codecs.BOM_UTF8).strip():
        raise TableError(name, [Fault(None, None, "the file is empty")])
    if data.startswith(UTF16_MARKS):
        raise TableError(name, [Fault(1, None, "the file is UTF-16, not UTF-8; save it as UTF-8")])
    nul = data.find(b"\0")
    if nul >= 0:
        raise TableError(name, [_fault_at(data, nul, "a NUL byte; this is no text file in UTF-8, save it as such")])
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        message = (
            f"0x{data[error.start]:02X} is not UTF-8; save the file as UTF-8 "
            "(often it is Windows-1252: iconv -f WINDOWS-1252 -t UTF-8)"
        )
        raise TableError(name, [_fault_at(data, error.start, message)]) from error
    return TextIOWrapper(BytesIO(data), encoding="utf-8-sig", newline="")


def _fault_at(data: bytes, position: int, message: str) -> Fault:
    end_of_line = b"\n" if b"\n" in data else b"\r"
    line = data.count(end_of_line, 0, position) + 1
    byte = position - data.rfind(end_of_line, 0, position)
    return Fault(line, None, f"byte {byte}: {message}")
