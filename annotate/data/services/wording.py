"""The wording of a draft's questions, which follows its first items."""

from __future__ import annotations

from collections.abc import Mapping

from annotate import tasktypes
from annotate.core.permissions import Actor
from annotate.core.services.log import record
from annotate.models import Study, Upload

from .default_texts import suit_texts


def suit_wording(study: Study, upload: Upload, columns: Mapping[str, str], user: Actor) -> None:
    """Replace default options that do not suit the items of a draft's first upload, such as the word “pair” in
    questions about single texts. `columns` maps columns that were read to their other names in the file. The caller has
    locked the study. Options that a researcher has changed remain.
    """
    item = upload.items.order_by("pk").first()
    if not study.is_draft or item is None or study.items.visible().exclude(upload=upload).exists():
        return
    task = tasktypes.get(study.task_type)
    defaults = {option.name: option.default for option in task.options}
    defaults.update(task.texts_in(study.language).options)
    read = {name: name for name in item.metadata} | dict(columns)
    suiting = task.options_for(item.content, read, study.language)
    before = {name: study.options.get(name, defaults[name]) for name in suiting}
    changed = {name: value for name, value in suiting.items() if before[name] == defaults[name] != value}
    if changed:
        options = dict(study.options)
        study.options |= changed
        suit_texts(study, language=study.language, options=options)
        study.save(update_fields=["options", "instructions", "examples"])
        detail = {f"options.{name}": [before[name], value] for name, value in sorted(changed.items())}
        record(study, "changed settings", user=user, detail=detail)
