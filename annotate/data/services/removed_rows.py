"""The rows removed from a draft with an imported file, kept for a while so that the removal can be undone.

The cache keeps the rows. If it loses them, or if there are too many, the file has to be imported again.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, TypeAlias

from django.core.cache import cache
from django.db.models import Model, QuerySet

from annotate.core.services.undo import not_undone
from annotate.models import (
    Assignment,
    GoldJudgement,
    GoldSet,
    GoldSetQuestion,
    Hit,
    HitQuestion,
    Item,
    Question,
    Slot,
    Study,
    Upload,
)

KEPT_SECONDS = 3_600
# Rows of these models are created again, in this order. Of the others, only columns change.
CREATED: tuple[type[Model], ...] = (Item, Question, GoldJudgement, GoldSet, GoldSetQuestion, Hit, HitQuestion, Slot)
Rows: TypeAlias = dict[type[Model], dict[int, dict[str, Any]]]


@dataclass(frozen=True)
class Removed:
    """What a removal changed: the deleted rows, the created rows, and the earlier values of changed columns. `before`
    and `after` identify the contents of the draft.
    """

    deleted: Rows
    created: dict[type[Model], list[int]]
    changed: Rows
    before: str
    after: str


def rows_of(study: Study) -> Rows:
    """Return everything in a draft that the removal of a file can change, by model and primary key."""
    rows: dict[type[Model], QuerySet[Any]] = {
        Item: Item.objects.filter(study=study),
        Question: Question.objects.filter(study=study),
        GoldJudgement: GoldJudgement.objects.filter(question__study=study),
        GoldSet: GoldSet.objects.filter(study=study),
        GoldSetQuestion: GoldSetQuestion.objects.filter(gold_set__study=study),
        Hit: Hit.objects.filter(study=study),
        HitQuestion: HitQuestion.objects.filter(hit__study=study),
        Slot: Slot.objects.filter(study=study),
    }
    columns: dict[type[Model], Any] = {model: each.order_by("pk").values() for model, each in rows.items()}
    columns[Upload] = study.uploads.order_by("pk").values("id", "revealed_at", "rows", "held_out", "preview")
    columns[Assignment] = study.assignments.order_by("pk").values("id", "hit_id")
    columns[Study] = Study.objects.filter(pk=study.pk).values()
    known: Rows = {model: {row["id"]: dict(row) for row in each} for model, each in columns.items()}
    known[Study][study.pk].pop("todo_count")  # counted again whenever somebody opens the overview
    return known


def keep_removed(study: Study, upload: Upload, seen: str, before: Rows) -> None:
    """Keep what has changed in the draft, for `restore_removed`."""
    after = rows_of(study)
    removed = Removed(
        deleted={model: _without(before[model], after[model]) for model in CREATED},
        created={model: list(_without(after[model], before[model])) for model in CREATED},
        changed={model: _changes(before[model], after[model]) for model in before},
        before=_digest(before),
        after=_digest(after),
    )
    cache.set(_key(upload, seen), removed, KEPT_SECONDS)


def are_kept(upload: Upload, seen: str) -> bool:
    return cache.has_key(_key(upload, seen))


def restore_removed(study: Study, upload: Upload, seen: str) -> bool:
    """Restore the draft exactly as it was before the removal, and return True. If this has already happened, return
    False. The caller has locked the study. Raises `Refused` (`changed`).
    """
    removed: Removed | None = cache.get(_key(upload, seen))
    if removed is None:
        raise not_undone(f"the rows of {upload.filename} are no longer kept. Import the file again")
    now = _digest(rows_of(study))
    if now == removed.before:
        return False
    if now != removed.after:
        raise not_undone(f"the study has changed since then. Import {upload.filename} again")
    # Gold sets are dealt again after each change to a draft, so all existing sets are deleted.
    Slot.objects.filter(study=study).update(gold_set=None)
    Hit.objects.filter(study=study).update(gold_set=None)
    for model in reversed(CREATED):
        model._default_manager.filter(pk__in=removed.created[model]).delete()
    for model in CREATED:
        model._default_manager.bulk_create([model(**row) for row in removed.deleted[model].values()], batch_size=500)
    for pk, row in removed.deleted[GoldJudgement].items():
        GoldJudgement.objects.filter(pk=pk).update(given_at=row["given_at"])  # `auto_now` has replaced it
    for model, rows in removed.changed.items():
        for pk, columns in rows.items():
            model._default_manager.filter(pk=pk).update(**columns)
    return True


def _without(rows: dict[int, dict[str, Any]], others: dict[int, dict[str, Any]]) -> dict[int, dict[str, Any]]:
    return {pk: row for pk, row in rows.items() if pk not in others}


def _changes(before: dict[int, dict[str, Any]], after: dict[int, dict[str, Any]]) -> dict[int, dict[str, Any]]:
    """Return the earlier values of the columns that have changed, by primary key."""
    common = [(pk, row, after[pk]) for pk, row in before.items() if pk in after and row != after[pk]]
    return {pk: {name: row[name] for name in row if row[name] != new[name]} for pk, row, new in common}


def _digest(rows: Rows) -> str:
    return hashlib.sha256(repr([(model.__name__, of_model) for model, of_model in rows.items()]).encode()).hexdigest()


def _key(upload: Upload, seen: str) -> str:
    return f"removed:{upload.pk}:{hashlib.sha256(seen.encode()).hexdigest()[:32]}"
