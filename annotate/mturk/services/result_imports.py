"""Results files that researchers upload, preview, import and undo in the console or through the API.

A file is stored only until it has been imported or discarded, because it contains worker IDs. Jobs read, import and
undo large files.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from datetime import timedelta

from django.conf import settings
from django.db.models import QuerySet

from accord_core.exchange.chunked import Chunked
from annotate.core.permissions import Action, Actor, refuse_state, require, researcher
from annotate.core.services.archived import refuse_if_archived
from annotate.core.services.locks import lock_imports
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.data.services import reading
from annotate.data.services.uploads import packed
from annotate.models import Study
from annotate.mturk.models import HostedAssignment, ResultImport
from annotate.mturk.services.batches import CHANGES, STOP, ImportedResults, Previewed, import_file, preview_file
from annotate.mturk.services.removal import remove_assignments
from annotate.server import clock
from annotate.server.refusals import Refused
from annotate.tasktypes import Progress

KEPT = timedelta(days=7)  # until a file that nobody imports is deleted
BLOCK = 1 << 16  # bytes of the stored file that are unpacked at once


def receive_results(
    study: Study, *, filename: str, data: bytes | Iterable[bytes], batch: str = "", user: Actor
) -> ResultImport:
    """Store a results file without importing it. Older files that were never imported are deleted."""
    require(study, user, Action.IMPORT_RESULTS)
    refuse_state(study, Action.IMPORT_RESULTS)
    content, size, digest = packed([data] if isinstance(data, bytes) else data, settings.LIMIT_UPLOAD_BYTES)
    if size > settings.LIMIT_UPLOAD_BYTES:
        limit = f"{settings.LIMIT_UPLOAD_BYTES:,} bytes"
        raise Refused(
            "too-large",
            f"{filename} is larger than the limit of {limit}. Split the file into smaller files.",
            status=400,
            fields={"file": [f"is larger than {limit}"]},
        )
    with write():
        refuse_if_archived(study.pk)
        delete_unused(study.result_imports.all())
        return ResultImport.objects.create(
            study=study,
            batch=batch.strip(),
            filename=filename[-255:],
            size=size,
            sha256=digest,
            content=content,
            created_by=researcher(user),
        )


def is_large(result_import: ResultImport) -> bool:
    """Return whether a job must read, import and undo the file."""
    return reading.is_large(result_import.size)


def store_preview(result_import_id: int, *, user: Actor) -> Previewed:
    """Read the file, and store and return the effects of importing it. The effects list assignments whose answers
    cannot be read.
    """
    waiting = _waiting(ResultImport.objects.select_related("study").get(pk=result_import_id))
    preview = preview_file(waiting.study, _file(waiting), batch=waiting.batch, skip_faulty=True, user=user)
    with write():
        # Another request can import or discard the file at the same time. In this case, its preview is not stored,
        # because a preview can contain worker IDs.
        unused = ResultImport.objects.filter(pk=waiting.pk, imported_at=None, content__isnull=False)
        unused.update(preview=preview.as_json())
    return preview


def import_stored(
    result_import_id: int,
    *,
    user: Actor,
    skip_faulty: bool = False,
    changes: str = STOP,
    progress: Progress | None = None,
) -> ImportedResults:
    """Import an uploaded file, and delete the file's contents. Raises `Refused` as `import_results` does, and with the
    code `imported` if the file has already been imported.
    """
    if changes not in CHANGES:
        raise Refused("invalid", f"“{changes}” is not one of {', '.join(CHANGES)}.", status=400)
    waiting = _waiting(ResultImport.objects.select_related("study").get(pk=result_import_id))
    return import_file(
        waiting, _file(waiting), skip_faulty=skip_faulty, changes=changes, user=user, progress=progress, waiting=True
    )


def discard(result_import_id: int, *, user: Actor) -> None:
    """Delete the contents of a file that has not been imported."""
    with write():
        waiting = ResultImport.objects.select_for_update(no_key=True, of=("self",)).select_related("study")
        chosen = _waiting(waiting.get(pk=result_import_id))
        require(chosen.study, user, Action.IMPORT_RESULTS)
        refuse_if_archived(chosen.study_id)
        ResultImport.objects.filter(pk=chosen.pk).update(content=None, preview=None)


def undo_import(result_import_id: int, *, user: Actor) -> int:
    """Remove all assignments that an import created, together with their answers, in one transaction. Return their
    number.

    Raises `Refused` with the code `not-imported`, or as `remove_assignments` if the assignments were paid or repeated.
    """
    study = Study.objects.get(result_imports=result_import_id)
    require(study, user, Action.IMPORT_RESULTS)
    refuse_state(study, Action.IMPORT_RESULTS)
    with write():
        lock_imports(study.pk)
        done = ResultImport.objects.select_related("study").get(pk=result_import_id)
        if done.state != "imported":
            raise Refused("not-imported", f"{done.filename} has not been imported, so there is nothing to undo.")
        hosted = HostedAssignment.objects.filter(result_import=done)
        reason = f"The import of {done.filename} was undone"
        removed = remove_assignments(study, hosted, reason=reason, user=user)
        ResultImport.objects.filter(pk=done.pk).update(undone_at=clock.now())
        record(
            study,
            "undid an import of results",
            user=user,
            filename=done.filename,
            batch=done.batch,
            assignments=removed,
        )
    return removed


def delete_unused(imports: QuerySet[ResultImport]) -> int:
    """Delete the contents of files that were not imported within some days, because they contain worker IDs. Return the
    number of files whose contents were deleted.
    """
    unused = imports.filter(content__isnull=False, created_at__lt=clock.now() - KEPT)
    return unused.update(content=None, preview=None)


def _waiting(result_import: ResultImport) -> ResultImport:
    if result_import.state != "waiting":
        message = f"{result_import.filename} has already been imported or discarded. Upload the file again."
        raise Refused("imported", message)
    return result_import


def _file(result_import: ResultImport) -> Chunked:
    content = memoryview(result_import.content or b"")
    return Chunked(result_import.filename, lambda: _unpacked(content))


def _unpacked(content: memoryview) -> Iterator[bytes]:
    unpacker = zlib.decompressobj()
    for start in range(0, len(content), BLOCK):
        yield unpacker.decompress(content[start : start + BLOCK])
    yield unpacker.flush()
