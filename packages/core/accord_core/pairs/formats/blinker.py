"""The BLINKER format (Melamed 1998): one folder per annotator, one file per pair, and one line such as `4 1` per link.

The files are named samp1.SentPair0 to samp1.SentPair9, samp2.SentPair0, and so on, with ten pairs per sample. Token
numbers start at 1, and 0 marks a token without a link. The folder is read and written as a zip archive.
"""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import PurePosixPath

from accord_core.exchange.cells import shorten
from accord_core.exchange.faults import Fault, TableError, raise_faults
from accord_core.numerics.printed import with_noun
from accord_core.pairs.formats.corpus import Corpus, Links, SentencePair
from accord_core.pairs.formats.places import by_place
from accord_core.pairs.formats.tabs import lines_or_blanks

NAME = "blinker"
IN_A_SAMPLE = 10
MOST_BYTES, MOST_FILES = 100 << 20, 200_000
FILE = re.compile(r"samp(\d{1,9})\.SentPair(\d{1,9})", re.ASCII)
FILE_IN_ARCHIVE = re.compile(FILE.pattern.encode())
_LINE = re.compile(r"\s*(\d{1,9})\s+(\d{1,9})\s*", re.ASCII)
# Zip archives cannot store dates before 1980. With a fixed date, archives of the same links are always identical.
_DATE = (1980, 1, 1, 0, 0, 0)


def is_blinker(data: bytes) -> bool:
    """Return whether a zip archive contains files with links."""
    return FILE_IN_ARCHIVE.search(data) is not None


def read_blinker(data: bytes, *, name: str, sentences: Corpus | None = None) -> Corpus:
    """Return the pairs in an archive, in sample order. Files that do not match the name pattern are ignored. Raises
    TableError.
    """
    faults: list[Fault] = []
    pairs = []
    null = 0
    files = _files(data, name)
    places = by_place(len(files), "file", sentences, faults)
    for (*_, file, content), words in zip(files, places, strict=True):
        wrong: list[Fault] = []
        links = Links(wrong, base=1, sizes=words.sizes)
        for line, text in _lines(content, file, wrong):
            if found := _LINE.fullmatch(text):
                links.add(int(found[1]), int(found[2]), possible=False, line=line, column=None, text=text.strip())
            else:
                wrong.append(
                    Fault(
                        line, None, f"{shorten(text.strip())!r} is not a link. Write a link as two numbers, such as 4 1"
                    )
                )
        faults += [Fault(fault.line, None, f"in {file}, {fault.message}") for fault in wrong]
        null += links.null
        pairs.append(words._replace(id=words.id or file, alignment=links.alignment(), line=None))
    raise_faults(name, faults)
    notes = [f"{with_noun(null, 'link')} to 0 (no link) excluded"] if null else []
    return Corpus(name, NAME, sentences.ids if sentences else "none", pairs, notes)


def write_blinker(pairs: Iterable[SentencePair]) -> Iterator[tuple[str, str]]:
    """Yield the name and the content of each file. All links are written as sure links, because the format does not
    support possible links.
    """
    for number, pair in enumerate(pairs):
        links = "".join(f"{i + 1} {j + 1}\n" for i, j in sorted(pair.alignment.sure))
        yield f"samp{number // IN_A_SAMPLE + 1}.SentPair{number % IN_A_SAMPLE}", links


def archive(files: Iterable[tuple[str, str | bytes]]) -> bytes:
    """Return a zip archive that contains the given files, by name. The same files always result in an identical
    archive.
    """
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files:
            packed.writestr(zipfile.ZipInfo(name, _DATE), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _files(data: bytes, name: str) -> list[tuple[int, int, str, bytes]]:
    """Return the sample, the number within the sample, the name and the contents of each file, sorted by sample and
    number.
    """
    try:
        with zipfile.ZipFile(BytesIO(data)) as packed:
            if len(packed.infolist()) > MOST_FILES:
                raise TableError.of_file(name, f"the archive has more than {MOST_FILES:,} files. Split it")
            entries = [(PurePosixPath(entry.filename), entry) for entry in packed.infolist()]
            found = [(match, path, entry) for path, entry in entries if (match := FILE.fullmatch(path.name))]
            if sum(entry.file_size for _, _, entry in found) > MOST_BYTES:
                raise TableError.of_file(
                    name, f"the archive has more than {MOST_BYTES >> 20} MB when unpacked. Split it"
                )
            files = sorted(
                (int(match[1]), int(match[2]), path.name, packed.read(entry)) for match, path, entry in found
            )
    except TableError:
        raise
    except (zipfile.BadZipFile, zlib.error, struct.error, ValueError, RuntimeError, EOFError, OSError) as error:
        raise TableError.of_file(name, f"the zip archive cannot be read: {error}") from error
    if not files:
        raise TableError.of_file(name, "the archive has no file with a name such as samp1.SentPair0")
    if len(folders := sorted({str(path.parent) for _, path, _ in found})) > 1:
        raise TableError.of_file(
            name,
            f"the archive has pairs in {len(folders)} folders ({', '.join(folders[:3])}). Each folder contains "
            "the links of one annotator, so use an archive with one folder",
        )
    return files


def _lines(content: bytes, file: str, faults: list[Fault]) -> Iterator[tuple[int, str]]:
    """Return the lines that are not blank. A file in which all lines are blank represents a pair without links."""
    if not content:
        return
    try:
        lines = lines_or_blanks(content, name=file)
    except TableError as error:
        faults += error.faults
        return
    for number, text in enumerate(lines, start=1):
        if text.strip():
            yield number, text
