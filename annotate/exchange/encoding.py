"""Text files in UTF-8, with or without a byte order mark. Other encodings are refused."""

import codecs
from io import BytesIO, TextIOWrapper

from annotate.exchange.faults import Fault, TableError

UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def open_text(data: bytes, *, name: str) -> TextIOWrapper:
    """Return a text stream over `data` that preserves line endings.

    Raises TableError if `data` is empty, or with the line and byte if `data` is not UTF-8 or contains a NUL.
    """
    if not data.removeprefix(codecs.BOM_UTF8).strip():
        raise TableError(name, [Fault(None, None, "the file is empty")])
    if data.startswith(UTF16_MARKS):
        raise TableError(name, [Fault(1, None, "the file is in UTF-16. Save it in UTF-8")])
    nul = data.find(b"\0")
    if nul >= 0:
        raise TableError(
            name,
            [
                _fault_at(
                    data, nul, "the file contains a NUL byte, so it is not text in UTF-8. Save it as text in UTF-8"
                )
            ],
        )
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        message = (
            f"0x{data[error.start]:02X} is not valid UTF-8. Save the file in UTF-8 "
            "(for a file in Windows-1252: iconv -f WINDOWS-1252 -t UTF-8)"
        )
        raise TableError(name, [_fault_at(data, error.start, message)]) from error
    return TextIOWrapper(BytesIO(data), encoding="utf-8-sig", newline="")


def _fault_at(data: bytes, position: int, message: str) -> Fault:
    end_of_line = b"\n" if b"\n" in data else b"\r"
    line = data.count(end_of_line, 0, position) + 1
    byte = position - data.rfind(end_of_line, 0, position)
    return Fault(line, None, f"byte {byte}: {message}")
