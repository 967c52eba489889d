"""The format of backups: gzip-compressed JSON Lines that can be written and checked in one pass.

    {"accord-backup": 1, "scope": …, "version": …, "migrations": …, "tables": [{"table": …, "columns": […], …}]}
    {"table": "annotate.study", "columns": […], …}
    […]                                              one line per row, in the order of the primary key
    {"rows": 8, "sha256": "…"}                       fingerprint of the table
    …
    {"tables": {name: fingerprint}, "sha256": "…"}   the manifest, with the SHA-256 of all lines before it

A file without its last line is truncated. Fingerprints are calculated from canonical rows, so that the same rows have
the same fingerprint on SQLite and on PostgreSQL.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, BinaryIO

FORMAT = 1
MARK = "accord-backup"
# Bytes in a line. PostgreSQL and SQLite store at most 1 GiB in one value, and base64 makes the value longer by a third.
# The other values in a row need much less.
LONGEST_LINE = 3 * 512 * 1024**2
LARGEST_EXACT = 1e16  # Python writes larger floats with an exponent, which PostgreSQL's JSON expands

Json = Any
Row = list[Json]


class BackupError(Exception):
    """Error raised if a backup cannot be created or restored. A backup error leaves the database unchanged."""


@dataclass(frozen=True)
class Fingerprint:
    """A table's fingerprint: the number of rows and the SHA-256 hash of the canonical rows in order."""

    rows: int
    sha256: str


class Rows:
    """A counter and hash for a stream of rows."""

    def __init__(self) -> None:
        self._count, self._hash = 0, hashlib.sha256()

    def add(self, row: Row) -> None:
        """Add one row to the count and the hash."""
        self._count += 1
        self._hash.update(_line(_canonical(row), sort_keys=True))

    def fingerprint(self) -> Fingerprint:
        """Return the fingerprint of all rows added so far."""
        return Fingerprint(self._count, self._hash.hexdigest())


@dataclass(frozen=True)
class Manifest:
    """The manifest of a backup, with the fingerprints of its tables by name and the SHA-256 hash of its contents."""

    tables: dict[str, Fingerprint]
    sha256: str

    @property
    def rows(self) -> int:
        """Return the total number of rows in all tables."""
        return sum(table.rows for table in self.tables.values())

    def as_json(self) -> dict[str, Json]:
        """Return the manifest as JSON, for the last line of a backup."""
        return {"tables": {name: vars(table) for name, table in self.tables.items()}, "sha256": self.sha256}


class Writer:
    """A writer for backups, which fills a binary stream one table at a time."""

    def __init__(self, stream: BinaryIO, header: dict[str, Json]) -> None:
        self._file = gzip.GzipFile(fileobj=stream, mode="wb", compresslevel=6, filename="", mtime=0)
        self._hash = hashlib.sha256()
        self._tables: dict[str, Fingerprint] = {}
        self._write({MARK: FORMAT, **header})

    def table(self, about: dict[str, Json], rows: Iterable[Row]) -> Fingerprint:
        """Write one table. `about` is the table's header, which is read when the backup is restored. The key `table` in
        the header contains the name of the table.
        """
        name = about["table"]
        self._write(about)
        counted = Rows()
        for row in rows:
            self._write(row)
            counted.add(row)
        self._tables[name] = counted.fingerprint()
        self._write(vars(self._tables[name]))
        return self._tables[name]

    def close(self) -> Manifest:
        """Write the manifest, without which a backup counts as truncated."""
        manifest = Manifest(self._tables, self._hash.hexdigest())
        self._write(manifest.as_json())
        self._file.close()
        return manifest

    def _write(self, value: Json) -> None:
        line = _line(value)
        self._hash.update(line)
        self._file.write(line)


@dataclass
class Table:
    """A table in a backup. The caller must read all of the table's rows before moving on to the next table."""

    name: str
    about: dict[str, Json]
    rows: Iterator[Row]


@dataclass
class Reader:
    """A reader for backups, which checks their complete contents. Raises `BackupError`."""

    stream: BinaryIO
    header: dict[str, Json] = field(init=False)
    _manifest: Manifest | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._lines = io.BufferedReader(gzip.GzipFile(fileobj=self.stream, mode="rb"))
        self._hash = hashlib.sha256()
        header = self._read()
        if not isinstance(header, dict) or MARK not in header:
            raise BackupError("this file is not an Accord backup")
        if header[MARK] != FORMAT:
            raise BackupError("the backup comes from a newer version of Accord; upgrade this server first")
        if not _is_complete(header):
            raise BackupError("the backup is damaged: its first line is incomplete")
        self.header = header

    def tables(self) -> Iterator[Table]:
        """Yield the tables in file order, and compare each table with its fingerprint."""
        read: dict[str, Fingerprint] = {}
        while True:
            before = self._hash.hexdigest()
            line = self._read()
            if not isinstance(line, dict) or "table" not in line:
                break
            table = Table(str(line["table"]), line, self._rows(line["table"], read))
            yield table
            for _ in table.rows:  # check the rows that the caller has not read
                pass
        manifest = Manifest(read, before)
        if line != manifest.as_json() or self._lines_left():
            raise BackupError("the backup is damaged: its content does not match its manifest")
        self._manifest = manifest

    def complete(self) -> Manifest:
        """Compare all tables with the manifest, and return the manifest. Raises `BackupError` if the file ends too
        early.
        """
        if self._manifest is None:
            raise BackupError("the backup is truncated: its end is missing")
        return self._manifest

    def _rows(self, name: str, read: dict[str, Fingerprint]) -> Iterator[Row]:
        counted = Rows()
        while isinstance(line := self._read(), list):
            counted.add(line)
            yield line
        read[name] = counted.fingerprint()
        if line != vars(read[name]):
            raise BackupError(f"the backup is damaged: the rows of {name} do not match their fingerprint")

    def _read(self) -> Json:
        try:
            line = self._lines.readline(LONGEST_LINE)
            if len(line) == LONGEST_LINE:
                raise BackupError(f"the backup is damaged: a line is longer than {LONGEST_LINE:,} bytes")
            if not line.endswith(b"\n"):
                raise BackupError("the backup is truncated: its end is missing")
            self._hash.update(line)
            return json.loads(line)
        except EOFError as error:
            raise BackupError("the backup is truncated: its end is missing") from error
        except (gzip.BadGzipFile, zlib.error, ValueError, RecursionError) as error:
            raise BackupError("this file is damaged, or it is not an Accord backup") from error

    def _lines_left(self) -> bool:
        try:
            return bool(self._lines.read(1))
        except (OSError, EOFError, zlib.error):
            return True


def check(stream: BinaryIO) -> tuple[dict[str, Json], Manifest]:
    """Check all fingerprints in a backup, and return its header and manifest. Raises `BackupError`."""
    reader = Reader(stream)
    for _ in reader.tables():
        pass
    return reader.header, reader.complete()


def _is_complete(header: dict[str, Json]) -> bool:
    """Return whether a backup's header contains everything needed for a restore. Anyone can write a file with correct
    fingerprints.
    """
    scope, migrations, tables = (header.get(name) for name in ("scope", "migrations", "tables"))
    study = isinstance(scope, dict) and all(isinstance(scope.get(name), str) for name in ("study", "title"))
    return (
        (study or scope == "installation")
        and isinstance(header.get("created_at"), str)
        and isinstance(migrations, dict)
        and all(_are_texts(names) for names in migrations.values())
        and isinstance(tables, list)
        and all(_is_about_table(table) for table in tables)
    )


def _is_about_table(about: Json) -> bool:
    return (
        isinstance(about, dict)
        and isinstance(about.get("table"), str)
        and _are_texts(about.get("columns"))
        and isinstance(about.get("first"), int | None)
        and isinstance(about.get("sequence"), int)
    )


def _are_texts(names: Json) -> bool:
    return isinstance(names, list) and all(isinstance(name, str) for name in names)


def _line(value: Json, *, sort_keys: bool = False) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=sort_keys)
    return text.encode() + b"\n"


def _canonical(value: Json) -> Json:
    """Convert numbers to PostgreSQL's JSON format, in which large floats have no exponent and zero is never
    negative.
    """
    if isinstance(value, float):
        return int(Decimal(repr(value))) if abs(value) >= LARGEST_EXACT and value - value == 0 else value or 0.0
    if isinstance(value, list):
        return [_canonical(entry) for entry in value]
    if isinstance(value, dict):
        return {name: _canonical(entry) for name, entry in value.items()}
    return value
