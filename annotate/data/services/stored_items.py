"""Services that compare an upload with its study's items, and change or remove items when a corrected file is imported.

In a draft, items can change unless gold or practice questions contain them. After the study has been opened, only
items outside its design can change.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from annotate import tasktypes
from annotate.data.known_rows import KnownRows, Lock, StoredRow, stored_row
from annotate.data.selectors.additions import added_files
from annotate.models import Item, Question, Study, Upload
from annotate.server.refusals import Refused
from annotate.tasktypes import ItemDraft

from .design import clear_design

AT_ONCE = 500  # items per statement
CONFLICT = "The study has changed in the meantime. Preview the file again."


@dataclass
class KnownItems:
    """The stored items in a corrected file: their new contents, and the IDs of unchanged and absent ones."""

    changed: list[ItemDraft] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)


def stored_items(study: Study) -> dict[str, StoredRow]:
    """Return the study's items for a comparison with a file, by ID, with the reason why an item cannot be changed."""
    used = _keys_in_gold(study)
    added = set() if study.is_draft else set(added_files(study).values_list("pk", flat=True))
    rows = study.items.visible().order_by("pk").values_list("key", "content", "metadata", "held_out", "upload")
    stored = {}
    for key, content, metadata, held_out, file in rows.iterator(chunk_size=2_000):
        in_design = not study.is_draft and file not in added
        lock = Lock.DESIGN if in_design else Lock.GOLD if key in used else Lock.FREE
        stored[key] = stored_row(ItemDraft(key, content, metadata, held_out), lock=lock, file=file)
    return stored


def change_items(upload: Upload, study: Study, items: KnownItems, choice: KnownRows) -> int:
    """Change and remove stored items, and return the number of items that now come from the upload.

    The caller has locked the study. Raises `Refused` (`conflict`) if an item has been locked or removed since the
    file was compared with the study.
    """
    if choice not in (KnownRows.UPDATE, KnownRows.REPLACE):
        return 0
    altered = {draft.key: draft for draft in items.changed}
    removed = items.absent if choice == KnownRows.REPLACE else []
    unchanged = items.unchanged if choice == KnownRows.REPLACE else []
    if not altered and not removed:
        unchanged = []  # the file only adds items, so stored items keep their file
    _refuse_locked(study, [*altered, *removed])
    if study.is_draft and (altered or removed):
        _remove_candidates(study, {*altered, *removed})
        clear_design(study)
    files = _files_of(study, [*altered, *removed, *unchanged])
    _delete(study, removed)
    _change(study, altered, upload)
    for keys in _chunks(unchanged):
        study.items.filter(key__in=keys).update(upload=upload)
    count_again(files)
    return len(altered) + len(unchanged)


def read_items_again(study: Study, changed_options: Collection[str]) -> None:
    """Convert the items of a draft to its changed options. The caller has locked the study.

    Raises `Refused` (`conflict`) if there are gold or practice questions, which refer to the current items.
    """
    task = tasktypes.get(study.task_type)
    options = {option.name: option.label for option in task.options if option.of_items}
    changed = [name for name in options if name in changed_options]
    if not changed:
        return
    label, field = options[changed[0]], f"options.{changed[0]}"
    kept = study.questions.filter(kind__in=[Question.Kind.GOLD, Question.Kind.PRACTICE, Question.Kind.CANDIDATE])
    if kept.exclude(kind=Question.Kind.CANDIDATE, answers=None).exists():
        message = f"Remove the gold and practice questions before you change “{label}”, because they depend on it."
        raise Refused("conflict", message, fields={field: [message]})
    altered = []
    for item in study.items.order_by("pk").iterator(chunk_size=2_000):
        try:
            content = task.read_again(item.content, study.options)
        except ValueError as error:
            message = f"“{label}” cannot be changed: in item {item.key}, {error}. Correct the file and import it again."
            raise Refused("invalid", message, status=400, fields={field: [message]}) from error
        if content != item.content:
            item.content = content
            altered.append(item)
    Item.objects.bulk_update(altered, ["content"], batch_size=AT_ONCE)
    _remove_candidates(study, {item.key for item in altered})


def _refuse_locked(study: Study, keys: Sequence[str]) -> None:
    used = _keys_in_gold(study)
    free = None if study.is_draft else set(added_files(study).values_list("pk", flat=True))
    for chunk in _chunks(keys):
        rows = dict(study.items.visible().filter(key__in=chunk).values_list("key", "upload"))
        locked = used.intersection(chunk) or (free is not None and not free.issuperset(rows.values()))
        if len(rows) != len(chunk) or locked:
            raise Refused("conflict", CONFLICT)


def _keys_in_gold(study: Study) -> set[str]:
    """Return the IDs of the items in gold and practice questions. Candidates in a draft do not count."""
    task = tasktypes.get(study.task_type)
    free = [*Question.OF_DESIGN, *([Question.Kind.CANDIDATE] if study.is_draft else [])]
    payloads = study.questions.exclude(kind__in=free).values_list("payload", flat=True)
    return {key for payload in payloads.iterator() for key in task.item_keys(payload)}


def _remove_candidates(study: Study, keys: Collection[str]) -> None:
    task = tasktypes.get(study.task_type)
    candidates = study.questions.filter(kind=Question.Kind.CANDIDATE)
    affected = [each.pk for each in candidates if not set(keys).isdisjoint(task.item_keys(each.payload))]
    Question.objects.filter(pk__in=affected, answers__isnull=True).delete()


def _files_of(study: Study, keys: Sequence[str]) -> set[int]:
    files: set[int] = set()
    for chunk in _chunks(keys):
        files.update(study.items.filter(key__in=chunk).values_list("upload", flat=True))
    return files


def _delete(study: Study, keys: Sequence[str]) -> None:
    for chunk in _chunks(keys):
        study.items.filter(key__in=chunk).delete()


def _change(study: Study, altered: Mapping[str, ItemDraft], upload: Upload) -> None:
    for chunk in _chunks(list(altered)):
        items = list(study.items.filter(key__in=chunk))
        for item in items:
            draft = altered[item.key]
            item.content, item.metadata, item.held_out = draft.content, draft.metadata, draft.held_out
            item.upload = upload
        Item.objects.bulk_update(items, ["content", "metadata", "held_out", "upload"])


def count_again(files: Collection[int]) -> None:
    """Update the row counts of earlier files. A file without any rows left counts as not imported."""
    for file in Upload.objects.filter(pk__in=files):
        rows = file.items if file.purpose == Upload.Purpose.ITEMS else file.questions.exclude(kind=Question.Kind.TRIED)
        file.rows, file.held_out = rows.count(), file.items.filter(held_out=True).count()
        if not file.rows:
            file.revealed_at, file.preview = None, None
        file.save(update_fields=["rows", "held_out", "revealed_at", "preview"])


def _chunks(keys: Sequence[str]) -> list[Sequence[str]]:
    return [keys[start : start + AT_ONCE] for start in range(0, len(keys), AT_ONCE)]
