"""Functions that decode text files in any common encoding. All file readers use them.

A file that is valid UTF-8 is always read as UTF-8. UTF-16 and UTF-32 are detected from their byte order mark or from
the positions of NUL bytes. For other files, charset-normalizer compares how plausible the text is in each encoding. Its
scores favour no encoding, so ties are decided by a small preference for common encodings and a penalty for letters
mixed with symbols.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper

from accord_core.exchange.extras import import_extra
from accord_core.exchange.faults import Fault, TableError

UTF8 = "utf-8"
ENCODINGS = {
    UTF8: "UTF-8",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16, little-endian",
    "utf-16-be": "UTF-16, big-endian",
    "utf-32": "UTF-32",
    "windows-1252": "Windows-1252 (Western European)",
    "iso-8859-15": "ISO 8859-15 (Western European)",
    "mac-roman": "Mac OS Roman",
    "windows-1250": "Windows-1250 (Central European)",
    "iso-8859-2": "ISO 8859-2 (Central European)",
    "windows-1251": "Windows-1251 (Cyrillic)",
    "koi8-r": "KOI8-R (Russian)",
    "windows-1253": "Windows-1253 (Greek)",
    "windows-1254": "Windows-1254 (Turkish)",
    "windows-1255": "Windows-1255 (Hebrew)",
    "windows-1256": "Windows-1256 (Arabic)",
    "windows-1257": "Windows-1257 (Baltic)",
    "gb18030": "GB 18030 (Chinese)",
    "big5": "Big5 (Chinese)",
    "shift_jis": "Shift JIS (Japanese)",
    "euc-jp": "EUC-JP (Japanese)",
    "euc-kr": "EUC-KR (Korean)",
}
# Windows programs write these extensions of the standards with more characters.
_CODECS = {"shift_jis": "cp932", "euc-kr": "cp949"}
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins with the mark of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PREFERENCE = {"windows-1252": 0.0, "mac-roman": 0.3, "iso-8859-15": 0.15, "windows-1257": 0.15}
_USUAL = 0.05  # the penalty of all other encodings
_CLOSE = 0.08  # encodings whose penalties differ by less are equally plausible
SAMPLE = 1 << 14  # bytes of lines that are not ASCII
SAMPLE_LINE = 160  # characters of a line that shows the encoding
_START = 1 << 16  # bytes in which NUL bytes are counted
_NOT_ASCII = re.compile(rb"[\x80-\xff]")


@dataclass(frozen=True)
class Detected:
    """The encoding of a file. `is_sure` is false if the file is also plausible in other encodings."""

    encoding: str
    is_sure: bool = True


def detect_encoding(chunks: Iterable[bytes]) -> Detected:
    """Return the encoding of a file, which is given in chunks from its beginning."""
    decoder = codecs.getincrementaldecoder(UTF8)()
    start, sample, is_utf8 = b"", b"", True
    for chunk in filter(None, chunks):
        start += chunk[: max(0, _START - len(start))]
        sample += _lines_not_ascii(chunk, SAMPLE - len(sample))
        if is_utf8:
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError:
                is_utf8 = False
        elif len(sample) >= SAMPLE:
            break
    if marked := next((encoding for mark, encoding in _MARKS if start.startswith(mark)), None):
        return Detected(marked)
    if b"\0" in start:
        return _with_nuls(start)
    if is_utf8 and not decoder.getstate()[0]:
        return Detected(UTF8)
    return Detected(UTF8) if _is_nearly_utf8(sample) else _plausible(sample)


def as_utf8(data: bytes, *, name: str, encoding: str | None = None) -> bytes:
    """Return a text file in UTF-8, decoded from `encoding` or from the detected encoding. A file in UTF-8 and a file
    that is not text are returned unchanged.

    Raises TableError if the file is not valid in the encoding.
    """
    if encoding == UTF8 or kind_of_binary(data):
        return data
    if encoding is None:
        encoding = detect_encoding([data]).encoding
    if encoding == UTF8:
        return data
    try:
        return data.decode(codec_of(encoding)).removeprefix("\ufeff").encode()
    except UnicodeDecodeError as error:
        raise TableError.of_file(
            name, f"byte {error.start + 1} is not valid in the encoding {ENCODINGS[encoding]}. Choose another encoding"
        ) from error
    except UnicodeEncodeError as error:  # half of a surrogate pair in UTF-16
        raise TableError.of_file(
            name, f"character {error.start + 1} is half of a surrogate pair. Choose another encoding"
        ) from error


def utf8_chunks(chunks: Iterable[bytes], *, name: str, encoding: str) -> Iterator[bytes]:
    """Convert a file, given in chunks, to UTF-8 and yield it. Raises TableError."""
    decoder = codecs.getincrementaldecoder(codec_of(encoding))()
    is_start = True
    try:
        for chunk in chunks:
            text = decoder.decode(chunk)
            yield (text.removeprefix("\ufeff") if is_start else text).encode()
            is_start = is_start and not text
        yield decoder.decode(b"", True).encode()
    except UnicodeError as error:
        raise TableError.of_file(
            name, f"the file is not valid in the encoding {ENCODINGS[encoding]}. Choose another encoding"
        ) from error


def first_line_not_ascii(chunks: Iterable[bytes], encoding: str) -> tuple[int, str]:
    """Return the number and the text of the first line that shows whether the encoding of a file is right, or (0, "")
    if there is no such line. Bytes that are not valid are replaced.
    """
    decoder = codecs.getincrementaldecoder(codec_of(encoding))("replace")
    number, rest = 1, ""
    for chunk in chunks:
        *lines, rest = (rest + decoder.decode(chunk)).removeprefix("\ufeff").split("\n")
        for line in lines:
            if not line.isascii():
                return number, line.strip()[:SAMPLE_LINE]
            number += 1
    return (0, "") if rest.isascii() else (number, rest.strip()[:SAMPLE_LINE])


def codec_of(encoding: str) -> str:
    """Return Python's codec for an encoding."""
    return _CODECS.get(encoding, encoding)


def open_text(data: bytes, *, name: str) -> TextIOWrapper:
    """Return a text stream over `data` that preserves line endings.

    Raises TableError if `data` is empty or not a text file, or with the line and byte if `data` is nearly UTF-8.
    """
    if not data.removeprefix(codecs.BOM_UTF8).strip():
        raise TableError.of_file(name, "the file is empty")
    if kind := kind_of_binary(data):
        raise TableError.of_file(name, kind)
    data = as_utf8(data, name=name)
    nul = data.find(b"\0")
    if nul >= 0:
        message = "the file contains a NUL byte, so it is not text. Save it as text in UTF-8"
        raise TableError(name, [_fault_at(data, nul, message)])
    try:
        data.decode(UTF8)
    except UnicodeDecodeError as error:
        message = f"0x{data[error.start]:02X} is not valid UTF-8, unlike the rest of the file. Save the file in UTF-8"
        raise TableError(name, [_fault_at(data, error.start, message)]) from error
    return TextIOWrapper(BytesIO(data), encoding="utf-8-sig", newline="")


def kind_of_binary(data: bytes) -> str:
    """Return the name of a file's format and how to convert it, or an empty string unless it is a known format other
    than text."""
    if data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        if "EncryptedPackage".encode("utf-16-le") in data:
            return "the file is an Excel workbook with a password. Remove the password, and save it again as .xlsx"
        return "the file is in an old Office format, such as .xls. Open it in Excel or LibreOffice and save it as .xlsx"
    if data.startswith(b"PK\x03\x04"):
        start = data[:200]
        if b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet" in start:
            return "the file is an OpenDocument spreadsheet (.ods). Save it in LibreOffice as .xlsx or CSV"
        if b"mimetypeapplication/vnd.oasis.opendocument" in start:
            return "the file is an OpenDocument text (.odt). Save it as text in UTF-8"
        if b"xl/workbook.bin" in data:
            return "the file is a binary Excel workbook (.xlsb). Save it as .xlsx"
        if b"word/document.xml" in data:
            return "the file is a Word document (.docx). Save it as plain text in UTF-8"
        if b"Index/Document.iwa" in data:
            return "the file is an Apple Numbers spreadsheet. Export it as .xlsx or CSV"
        if b"xl/workbook.xml" in data or b"[Content_Types].xml" in data or b"PK\x05\x06" not in data:
            if b"PK\x05\x06" in data[-70_000:]:
                return "the file is an Excel workbook. Export its sheet as CSV in UTF-8"
            return "the file is a damaged Excel workbook. Save it again as .xlsx, or export it as CSV"
        return "the file is a zip archive. Unpack it, and choose the file inside"
    signatures = {
        b"\x1f\x8b": "the file is compressed (gzip). Unpack it first. If it is an R file, export the data as CSV",
        b"$FL2": "the file is an SPSS data file (.sav). Export the data as CSV",
        b"<stata_dta>": "the file is a Stata data file (.dta). Export the data as CSV",
        b"{\\rtf": "the file is in the Rich Text Format (.rtf). Save it as plain text in UTF-8",
        b"%PDF-": "the file is a PDF. Export the data as CSV or text",
        b"\x89PNG": "the file is an image",
        b"\xff\xd8\xff": "the file is an image",
        b"SQLite format 3\0": "the file is an SQLite database. Export the table as CSV",
        b"\x93NUMPY": "the file is a NumPy array",
        b"ARROW1": "the file is in the format Arrow (Feather). Export the data as CSV or JSON Lines",
        b"PAR1": "the file is in the format Parquet. Export the data as CSV or JSON Lines",
    }
    return next((kind for signature, kind in signatures.items() if data.startswith(signature)), "")


def _lines_not_ascii(data: bytes, size: int) -> bytes:
    """Return the first lines that are not ASCII, up to `size` bytes."""
    lines, place = b"", 0
    while len(lines) < size and (found := _NOT_ASCII.search(data, place)):
        start = max(data.rfind(b"\n", place, found.start()) + 1, found.start() - size)
        end = data.find(b"\n", found.end(), found.end() + size) + 1 or min(len(data), found.end() + size)
        lines, place = lines + data[start:end], end
    return lines[:size]


def _with_nuls(start: bytes) -> Detected:
    """Return UTF-16 if all NUL bytes are high bytes. Otherwise, return UTF-8, so that binary files are rejected."""
    nuls = [place for place, byte in enumerate(start) if not byte]
    places = {place % 2 for place in nuls}
    if len(places) == 1 and len(nuls) > 1 and 25 * len(nuls) > len(start):
        encoding = "utf-16-le" if places == {1} else "utf-16-be"
        text = start[: len(start) // 2 * 2].decode(encoding, "replace")
        unlikely = sum(unicodedata.category(character) in ("Cn", "Co", "Cs") for character in text)
        if "\ufffd" not in text[:-1] and not unlikely:
            return Detected(encoding)
    return Detected(UTF8)


def _is_nearly_utf8(sample: bytes) -> bool:
    """Return whether at most a fifth of the characters that are not ASCII are invalid in UTF-8. Text in other encodings
    almost never contains valid sequences.
    """
    text = sample.decode(UTF8, "replace")
    invalid = text.count("\ufffd")
    return sum(not character.isascii() for character in text) >= 5 * invalid


def _plausible(sample: bytes) -> Detected:
    """Return the most plausible encoding of a sample."""
    # A slow import, which only files in other encodings need.
    from_bytes = import_extra("charset_normalizer", "Recognising the encoding of a file").from_bytes

    names = {codecs.lookup(codec_of(encoding)).name: encoding for encoding in _of_bytes()}
    matches = from_bytes(sample, cp_isolation=list(names), threshold=0.6)
    ranked = sorted(
        (
            match.chaos - match.coherence / 2 + _oddity(str(match)) + _PREFERENCE.get(encoding, _USUAL),
            encoding,
            str(match),
        )
        for match in matches
        for charset in match.could_be_from_charset
        if (encoding := names.get(codecs.lookup(charset).name))
    )
    if not ranked:
        return Detected("windows-1252", is_sure=False)
    (best, encoding, text), *others = ranked
    rival = next((score for score, _, other in others if other != text), None)
    return Detected(encoding, is_sure=rival is None or rival - best >= _CLOSE)


def _of_bytes() -> list[str]:
    return [encoding for encoding in ENCODINGS if not encoding.startswith("utf-")]


def _oddity(text: str) -> float:
    """Return the share of unlikely characters outside ASCII: symbols, small letters before capitals inside a word,
    control characters, and rare blocks that wrong Asian encodings produce. Hiragana lower the share, because wrong
    encodings rarely produce them.
    """
    count, odd = 0, 0.0
    for place, character in enumerate(text):
        if character.isascii():
            continue
        count += 1
        before, after = text[place - 1 : place], text[place + 1 : place + 2]
        kind = unicodedata.category(character)
        is_inside = before.isalpha() and after.isalpha()
        odd -= 0.15 * ("\u3041" <= character <= "\u309f")
        odd += (
            kind in ("Cc", "Cn", "Co")
            or (is_inside and kind[0] in "SNP" and character not in "’-·‐")
            or (is_inside and before.islower() and (character.isupper() or (after.isupper() and character.islower())))
            or "\u3131" <= character <= "\u318e"  # compatibility jamo
            or "\uff61" <= character <= "\uff9f"  # halfwidth katakana
        )
    return odd / count if count else 0.0


def _fault_at(data: bytes, position: int, message: str) -> Fault:
    end_of_line = b"\n" if b"\n" in data else b"\r"
    line = data.count(end_of_line, 0, position) + 1
    byte = position - data.rfind(end_of_line, 0, position)
    return Fault(line, None, f"byte {byte}: {message}")
