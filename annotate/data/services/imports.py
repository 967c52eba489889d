"""Imports. All rows of an uploaded file are imported, or none of them.

Rows of a large file are inserted in chunks, which remain hidden until one update reveals them all.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import closing

from django.db import IntegrityError
from django.db.models import QuerySet

from accord_core.exchange.faults import Fault, TableError
from accord_core.exchange.layout import NO_HEADER, Layout
from accord_core.exchange.layout import from_json as layout_from_json
from annotate.core.permissions import Action, Actor, require
from annotate.core.services.archived import refuse_archived
from annotate.core.services.gold_sets import deal_gold
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.data.known_rows import KnownRows
from annotate.data.upload_contents import Rows, read_rows
from annotate.models import Item, Question, Study, Upload
from annotate.server import clock
from annotate.server.refusals import Refused
from annotate.tasktypes import Progress, QuestionDraft

from . import reading
from .removal import remove_import
from .stored_items import KnownItems, change_items
from .stored_questions import KINDS, KnownQuestions, change_questions, lock_annotators_of
from .unopened import prepared_gold, refuse_updated
from .uploads import detected_layout, is_large, receive, require_importable, set_layout, size_to_read, source_of
from .wording import suit_wording

CHUNK = 2_000


def import_file(
    study: Study, *, purpose: str, filename: str, data: bytes, user: Actor, encoding: str | None = None
) -> Upload:
    """Store a file and import it at once. Raises `Refused`."""
    upload = receive(study, purpose=purpose, filename=filename, data=data, user=user, encoding=encoding)
    import_upload(upload.pk, user=user)
    return upload


def read_again(upload_id: int, layout: Layout, *, user: Actor) -> int:
    """Replace the items of an imported file with those that another layout reads, and return their number. Raises
    `Refused`.
    """
    with write():
        remove_import(upload_id, user=user)
        set_layout(upload_id, layout, user=user)
        return import_upload(upload_id, user=user)


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
    require_importable(upload)
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
    source = source_of(upload)
    for rows in reading.iterate_bounded(
        upload.filename, size_to_read(upload), read_rows, source, at_once=CHUNK, known=known
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
    suit_wording(study, upload, renamed_columns(upload), user)
    return rows


def renamed_columns(upload: Upload) -> dict[str, str]:
    """Return the names in the file of columns that were read under another name. A large file that has no preview is
    not read again, and the rows of another study come without their file.
    """
    if upload.preview:
        layout = layout_from_json(upload.preview["layout"]) if upload.preview["layout"] else None
    else:
        layout = None if not upload.content or is_large(upload) else detected_layout(upload)[0]
    if layout is None or layout.header == NO_HEADER:
        return {}
    return {name: column for column, name in layout.columns.items()}


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


def _faults(upload: Upload, faults: Sequence[Fault]) -> Refused:
    fields: dict[str, list[str]] = {}
    for fault in faults:
        place = str(fault._replace(message="")).removesuffix(": ") or "file"
        fields.setdefault(place, []).append(fault.message)
    message = f"Nothing was imported. {TableError(upload.filename, faults)}"
    return Refused("faults", message, status=400, fields=fields)


def _no_progress(share: float, message: str) -> None:
    """Ignore progress updates, for callers that do not show them."""
