"""Services that remove imported files from a study, and that delete drafts. After a study has been opened, only items
outside its design can be removed.
"""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotate import tasktypes
from annotate.core.permissions import Action, Actor, refuse_state, require
from annotate.core.services.gold_sets import deal_gold
from annotate.core.services.log import record
from annotate.core.services.undo import not_undone, refuse_changed
from annotate.core.services.writing import write
from annotate.data.selectors.additions import added_files
from annotate.data.services.design import clear_design
from annotate.models import Answer, Event, GoldJudgement, GoldSetQuestion, Item, Job, Question, Slot, Study, Upload
from annotate.server.refusals import Refused

from .removed_rows import are_kept, keep_removed, restore_removed, rows_of

MOST_ROWS = 20_000  # of a draft, to keep what a removal deletes
UNFINISHED = (Job.State.WAITING, Job.State.RUNNING)


def remove_import(upload_id: int, *, user: Actor) -> int:
    """Remove the items or questions that came from an imported file, and return their number.

    The file stays in the study and can be imported again. In a draft, removing items also removes the design. After the
    study has been opened, only items that are not in the design can be removed. Raises `Refused` with the code `state`,
    `locked`, `not-imported`, or `in-use` if gold or practice questions contain the items.
    """
    upload = Upload.objects.select_related("study").get(pk=upload_id)
    with write():
        study = locked_idle(upload.study_id, user, Action.REMOVE_IMPORT)
        upload = Upload.objects.select_for_update(no_key=True).select_related("study").get(pk=upload_id)
        if upload.revealed_at is None:
            raise Refused("not-imported", f"{upload.filename} has not been imported, so there is nothing to remove.")
        if not study.is_draft and not added_files(study).filter(pk=upload.pk).exists():
            raise Refused("locked", f"The rows of {upload.filename} are locked, because the study has been opened.")
        before = rows_of(study) if can_undo_removal(study) else None
        removed = _remove_items(upload) if upload.purpose == Upload.Purpose.ITEMS else _remove_questions(upload)
        if study.is_draft:
            deal_gold(study)
        Upload.objects.filter(pk=upload.pk).update(revealed_at=None, rows=0, held_out=0, preview=None)
        entry = record(
            study, f"removed {upload.purpose}", user=user, filename=upload.filename, rows=removed, file=upload.public_id
        )
        if before:
            keep_removed(study, upload, entry.at.isoformat(), before)
    return removed


def can_undo_removal(study: Study) -> bool:
    """Return whether the removal of a file can be undone. This is possible in drafts that are small enough to be kept
    as a whole."""
    slots = Slot.objects.filter(study=study)
    return study.is_draft and study.items.count() + study.questions.count() + 2 * slots.count() <= MOST_ROWS


def removal_to_undo(upload: Upload) -> datetime | None:
    """Return the time of the file's latest removal if it can be undone."""
    latest = _latest_removal(upload)
    return latest.at if latest and are_kept(upload, latest.at.isoformat()) else None


def restore_import(upload_id: int, *, seen: str, user: Actor) -> None:
    """Undo the removal of a file at the time `seen`. The draft is then exactly as before, with its design. Undoing
    again has no effect. Raises `Refused` with the code `changed` if the draft has changed or the rows are not kept any
    more.
    """
    upload = Upload.objects.get(pk=upload_id)
    with write():
        study = locked_idle(upload.study_id, user, Action.REMOVE_IMPORT)
        latest = _latest_removal(upload)
        if latest is None:
            raise not_undone(f"{upload.filename} has not been removed")
        refuse_changed(latest.at, seen)
        if restore_removed(study, upload, seen):
            record(study, f"restored {upload.purpose}", user=user, filename=upload.filename)


def _latest_removal(upload: Upload) -> Event | None:
    removals = upload.study.events.filter(verb=f"removed {upload.purpose}", detail__file=upload.public_id)
    return removals.order_by("pk").last()


def locked_idle(study_id: int, user: Actor, action: Action) -> Study:
    study = Study.objects.select_for_update().get(pk=study_id)
    require(study, user, action)
    refuse_state(study, action)
    if study.jobs.filter(state__in=UNFINISHED).exists():
        raise Refused("busy", "A job for this study has not finished yet. Wait until the job has finished.")
    return study


def _remove_items(upload: Upload) -> int:
    keys = set(upload.items.values_list("key", flat=True))
    if upload.study.is_draft:
        _remove_candidates(upload.study, keys)
    _refuse_items_in_use(upload.study, keys)
    if upload.study.is_draft:
        clear_design(upload.study)
    Item.objects.filter(upload=upload).delete()
    return len(keys)


def _remove_candidates(study: Study, keys: set[str]) -> None:
    """Remove the gold candidates that contain one of the items, including candidates that have become gold questions.
    Such questions do not come from a file, so they cannot be removed in any other way.
    """
    task = tasktypes.get(study.task_type)
    judged = GoldJudgement.objects.filter(question__study=study).values("question")
    promoted = Q(pk__in=judged, kind__in=[Question.Kind.GOLD, Question.Kind.RETIRED])
    drawn = study.questions.filter(Q(kind=Question.Kind.CANDIDATE) | promoted)
    affected = [question.pk for question in drawn if keys.intersection(task.item_keys(question.payload))]
    delete_questions(Question.objects.filter(pk__in=affected))


def _refuse_items_in_use(study: Study, keys: set[str]) -> None:
    """Raise `Refused` if a gold, practice or candidate question contains one of the items."""
    task = tasktypes.get(study.task_type)
    others = study.questions.exclude(kind__in=Question.OF_DESIGN)
    in_use = [question.ref for question in others.iterator() if keys.intersection(task.item_keys(question.payload))]
    if in_use:
        named = ", ".join(f"“{ref}”" for ref in in_use[:3])
        more = f" and {len(in_use) - 3:,} more" if len(in_use) > 3 else ""
        raise Refused(
            "in-use",
            f"The items cannot be removed, because gold or practice questions contain some of them: {named}{more}."
            " Remove the files that contain these questions first.",
        )


def _remove_questions(upload: Upload) -> int:
    """Delete the questions that were imported from the file, and return their number."""
    kinds = [Question.Kind.GOLD, Question.Kind.PRACTICE, Question.Kind.RETIRED]
    questions = upload.questions.filter(kind__in=kinds)
    removed = questions.count()
    delete_questions(questions)
    return removed


def delete_questions(questions: QuerySet[Question]) -> None:
    """Delete the questions and remove them from the gold sets of a draft. Questions that researchers have already tried
    remain readable, but are no longer asked. The caller must deal the remaining gold questions again.
    """
    GoldSetQuestion.objects.filter(question__in=questions).delete()
    for question in questions.filter(Exists(Answer.objects.filter(question=OuterRef("pk")))):
        question.kind, question.ref = Question.Kind.TRIED, f"tried-{question.pk}"
        question.save(update_fields=["kind", "ref"])
    questions.filter(answers__isnull=True).delete()
