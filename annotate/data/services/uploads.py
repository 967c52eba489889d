"""Uploads and imports. An uploaded file is stored unchanged, checked as a whole, and imported either completely or not
at all.

The preview and the import read the stored bytes, so they always agree. Rows of a large file are inserted in chunks,
which remain hidden until one update reveals them all.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Collection, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.db import IntegrityError
from django.db.models import QuerySet

from annotate import tasktypes
from annotate.core.permissions import Action, Actor, require, researcher
from annotate.core.services.archived import refuse_archived, refuse_if_archived
from annotate.core.services.gold_sets import deal_gold
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.data.known_rows import KnownRows, StoredRow
from annotate.data.upload_contents import (
    FAULTS_KEPT,
    SAMPLE,
    Preview,
    Rows,
    Source,
    as_json,
    from_json,
    layout_of,
    read_preview,
    read_rows,
)
from annotate.exchange.encoding import ENCODINGS, as_utf8
from annotate.exchange.faults import Fault, TableError
from annotate.exchange.layout import DELIMITERS, JSON_ROWS, NO_HEADER, NO_TABLE, Layout, is_json, is_table
from annotate.exchange.layout import as_json as layout_as_json
from annotate.exchange.layout import from_json as layout_from_json
from annotate.exchange.recognition import DATA
from annotate.exchange.workbooks import is_workbook, unpacked_size
from annotate.models import Item, Question, Study, Upload
from annotate.server import clock
from annotate.server.refusals import Refused
from annotate.tasktypes import ItemDraft, Progress, QuestionDraft

from . import reading
from .removal import remove_import
from .stored_items import KnownItems, change_items, stored_items
from .stored_questions import KINDS, KnownQuestions, change_questions, lock_annotators_of, stored_questions
from .unopened import prepared_gold, refuse_updated
from .wording import suit_wording

CHUNK = 2_000
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
        _require_importable(upload)
        if not _is_table(upload) and (layout.columns or layout.skipped or layout.delimiter not in (None, NO_TABLE)):
            message = f"{upload.filename} is not a table, so only its encoding can be changed."
            raise Refused("invalid", message, status=400)
        delimiters = (None, JSON_ROWS, NO_TABLE, *DELIMITERS)
        if layout.encoding not in (None, *ENCODINGS) or layout.delimiter not in delimiters:
            raise Refused("invalid", "The encoding or the delimiter is not supported.", status=400)
        upload.layout, upload.preview = layout_as_json(layout), None
        upload.save(update_fields=["layout", "preview"])
    return upload


def read_again(upload_id: int, layout: Layout, *, user: Actor) -> int:
    """Replace the items of an imported file with those that another layout reads, and return their number. Raises
    `Refused`.
    """
    with write():
        remove_import(upload_id, user=user)
        set_layout(upload_id, layout, user=user)
        return import_upload(upload_id, user=user)


def with_first_row(upload: Upload, reading: str) -> Layout:
    """Return the file's layout with the first row read as `NAMES` or as `DATA`. Raises `Refused` (`invalid`)."""
    layout, _ = detected_layout(upload)
    if layout is None or layout.delimiter in (JSON_ROWS, NO_TABLE):
        raise Refused("invalid", f"{upload.filename} is not a table with rows, so it has no header row.", status=400)
    header = NO_HEADER if reading == DATA else layout.header or None
    return replace(layout, header=header, columns={})


def detected_layout(upload: Upload) -> tuple[Layout | None, str]:
    """Return the file's layout, and the reading of a first row without known column names (see `recognise`)."""
    return layout_of(_source(upload), zlib.decompress(upload.content))


def is_large(upload: Upload) -> bool:
    """Return whether background jobs must preview and import this upload. The decision depends only on the file size.
    The function does not read the file.
    """
    if reading.is_large(_size_to_read(upload)):
        return True
    # A question file is read together with all of the study's items, and an item file is compared with them.
    items = upload.study.items.visible()
    at_once = settings.ROWS_AT_ONCE if upload.purpose != Upload.Purpose.ITEMS else COMPARED_AT_ONCE
    return items[at_once:].exists()


def _size_to_read(upload: Upload) -> int:
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
    return read_preview(_source(upload), sample=sample)


def stored_preview(upload: Upload) -> Preview | None:
    """Return the preview that a job created, or None if there is no preview yet."""
    return from_json(upload.preview) if upload.preview else None


def store_preview(upload: Upload) -> None:
    """Read the file in a process with a memory limit, and store its preview. Raises `Refused` (`memory`)."""
    result = reading.read_bounded(
        upload.filename, _size_to_read(upload), read_preview, _source(upload), most=FAULTS_KEPT
    )
    with write():
        Upload.objects.filter(pk=upload.pk).update(preview=as_json(result))


def import_upload(
    upload_id: int, *, user: Actor, progress: Progress | None = None, known: KnownRows = KnownRows.STOP
) -> int:
    """Import all rows of an upload or, if it contains errors, none. Return the number of imported rows. `known` is the
    choice about items or questions already in the study.

    Items that are imported after the study has been opened are not in its design until they are added (see
    extension.py). Raises `Refused` with the code `faults` with their places, `imported` if the file has
    already been imported, or `archived`.
    """
    upload = Upload.objects.select_related("study").get(pk=upload_id)
    require(upload.study, user, Action.IMPORT_FILES)
    _require_importable(upload)
    with closing(rows_of(upload, known=known)) as rows:
        if upload.purpose == Upload.Purpose.ITEMS:
            return import_items(upload, rows, user, progress or _no_progress, known)
        questions: list[QuestionDraft] = []
        stored = KnownQuestions()
        for chunk in rows:
            questions += chunk.questions
            stored.changed += chunk.changed_questions
            stored.unchanged += chunk.unchanged
            stored.absent += chunk.absent
        return _import_questions(upload, questions, stored, known, user)


def rows_of(upload: Upload, *, known: KnownRows = KnownRows.STOP) -> Generator[Rows]:
    """Yield the file's rows in chunks. Large files are read in a process with a memory limit. `known` is the choice
    about rows already in the study. Raises `Refused`.
    """
    source = _source(upload)
    for rows in reading.iterate_bounded(
        upload.filename, _size_to_read(upload), read_rows, source, at_once=CHUNK, known=known
    ):
        if rows.faults:
            raise _faults(upload, rows.faults)
        yield rows


def import_items(
    upload: Upload, rows: Iterable[Rows], user: Actor, progress: Progress, known: KnownRows = KnownRows.STOP
) -> int:
    """Insert the new rows and change the known ones as chosen, and return the number of items that come from the
    upload. All changes become visible at the end. Raises `Refused`.
    """
    # Hidden rows of interrupted imports must be deleted, because new imports can contain the same IDs.
    _drop_hidden(Upload.objects.filter(study=upload.study_id))
    imported, stored = 0, KnownItems()
    try:
        for chunk in rows:
            stored.changed += chunk.changed
            stored.unchanged += chunk.unchanged
            stored.absent += chunk.absent
            with write():
                Item.objects.bulk_create(
                    [
                        Item(
                            study_id=upload.study_id,
                            upload=upload,
                            key=item.key,
                            content=item.content,
                            metadata=item.metadata,
                            held_out=item.held_out,
                        )
                        for item in chunk.items
                    ]
                )
            imported += len(chunk.items)
            progress(imported / chunk.of, f"{imported:,} of {chunk.of:,} items")
        with write():
            imported = _reveal_items(upload, imported, stored, known, user)
    except IntegrityError:
        _drop_hidden(Upload.objects.filter(pk=upload.pk))
        raise _conflict() from None
    except BaseException:
        _drop_hidden(Upload.objects.filter(pk=upload.pk))
        raise
    return imported


def _drop_hidden(uploads: QuerySet[Upload]) -> None:
    """Delete the hidden rows of these uploads. The function locks the uploads, so that no other process can make the
    rows visible.
    """
    with write():
        hidden = uploads.select_for_update(no_key=True).filter(revealed_at=None).order_by("pk")
        Item.objects.filter(upload__in=list(hidden.values_list("pk", flat=True))).delete()


def _reveal_items(upload: Upload, added: int, stored: KnownItems, known: KnownRows, user: Actor) -> int:
    # The lock prevents the study from being opened during the import, so that each item is either part of the design or
    # added to the open study.
    study = Study.objects.select_for_update(no_key=True).get(pk=upload.study_id)
    refuse_archived(study)
    if study.options != upload.study.options:  # the rows were read with the earlier options
        raise _conflict()
    rows = added + change_items(upload, study, stored, known)
    _refuse_without_changes(upload, rows, known == KnownRows.REPLACE and stored.absent)
    _reveal(upload, rows, user)
    Upload.objects.filter(pk=upload.pk).update(held_out=upload.items.filter(held_out=True).count())
    # Another import may have deleted the rows because it assumed that this import had been interrupted.
    if upload.items.count() != rows:
        raise _conflict()
    suit_wording(study, upload, _renamed_columns(upload), user)
    return rows


def _renamed_columns(upload: Upload) -> dict[str, str]:
    """Return the names in the file of columns that were read under another name. A large file that has no preview is
    not read again, and the rows of another study come without their file.
    """
    if upload.preview:
        layout = layout_from_json(upload.preview["layout"]) if upload.preview["layout"] else None
    else:
        layout = None if not upload.content or is_large(upload) else detected_layout(upload)[0]
    return {name: column for column, name in layout.columns.items()} if layout else {}


def _refuse_without_changes(upload: Upload, rows: int, removed: object) -> None:
    if not rows and not removed:
        raise Refused("no-rows", f"The study already contains all rows of {upload.filename}, so nothing was imported.")


def _conflict() -> Refused:
    return Refused("conflict", "The study was changed during the import, so nothing was imported. Try again.")


def _import_questions(
    upload: Upload, questions: list[QuestionDraft], stored: KnownQuestions, known: KnownRows, user: Actor
) -> int:
    kind = KINDS[Upload.Purpose(upload.purpose)]
    updates = None
    if kind == Question.Kind.GOLD:
        questions, updates = prepared_gold(upload.study, questions)
    try:
        with write():
            annotators = lock_annotators_of(upload.study, stored.changed if known != KnownRows.ADD else [])
            study = Study.objects.select_for_update(no_key=True).get(pk=upload.study_id)
            if updates is not None:
                refuse_updated(study, updates)
            changes = change_questions(upload, study, stored, known, annotators=annotators, requester=user)
            rows = len(questions) + changes.rows
            _refuse_without_changes(upload, rows, known == KnownRows.REPLACE and stored.absent)
            _reveal(upload, rows, user)
            Question.objects.bulk_create(
                [
                    Question(
                        study_id=upload.study_id,
                        upload=upload,
                        kind=kind,
                        ref=question.ref,
                        payload=question.payload,
                        gold=question.gold,
                        explanation=question.explanation,
                    )
                    for question in questions
                ]
            )
            if kind == Question.Kind.GOLD:
                deal_gold(study)
    except IntegrityError:
        raise _conflict() from None
    changes.apply_rule(annotators)
    return rows


def _reveal(upload: Upload, rows: int, user: Actor) -> None:
    changed = Upload.objects.filter(pk=upload.pk, revealed_at=None).update(revealed_at=clock.now(), rows=rows)
    if not changed:
        raise Refused("imported", f"{upload.filename} has already been imported.")
    record(
        upload.study, f"imported {upload.purpose}", user=user, filename=upload.filename, rows=rows, sha256=upload.sha256
    )


def _require_importable(upload: Upload) -> None:
    if upload.revealed_at:
        raise Refused("imported", f"{upload.filename} has already been imported.")
    refuse_archived(upload.study)


def _source(upload: Upload) -> Source:
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


def _faults(upload: Upload, faults: Sequence[Fault]) -> Refused:
    fields: dict[str, list[str]] = {}
    for fault in faults:
        place = str(fault._replace(message="")).removesuffix(": ") or "file"
        fields.setdefault(place, []).append(fault.message)
    message = f"Nothing was imported. {TableError(upload.filename, faults)}"
    return Refused("faults", message, status=400, fields=fields)


def _no_progress(share: float, message: str) -> None:
    """Ignore progress updates, for callers that do not show them."""
