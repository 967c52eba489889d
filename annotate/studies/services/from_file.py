"""Studies that begin with a file of items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from accord_core.exchange.recognition import UNCLEAR
from annotate import tasktypes
from annotate.core.services.writing import write
from annotate.data.item_files import ItemFile, is_large
from annotate.data.readings import read_as
from annotate.data.services.imports import import_upload
from annotate.data.services.uploads import preview, receive, set_layout
from annotate.models import Study, Upload, User


def create_from_file(
    create: Callable[..., Study], file: ItemFile, *, user: User, task_type: str, reading: str = "", **settings: Any
) -> tuple[Study, Upload]:
    """Create a draft with `create`, store the file, and import its rows. A file with errors, an unclear first row or
    more rows than can be read at once is stored only, and its preview asks what to do. `reading` is one of the
    `readings` of the file. Raises `Refused`.
    """
    with write():
        study = create(user=user, task_type=task_type, options=file.options(tasktypes.get(task_type)), **settings)
        upload = receive(
            study, purpose=Upload.Purpose.ITEMS, filename=file.name, data=file.data, user=user, encoding=file.encoding
        )
    task = tasktypes.get(task_type)
    if reading and not is_large(file.data) and (layout := read_as(preview(upload), task, reading)):
        set_layout(upload.pk, layout, user=user)
        upload.refresh_from_db()
    if not is_large(file.data) and (summary := preview(upload)).importable and summary.first_row != UNCLEAR:
        import_upload(upload.pk, user=user)
        upload.refresh_from_db(fields=["revealed_at"])
    return study, upload
