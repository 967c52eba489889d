"""Uploads. A file is stored unchanged. The preview and the import read the stored bytes, so they always agree."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from django.conf import settings

from accord_core.exchange.encoding import ENCODINGS, as_utf8
from accord_core.exchange.layout import DELIMITERS, JSON_ROWS, NO_HEADER, NO_TABLE, Layout, is_json, is_table
from accord_core.exchange.layout import as_json as layout_as_json
from accord_core.exchange.layout import from_json as layout_from_json
from accord_core.exchange.recognition import DATA
from accord_core.exchange.workbooks import is_workbook, unpacked_size
from annotate import tasktypes
from annotate.core.permissions import Action, Actor, require, researcher
from annotate.core.services.archived import refuse_archived, refuse_if_archived
from annotate.core.services.writing import write
from annotate.data.known_rows import StoredRow
from annotate.data.upload_preview import FAULTS_KEPT, SAMPLE, Preview, as_json, from_json, read_preview
from annotate.data.upload_source import Source, layout_of
from annotate.models import Study, Upload
from annotate.server.refusals import Refused
from annotate.tasktypes import ItemDraft

from . import reading
from .people_share import refuse_added_items
from .stored_items import stored_items
from .stored_questions import stored_questions

COMPARED_AT_ONCE = 50_000  # items of the study, in about one second


def receive(
    study: Study,
    *,
    purpose: str,
    filename: str,
    data: bytes | Iterable[bytes],
    user: Actor,
    encoding: str | None = None,
) -> Upload:
    """Store a file for a study, without importing it. A file that arrives in chunks is never completely in memory.
    Without an `encoding`, the encoding is detected when the file is read.
    """
    require(study, user, Action.IMPORT_FILES)
    refuse_archived(study)
    refuse_added_items(study, purpose)
    limit = settings.LIMIT_UPLOAD_BYTES
    content, size, digest = packed([data] if isinstance(data, bytes) else data, limit)
    if size > limit:
        raise Refused(
            "too-large",
            f"{filename} is larger than the limit of {limit:,} bytes. Split the file into smaller files.",
            status=400,
            fields={"file": [f"is larger than {limit:,} bytes"]},
        )
    with write():
        refuse_if_archived(study.pk)
        return Upload.objects.create(
            study=study,
            purpose=purpose,
            filename=filename[-255:],
            content=content,
            size=size,
            sha256=digest,
            layout=layout_in(encoding),
            created_by=researcher(user),
        )


def layout_in(encoding: str | None) -> dict[str, Any] | None:
    """Return a file's stored layout in the chosen encoding. Other settings are detected."""
    return layout_as_json(Layout(encoding=encoding, delimiter=None)) if encoding else None


def packed(chunks: Iterable[bytes], limit: int) -> tuple[bytes, int, str]:
    """Return the compressed file, its size in bytes and its SHA-256. Reading stops if the file exceeds the limit."""
    packer, digest, size, packed = zlib.compressobj(6), hashlib.sha256(), 0, []
    for chunk in chunks:
        size += len(chunk)
        digest.update(chunk)
        packed.append(packer.compress(chunk))
        if size > limit:
            break
    return b"".join([*packed, packer.flush()]), size, digest.hexdigest()


def set_layout(upload_id: int, layout: Layout, *, user: Actor) -> Upload:
    """Store the layout for reading a file that has not been imported yet. In this study, later files with the same
    columns are read in the same way.

    Raises `Refused` with the code `imported`, or `invalid` for the columns of a file that is not a table, or for an
    unknown encoding or delimiter.
    """
    with write():
        upload = Upload.objects.select_for_update(no_key=True).select_related("study").get(pk=upload_id)
        require(upload.study, user, Action.IMPORT_FILES)
        refuse_if_archived(upload.study_id)
        require_importable(upload)
        if not _is_table(upload) and (layout.columns or layout.skipped or layout.delimiter not in (None, NO_TABLE)):
            message = f"{upload.filename} is not a table, so only its encoding can be changed."
            raise Refused("invalid", message, status=400)
        delimiters = (None, JSON_ROWS, NO_TABLE, *DELIMITERS)
        if layout.encoding not in (None, *ENCODINGS) or layout.delimiter not in delimiters:
            raise Refused("invalid", "The encoding or the delimiter is not supported.", status=400)
        upload.layout, upload.preview = layout_as_json(layout), None
        upload.save(update_fields=["layout", "preview"])
    return upload


def with_first_row(upload: Upload, reading: str) -> Layout:
    """Return the file's layout with the first row read as `NAMES` or as `DATA`. Raises `Refused` (`invalid`)."""
    layout, _ = detected_layout(upload)
    if layout is None or layout.delimiter in (JSON_ROWS, NO_TABLE):
        raise Refused("invalid", f"{upload.filename} is not a table with rows, so it has no header row.", status=400)
    header = NO_HEADER if reading == DATA else layout.header or None
    return replace(layout, header=header, columns={})


def detected_layout(upload: Upload) -> tuple[Layout | None, str]:
    """Return the file's layout, and the reading of a first row without known column names (see `recognise`)."""
    return layout_of(source_of(upload), zlib.decompress(upload.content))


def is_large(upload: Upload) -> bool:
    """Return whether background jobs must preview and import this upload. The decision depends only on the file size.
    The function does not read the file.
    """
    if reading.is_large(size_to_read(upload)):
        return True
    # A question file is read together with all of the study's items, and an item file is compared with them.
    items = upload.study.items.visible()
    at_once = settings.ROWS_AT_ONCE if upload.purpose != Upload.Purpose.ITEMS else COMPARED_AT_ONCE
    return items[at_once:].exists()


def size_to_read(upload: Upload) -> int:
    """Return the size of the file in bytes. For a workbook, this is the unpacked size."""
    if reading.is_large(upload.size):
        return upload.size
    return max(upload.size, unpacked_size(zlib.decompress(upload.content)))


def _is_table(upload: Upload) -> bool:
    """Return whether the file is a table. A large file must already have been read by a background job. Raises
    `Refused`.
    """
    if not is_large(upload):
        data = zlib.decompress(upload.content)
        if is_workbook(data):
            return True
        text = as_utf8(data, name=upload.filename)
        task = tasktypes.get(upload.study.task_type)
        return (is_table(text) or is_json(text)) and task.is_table(text, upload.filename)
    if not upload.preview:
        raise Refused("not-read", "Accord has not read the file yet. Wait until the preview is ready.")
    layout = upload.preview["layout"]
    return bool(layout and layout["delimiter"] != NO_TABLE)


def preview(upload: Upload, *, sample: int = SAMPLE) -> Preview:
    """Read the whole file, and report what an import would do, without importing anything."""
    return read_preview(source_of(upload), sample=sample)


def stored_preview(upload: Upload) -> Preview | None:
    """Return the preview that a job created, or None if there is no preview yet."""
    return from_json(upload.preview) if upload.preview else None


def store_preview(upload: Upload) -> None:
    """Read the file in a process with a memory limit, and store its preview. Raises `Refused` (`memory`)."""
    result = reading.read_bounded(
        upload.filename, size_to_read(upload), read_preview, source_of(upload), most=FAULTS_KEPT
    )
    with write():
        Upload.objects.filter(pk=upload.pk).update(preview=as_json(result))


def require_importable(upload: Upload) -> None:
    if upload.revealed_at:
        raise Refused("imported", f"{upload.filename} has already been imported.")
    refuse_archived(upload.study)
    refuse_added_items(upload.study, upload.purpose)


def source_of(upload: Upload) -> Source:
    study = upload.study
    items = None
    others: dict[str, StoredRow | None] = {}
    if upload.purpose == Upload.Purpose.ITEMS:
        stored = stored_items(study)
    else:
        items = {
            item.key: ItemDraft(item.key, item.content, item.metadata, item.held_out) for item in study.items.visible()
        }
        stored, others = stored_questions(study, upload.purpose)
    task = tasktypes.get(study.task_type)
    columns = task.file_columns(study.options, of_items=items is None)
    return Source(
        task=task,
        content=bytes(upload.content),
        filename=upload.filename,
        options=study.options,
        items=items,
        others=others,
        layout=layout_from_json(upload.layout) if upload.layout else None,
        remembered=_remembered_columns(upload, [column.name for column in columns]),
        stored=stored,
        limits={"rows": settings.LIMIT_ROWS, "bytes": settings.LIMIT_UPLOAD_BYTES, "cell": cell_limit(study)},
    )


def cell_limit(study: Study) -> int:
    """Return the maximum number of characters in a cell of the study's item and gold files."""
    return max(settings.LIMIT_CELL, tasktypes.get(study.task_type).cell_limit)


def _remembered_columns(upload: Upload, expected: Collection[str]) -> dict[str, str]:
    """Return the column names that a researcher chose for the previous file of the same kind. For other columns, return
    the names expected in the previous files of other kinds, because these files often have the same header.
    """
    earlier = Upload.objects.filter(study=upload.study_id, layout__isnull=False).order_by("pk")
    if upload.pk is not None:  # a dry run stores no upload
        earlier = earlier.filter(pk__lt=upload.pk)
    layouts = ((file.purpose, file.layout) for file in earlier.only("purpose", "layout"))
    chosen: dict[str, dict[str, str]] = {purpose: layout["columns"] for purpose, layout in layouts if layout}
    own = chosen.pop(upload.purpose, {})
    others = {column: name for columns in chosen.values() for column, name in columns.items() if name in expected}
    taken = set(own.values())
    return {column: name for column, name in others.items() if name not in taken} | own
