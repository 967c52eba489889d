"""Services that add items to the design of an open study. Existing questions never change. For small studies the size
of an extension is calculated at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Exists, Max, OuterRef

from accord_core.numerics.draws import derived_seed
from annotate import tasktypes
from annotate.core.permissions import Action, Actor, refuse_state, require
from annotate.core.selectors.sizes import items_imported
from annotate.core.services.gold_sets import deal_to
from annotate.core.services.log import record
from annotate.core.services.slot_counts import note_opened_slots, store_slot_counts
from annotate.core.services.writing import write
from annotate.data.selectors.additions import (
    PLAN,
    added_files,
    items_to_add,
    latest_extension,
    plan_parameters,
    stored_plan,
)
from annotate.data.selectors.design import shape
from annotate.data.services.design import bundles, insert, new_slots, places
from annotate.data.services.unopened import payloads_of_gold, store_update
from annotate.models import AdaptiveRound, Answer, Assignment, Hit, HitQuestion, Question, Report, Slot, Study
from annotate.questions.selectors.data import study_data
from annotate.results.services import save_report
from annotate.server.refusals import Refused
from annotate.tasktypes import Design, ItemDraft, Progress, QuestionDraft


def append_questions(
    study: Study,
    drafts: Sequence[QuestionDraft],
    bundled: Sequence[tuple[list[int], int]],
    adaptive_round: AdaptiveRound | None = None,
) -> int:
    """Insert the questions with their HITs and slots, and return the number of the first HIT. The caller must have
    locked the study.

    `bundled` comes from `bundles`. The new HITs and slots follow all others.
    """
    first = next_hit(study)
    refs = _free_refs(study, [draft.ref for draft in drafts])
    questions = insert(
        Question,
        (
            Question(study=study, ref=ref, payload=draft.payload, adaptive_round=adaptive_round)
            for ref, draft in zip(refs, drafts, strict=True)
        ),
    )
    hits = insert(Hit, (Hit(study=study, number=first + index) for index in range(len(bundled))))
    insert(
        HitQuestion,
        (
            HitQuestion(hit_id=hit, question_id=questions[index], position=position)
            for hit, (indexes, _) in zip(hits, bundled, strict=True)
            for position, index in enumerate(indexes, start=1)
        ),
    )
    last = study.slots.aggregate(last=Max("place"))["last"] or 0
    queue = places([count for _, count in bundled], study.order, 0)
    insert(Slot, new_slots(study, drafts, hits, queue, last))
    deal_to(study, hits)
    return first


def save_longer_design(
    study: Study,
    earlier: Report,
    bundled: Sequence[tuple[list[int], int]],
    *,
    parameters: dict[str, Any],
    result: dict[str, Any],
    user: Actor,
) -> Report:
    """Store the report on the design with the appended questions as the study's design, and return the report.

    The totals are added to `result`. The caller must have stored the wanted counts of the study.
    """
    study.refresh_from_db(fields=["judgements_planned"])
    report = save_report(
        study,
        kind="design",
        parameters={**parameters, "shape": shape(study), "extends": earlier.number},
        seed=study.seed,
        columns=None,
        result={
            **result,
            "questions": earlier.result["questions"] + sum(len(indexes) for indexes, _ in bundled),
            "hits": earlier.result["hits"] + len(bundled),
            "slots": study.slots.count(),
            "judgements": study.judgements_planned,
            "last_hit": len(bundled[-1][0]),
        },
        user=user,
    )
    Study.objects.filter(pk=study.pk).update(design=report)
    return report


def next_hit(study: Study) -> int:
    """Return the number that the next HIT of the study gets."""
    return (study.hits.aggregate(last=Max("number"))["last"] or 0) + 1


def _free_refs(study: Study, refs: Sequence[str]) -> list[str]:
    """Return the refs. If the study already contains one of them, add a suffix to each ref."""
    taken = set(study.questions.filter(ref__in=list(refs)).values_list("ref", flat=True))
    if not taken:
        return list(refs)
    number = study.reports.filter(kind="design").count()
    return [f"{ref}-added-{number}" for ref in refs]


def needs_job(study: Study) -> bool:
    """Return whether a background job must build the additional questions, because the study is large or the task type
    needs seconds for a few items.
    """
    slow = tasktypes.get(study.task_type).extends_slowly(study.options)
    return slow or items_imported(study, in_design=True) > settings.ROWS_AT_ONCE


def current_plan(study: Study) -> dict[str, Any] | None:
    """Return a report on the extended design, and the numbers of items, questions, HITs, slots and judgements to add.
    The result is None if a job must calculate the plan first.

    Raises `Refused` with the code `state` for a draft, `no-items`, or `cannot-build`.
    """
    refuse_state(study, Action.ADD_ITEMS)
    if not items_to_add(study):
        raise Refused("no-items", "All items are already in the design. Import the new items first.")
    if needs_job(study):
        plan = stored_plan(study)
        return dict(plan.result) if plan else None
    extension = build_extension(study)
    return extension.figures(study) | extension.design.report.as_json()


@dataclass(frozen=True)
class Extension:
    """Additional questions, and the study's state when they were built. `gold_before` contains the payloads of the gold
    questions on which the design's update is based.
    """

    design: Design
    bundled: list[tuple[list[int], int]]
    items: int
    built_for: dict[str, Any]
    gold_before: dict[str, Any]

    @property
    def questions(self) -> Sequence[QuestionDraft]:
        return self.design.questions

    def figures(self, study: Study) -> dict[str, Any]:
        """Return the numbers of items, questions, HITs, slots and judgements added by the extension."""
        return {
            "items": self.items,
            "questions": len(self.questions),
            "hits": len(self.bundled),
            "slots": sum(count for _, count in self.bundled),
            "judgements": sum(question.judgements or study.judgements for question in self.questions),
        }


def build_extension(study: Study, progress: Progress | None = None) -> Extension:
    """Build the questions for all added items without storing them. Raises `Refused` with the code `no-items`, or
    `cannot-build` with the reason.
    """
    built_for = plan_parameters(study)
    items = study.items.visible().filter(held_out=False).order_by("pk")
    files = list(added_files(study).values_list("pk", flat=True))
    new, old = _drafts(items.filter(upload__in=files)), _drafts(items.exclude(upload__in=files))
    if not new:
        raise Refused("no-items", "All items are already in the design. Import the new items first.")
    data, gold_before = study_data(study, streamed=True), payloads_of_gold(study)
    task, seed = tasktypes.get(study.task_type), derived_seed(study.seed, "extension", len(old))
    try:
        design = task.extend_questions(new, old, data, study.options, seed, progress or _no_progress)
    except tasktypes.CannotBuild as error:
        raise Refused("cannot-build", str(error), status=400, fields={"design": [str(error)]}) from error
    bundled = bundles(design.questions, study.questions_per_hit, study.judgements)
    return Extension(design, bundled, len(new), built_for, gold_before)


def plan_extension(study_id: int, *, user: Actor, progress: Progress) -> Report:
    """Store the size of the extension as a report, so that a page can show the size without building the questions."""
    study = _permitted(Study.objects.select_related("design").get(pk=study_id), user)
    extension = build_extension(study, progress)
    with write():
        return save_report(
            study,
            kind=PLAN,
            parameters=extension.built_for,
            seed=study.seed,
            columns=None,
            result=extension.figures(study) | extension.design.report.as_json(),
            user=user,
        )


def add_items(study_id: int, *, user: Actor, progress: Progress | None = None) -> Report:
    """Add questions, HITs and slots for all added items, and return a report on the extended design.

    The new slots follow all other slots of the queue. Raises `Refused` with the code `state` for a draft, `no-items`,
    `cannot-build`, or `conflict` if the study has changed in the meantime.
    """
    study = _permitted(Study.objects.select_related("design").get(pk=study_id), user)
    extension = build_extension(study, progress)
    with write():
        study = _locked(study_id, user)
        if extension.built_for != plan_parameters(study):
            raise Refused("conflict", "The items or the design have changed in the meantime. Try again.")
        first = append_questions(study, extension.questions, extension.bundled)
        if extension.design.update is not None:
            store_update(study, extension.gold_before, extension.design.update, user)
        store_slot_counts(study)
        report = _save_design(study, extension, first, user)
        note_opened_slots(study)
        record(study, "added items to the design", user=user, **extension.figures(study))
    return report


def undo_extension(study_id: int, *, user: Actor) -> int:
    """Remove the latest extension's questions from the design, and return their number. The items stay imported.

    Raises `Refused` with the code `no-extension`, `claimed` if annotators have started one of its HITs, `later-hits` if
    HITs were added after the extension, or `conflict` if the design changes while this function waits for a lock.
    """
    with write():
        locked = _lock_added(study_id, user)
        study = _locked(study_id, user)
        extension = latest_extension(study)
        if extension is None or study.design is None:
            raise Refused("no-extension", "No items have been added to the design since the study was opened.")
        hits = Hit.objects.filter(study=study, number__gte=extension["first_hit"])
        slots = Slot.objects.filter(hit__in=hits)
        closed = [slot for slot in slots if not slot.open]
        if not locked.issuperset(slot.pk for slot in slots):
            raise Refused("conflict", "The items or the design have changed in the meantime. Try again.")
        worked_on = Assignment.objects.filter(hit__in=hits)
        if closed or worked_on.exclude(kind=Assignment.Kind.TRY).exists():
            message = "Annotators have already started HITs with the new questions, so the questions cannot be removed."
            raise Refused("claimed", message)
        if hits.filter(number__gt=extension["last_hit"]).exists():
            message = (
                "Judgements were requested after these items had been added, so the new questions cannot be removed."
            )
            raise Refused("later-hits", message)
        questions = list(HitQuestion.objects.filter(hit__in=hits).values_list("question", flat=True))
        worked_on.update(hit=None)
        slots.delete()
        hits.delete()
        _delete_questions(questions)
        earlier = study.reports.get(kind="design", number=study.design.parameters["extends"])
        Study.objects.filter(pk=study.pk).update(design=earlier)
        store_slot_counts(study)
        record(study, "removed added items from the design", user=user, questions=len(questions))
    return len(questions)


def _permitted(study: Study, user: Actor) -> Study:
    require(study, user, Action.ADD_ITEMS)
    refuse_state(study, Action.ADD_ITEMS)
    return study


def _locked(study_id: int, user: Actor) -> Study:
    studies = Study.objects.select_for_update(no_key=True, of=("self",)).select_related("design")
    return _permitted(studies.get(pk=study_id), user)


def _lock_added(study_id: int, user: Actor) -> set[int]:
    """Lock the assignments and slots of the latest extension, so that annotators' claims skip the slots. Return the
    primary keys of the slots.
    """
    # All code locks assignments and slots before the study.
    study = _permitted(Study.objects.select_related("design").get(pk=study_id), user)
    extension = latest_extension(study)
    if extension is None:
        return set()
    hits = Hit.objects.filter(study=study, number__gte=extension["first_hit"])
    list(Assignment.objects.select_for_update(no_key=True).filter(hit__in=hits).order_by("pk").values_list("pk"))
    slots = Slot.objects.select_for_update().filter(hit__in=hits).order_by("pk")
    return set(slots.values_list("pk", flat=True))


def _drafts(items: Any) -> list[ItemDraft]:
    rows = items.values_list("key", "content", "metadata")
    return [ItemDraft(key, content, metadata) for key, content, metadata in rows]


def _save_design(study: Study, extension: Extension, first: int, user: Actor) -> Report:
    earlier = study.design
    if earlier is None:
        raise Refused("no-design", "This study has no design yet.")
    added = extension.figures(study)
    in_design = [*earlier.parameters.get("added_files", []), *extension.built_for["files"]]
    return save_longer_design(
        study,
        earlier,
        extension.bundled,
        parameters={"added_files": in_design},
        result={
            **extension.design.report.as_json(),
            "extension": added | {"first_hit": first, "last_hit": first + added["hits"] - 1},
        },
        user=user,
    )


def _delete_questions(ids: Sequence[int]) -> None:
    """Delete the questions. Questions that researchers have tried remain readable, but are no longer asked."""
    questions = Question.objects.filter(pk__in=ids)
    for question in questions.filter(Exists(Answer.objects.filter(question=OuterRef("pk")))):
        question.kind, question.ref = Question.Kind.TRIED, f"tried-{question.pk}"
        question.save(update_fields=["kind", "ref"])
    questions.filter(answers__isnull=True).delete()


def _no_progress(share: float, message: str) -> None:
    """Ignore progress updates, for callers that do not show them."""
