"""The service that builds the questions, HITs and slots of a draft study. A design can be rebuilt until the study is
opened.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from django.db.models import Model

from accord_core.numerics.printed import with_noun
from annotate import tasktypes
from annotate.core.permissions import Action, Actor, permitted_study
from annotate.core.selectors.quotas import groups_of_slots
from annotate.core.services.gold_sets import deal_gold
from annotate.core.services.log import record
from annotate.core.services.slot_counts import note_opened_slots, store_slot_counts
from annotate.core.services.writing import write
from annotate.data.selectors.design import shape
from annotate.data.services.people_share import drawn_for_people
from annotate.models import Assignment, GoldSet, Hit, HitQuestion, Question, Report, Slot, Study
from annotate.results.services import save_report
from annotate.server.refusals import Refused
from annotate.tasktypes import Design, ItemDraft, Progress, QuestionDraft

CHUNK = 5_000


def _no_progress(share: float, message: str) -> None:
    """Ignore progress updates, for callers that do not show them."""


def build_design(study_id: int, *, user: Actor, progress: Progress | None = None) -> Report:
    """Build the questions from the study's items, create HITs and slots, and return the design report.

    An existing design is replaced. Raises `Refused` with the code `locked` if the study has been opened, or
    `cannot-build` with the reason.
    """
    study = permitted_study(study_id, user, Action.BUILD_DESIGN)
    _require_draft(study)
    task = tasktypes.get(study.task_type)
    items = [
        ItemDraft(item.key, item.content, item.metadata)
        for item in study.items.visible().filter(held_out=False).order_by("pk")
    ]
    progress = progress or _no_progress
    try:
        design = task.build_questions(items, study.options, study.seed, lambda share, text: progress(0.5 * share, text))
    except tasktypes.CannotBuild as error:
        raise Refused("cannot-build", str(error), status=400, fields={"design": [str(error)]}) from error
    with write():
        study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
        _require_draft(study)
        clear_design(study)
        for_people, for_programs = drawn_for_people(study, design.questions)
        hits = create_hits(study, for_people, progress)
        insert(Question, (_for_programs(study, draft) for draft in for_programs))
        deal_gold(study)
        report = save_report(
            study,
            kind="design",
            parameters={"shape": shape(study), "items_sha256": fingerprint(items)},
            seed=study.seed,
            columns=None,
            result=_result(study, design, for_people, hits),
            user=user,
        )
        Study.objects.filter(pk=study.pk).update(design=report)
        store_slot_counts(study)
        note_opened_slots(study)
        record(study, "built design", user=user, questions=len(for_people), hits=hits)
    progress(1.0, f"{with_noun(len(for_people), 'question')} in {with_noun(hits, 'HIT')}")
    return report


def bundles(questions: Sequence[QuestionDraft], per_hit: int, judgements: int) -> list[tuple[list[int], int]]:
    """Return each HIT's question indexes and number of slots, in claiming order.

    Questions with the same number of judgements share HITs. The last HIT for each number can be shorter, so it
    gets more gold questions.
    """
    by_judgements: dict[int, list[int]] = {}
    for index, question in enumerate(questions):
        by_judgements.setdefault(question.judgements or judgements, []).append(index)
    bundled = [
        (indexes[at : at + per_hit], count)
        for count, indexes in by_judgements.items()
        for at in range(0, len(indexes), per_hit)
    ]
    return sorted(bundled, key=lambda bundle: bundle[0][0])


def places(slots_of_hits: Sequence[int], order: str, pilot_hits: int) -> list[tuple[int, int]]:
    """Return (HIT index, round) for each slot in queue order, starting with the pilot, followed by the other slots
    round by round or HIT by HIT.
    """
    slots = [(hit, round_) for hit, count in enumerate(slots_of_hits) for round_ in range(count)]

    def key(slot: tuple[int, int]) -> tuple[int, int, int]:
        hit, round_ = slot
        later = int(hit >= pilot_hits)
        return (later, round_, hit) if order == Study.Order.ROUNDS else (later, hit, round_)

    return sorted(slots, key=key)


def create_hits(study: Study, drafts: Sequence[QuestionDraft], progress: Progress = _no_progress) -> int:
    """Insert questions, HITs and slots in chunks, and return the number of HITs. Only the questions' primary keys stay
    in memory.
    """
    questions = insert(Question, (Question(study=study, ref=draft.ref, payload=draft.payload) for draft in drafts))
    progress(0.7, f"{with_noun(len(questions), 'question')} created")
    bundled = bundles(drafts, study.questions_per_hit, study.judgements)
    hits = insert(Hit, (Hit(study=study, number=number) for number in range(1, len(bundled) + 1)))
    insert(
        HitQuestion,
        (
            HitQuestion(hit_id=hit, question_id=questions[index], position=position)
            for hit, (indexes, _) in zip(hits, bundled, strict=True)
            for position, index in enumerate(indexes, start=1)
        ),
    )
    progress(0.85, f"{len(hits):,} HITs created")
    queue = places([count for _, count in bundled], study.order, study.pilot_hits)
    insert(Slot, new_slots(study, drafts, hits, queue))
    return len(hits)


def new_slots(
    study: Study, drafts: Iterable[QuestionDraft], hits: Sequence[int], queue: Sequence[tuple[int, int]], after: int = 0
) -> Iterator[Slot]:
    """Yield the slots of new HITs with these questions, in the order of `queue` from `places`, following the place
    `after`. In a study with quotas, each slot belongs to a group. Raises `Refused` (`quotas`).
    """
    groups = groups_of_slots(study, (draft.judgements for draft in drafts))
    for place, (hit, round_) in enumerate(queue, start=after + 1):
        yield Slot(study=study, hit_id=hits[hit], place=place, group_id=groups[round_] if groups else None)


def insert(model: type[Model], rows: Iterable[Model]) -> list[int]:
    """Insert rows in chunks, and return their primary keys in order."""
    keys: list[int] = []
    rest = iter(rows)
    while chunk := list(islice(rest, CHUNK)):
        keys += [row.pk for row in model._default_manager.bulk_create(chunk)]
    return keys


def clear_design(study: Study) -> None:
    """Delete the questions, HITs and slots of a draft. The caller must lock the study first."""
    tryouts = Assignment.objects.filter(study=study, hit__isnull=False)
    if tryouts.exists():
        # Researchers' try-outs of the earlier design never count, but their answers remain readable.
        tryouts.update(hit=None)
    Slot.objects.filter(study=study).delete()
    Hit.objects.filter(study=study).delete()
    GoldSet.objects.filter(study=study).delete()
    regular = Question.objects.filter(study=study, kind__in=[Question.Kind.REGULAR, Question.Kind.PROGRAM])
    answered = regular.filter(answers__isnull=False)
    for question in answered:
        question.kind, question.ref = Question.Kind.TRIED, f"tried-{question.pk}"
        question.save(update_fields=["kind", "ref"])
    regular.filter(answers__isnull=True).delete()
    Study.objects.filter(pk=study.pk).update(design=None)
    store_slot_counts(study)


def _result(study: Study, design: Design, for_people: Sequence[QuestionDraft], hits: int) -> dict[str, Any]:
    slots = study.slots.count()
    return {
        **design.report.as_json(),
        "questions": len(for_people),
        "only_for_programs": len(design.questions) - len(for_people),
        "hits": hits,
        "slots": slots,
        "judgements": sum(question.judgements or study.judgements for question in for_people),
        "last_hit": len(for_people) % study.questions_per_hit or study.questions_per_hit,
    }


def _for_programs(study: Study, draft: QuestionDraft) -> Question:
    """Return a question that has no HIT, because only programs answer it."""
    return Question(study=study, kind=Question.Kind.PROGRAM, ref=draft.ref, payload=draft.payload)


def fingerprint(items: Sequence[ItemDraft]) -> str:
    """Return a SHA-256 hash of the items from which a design is built."""
    text = json.dumps([[item.key, item.content] for item in items], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _require_draft(study: Study) -> None:
    if not study.is_draft:
        raise Refused("locked", "The design is locked, because the study has been opened.")
