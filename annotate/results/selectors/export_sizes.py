"""The sizes of the files that contain a study's current data, which are exact for small files and estimated for large
ones.

A file is written until the writer has read `MOST_ROWS` rows. If the file is then not complete, the size is estimated
from the share of the rows that the written part covers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache as cache_calls
from typing import Any, TypeVar, overload

from django.core.cache import cache

from annotate.core.selectors.counts import totals
from annotate.core.selectors.sizes import hits_of, items_imported, questions_of
from annotate.core.selectors.stored import StoredResult
from annotate.models import Question, Report, Study
from annotate.questions.selectors.data import study_data
from annotate.results.selectors.downloads import can_write
from annotate.server.refusals import Refused
from annotate.tasktypes import Export, Stored, StudyData

MOST_ROWS = 2_000  # rows that are read for an estimate
MOST_BYTES = 1_000_000  # bytes that are written for an estimate
TABLES = ("text/csv", "text/tab-separated-values")
LARGEST_EMPTY = 3  # bytes: a JSON list or object without contents, and a line break
KEPT = 60  # seconds for which a calculated size is stored
KEPT_DOWNLOAD = 30 * 86_400  # seconds for which the size of a downloaded file is stored

Row = TypeVar("Row")


@dataclass(frozen=True)
class FileSize:
    """The size of a file in bytes. `exact` is false for an estimate. An `empty` file has at most a header."""

    bytes: int
    exact: bool
    empty: bool = False


def export_sizes(study: Study, exports: Iterable[Export], report: Report | None) -> dict[str, FileSize]:
    """Return the sizes of exports by filename.

    If an export has no output in the first `MOST_ROWS` rows, its size is that of its last download. Exports that have
    not been downloaded yet are then omitted, and so are exports that cannot be written yet.
    """
    possible = [export for export in exports if can_write(export, report)]
    judgements = totals(study).judgements
    keys = {export.filename: f"export-size:{study.public_id}:{judgements}:{export.filename}" for export in possible}
    stored = cache.get_many(keys.values())
    known: dict[str, FileSize] = {name: stored[key] for name, key in keys.items() if key in stored}
    calculated: dict[str, FileSize | None] = {}
    for export in possible:
        if export.filename not in known:
            calculated[export.filename] = _size(study, export, report)
    # Unknown sizes are also stored, because they take as long to calculate as estimates.
    cache.set_many({keys[name]: size for name, size in calculated.items()}, KEPT)
    sizes = {name: size or last_download(study, name) for name, size in (known | calculated).items()}
    return {name: size for name, size in sizes.items() if size is not None}


def remembered(study: Study, filename: str, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the chunks of a download, and store the file's size after the last chunk."""
    size = 0
    for chunk in chunks:
        size += len(chunk)
        yield chunk
    cache.set(_key(study, filename), size, KEPT_DOWNLOAD)


def last_download(study: Study, filename: str) -> FileSize | None:
    """Return the size of the last download of this file as an estimate, or None if the file has never been
    downloaded.
    """
    size = cache.get(_key(study, filename))
    return None if size is None else FileSize(size, exact=False)


def _key(study: Study, filename: str) -> str:
    return f"download-size:{study.public_id}:{filename}"


def _size(study: Study, export: Export, report: Report | None) -> FileSize | None:
    data, rows = _counted(study)
    size, lines, covered = 0, 0, 0.0
    has_header = export.header and export.content_type.startswith(TABLES)
    try:
        for chunk in export.write(data, StoredResult(report) if report else None):
            size += len(chunk)
            lines += chunk.count(b"\n")
            covered = min((each.share for each in rows if each.is_open), default=0.0)
            if size > MOST_BYTES:
                break
        else:
            return FileSize(size, exact=True, empty=size <= LARGEST_EMPTY or (has_header and lines < 2))
    except _Enough:
        pass  # the estimate uses the part of the file that has been written
    except Refused:
        return None  # such as a batch of a study without a design
    return FileSize(round(size / covered), exact=False) if covered else None


class _Enough(Exception):
    """Exception that stops a writer when it has read enough rows."""


class _Counted(Stored[Row]):
    """A sequence of a study's rows that counts the rows read, and stops the writer after `MOST_ROWS` rows."""

    def __init__(self, rows: Sequence[Row], total: Callable[[], int]) -> None:
        self._rows = rows
        self._total = total
        self._read = 0
        self.is_open = False  # whether an iteration has started and not ended

    @property
    def share(self) -> float:
        return min(1.0, self._read / max(1, self._total()))

    def __iter__(self) -> Iterator[Row]:
        self.is_open, self._read = True, 0
        for row in self._rows:
            self._count()
            yield row
        self.is_open = False

    def named(self, names: Collection[str]) -> Iterator[Row]:
        if not isinstance(self._rows, Stored):
            raise TypeError("these rows have no names")
        # These rows also count, because a file of HITs reads many questions and items per HIT.
        for row in self._rows.named(names):
            self._count()
            yield row

    def __len__(self) -> int:
        return len(self._rows) if self._is_small() else self._total()

    def __bool__(self) -> bool:
        return bool(self._rows)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | Sequence[Row]:
        if not self._is_small():
            raise _Enough
        return self._rows[place]

    def _is_small(self) -> bool:
        return self._total() <= MOST_ROWS

    def _count(self) -> None:
        self._read += 1
        if self._read > MOST_ROWS:
            raise _Enough


def _counted(study: Study) -> tuple[StudyData, list[_Counted[Any]]]:
    data = study_data(study, streamed=True)
    numbers: dict[str, Callable[[], int]] = {
        "items": lambda: items_imported(study),
        "questions": lambda: questions_of(study, Question.Kind.REGULAR),
        "hits": lambda: hits_of(study),
        "answers": lambda: _answers(study),
    }
    counted = {name: _Counted(getattr(data, name), cache_calls(number)) for name, number in numbers.items()}
    return replace(data, **counted), list(counted.values())  # type: ignore[arg-type]


def _answers(study: Study) -> int:
    counted = totals(study)
    return counted.judgements + counted.gold_given
