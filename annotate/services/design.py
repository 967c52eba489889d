"""Building the questions, HITs and slots of a study, as often as wanted until it is opened."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from django.db.models import Model

from annotate import tasktypes
from annotate.models import Assignment, Hit, HitQuestion, Question, Report, Slot, Study, User
from annotate.refusals import Refused
from annotate.tasktypes import Design, ItemDraft, Progress, QuestionDraft

from .log import record
from .reports import save_report
from .slots import moved, wanted
from .study import shape
from .writing import write

CHUNK = 5_000


def build_design(study_id: int, *, user: User | None, progress: Progress | None = None) -> Report:
    """Design the questions from the study's items and lay out HITs and slots; returns the design report.

    A design that was built before is replaced. Raises `Refused`: `locked` after opening, `cannot-build` with what
    would help.
    """
    study = Study.objects.get(pk=study_id)
    _require_draft(study)
    task = tasktypes.get(study.task_type)
    items = [
        ItemDraft(item.key, item.content, item.metadata)
        for item in study.items.filter(upload__revealed_at__isnull=False, held_out=False).order_by("pk")
    ]
    say = progress or _silent
    try:
        design = task.build_questions(items, study.options, study.seed, lambda share, text: say(0.5 * share, text))
    except tasktypes.CannotBuild as error:
        raise Refused("cannot-build", str(error), status=400, fields={"design": [str(error)]}) from error
    with write():
        study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
        _require_draft(study)
        _clear(study)
        hits = _lay_out(study, design.questions, say)
        report = save_report(
            study, kind="design", parameters={"shape": shape(study), "items_sha256": _fingerprint(items)},
            seed=study.seed, columns=None, result=_result(study, design, hits), user=user,
        )  # fmt: skip
        Study.objects.filter(pk=study.pk).update(design=report)
        wanted(study)
        moved(study)
        record(study, "built design", user=user, questions=len(design.questions), hits=hits)
    say(1.0, f"{len(design.questions):,} questions in {hits:,} HITs")
    return report


def bundles(questions: Sequence[QuestionDraft], per_hit: int, judgements: int) -> list[tuple[list[int], int]]:
    """Indexes of the questions of each HIT with the number of its slots, in the order in which they go out.

    Questions that want the same number of judgements share HITs; the last HIT of each kind may be shorter, and gold
    fills it up when it is handed out.
    """
    by_wanted: dict[int, list[int]] = {}
    for index, question in enumerate(questions):
        by_wanted.setdefault(question.judgements or judgements, []).append(index)
    bundled = [
        (indexes[at : at + per_hit], wanted)
        for wanted, indexes in by_wanted.items()
        for at in range(0, len(indexes), per_hit)
    ]
    return sorted(bundled, key=lambda bundle: bundle[0][0])


def places(slots_of_hits: Sequence[int], order: str, pilot_hits: int) -> list[tuple[int, int]]:
    """(HIT index, round) of each slot in queue order: the pilot first, then round by round or HIT by HIT."""
    slots = [(hit, round_) for hit, wanted in enumerate(slots_of_hits) for round_ in range(wanted)]

    def key(slot: tuple[int, int]) -> tuple[int, int, int]:
        hit, round_ = slot
        later = int(hit >= pilot_hits)
        return (later, round_, hit) if order == Study.Order.ROUNDS else (later, hit, round_)

    return sorted(slots, key=key)


def _lay_out(study: Study, drafts: Sequence[QuestionDraft], say: Progress) -> int:
    """Write questions, HITs and slots, a chunk at a time: of a million rows only the keys stay in memory."""
    questions = _written(Question, (Question(study=study, ref=draft.ref, payload=draft.payload) for draft in drafts))
    say(0.7, f"{len(questions):,} questions written")
    bundled = bundles(drafts, study.questions_per_hit, study.judgements)
    hits = _written(Hit, (Hit(study=study, number=number) for number in range(1, len(bundled) + 1)))
    _written(
        HitQuestion,
        (
            HitQuestion(hit_id=hit, question_id=questions[index], position=position)
            for hit, (indexes, _) in zip(hits, bundled, strict=True)
            for position, index in enumerate(indexes, start=1)
        ),
    )
    say(0.85, f"{len(hits):,} HITs laid out")
    queue = places([wanted for _, wanted in bundled], study.order, study.pilot_hits)
    _written(Slot, (Slot(study=study, hit_id=hits[hit], place=place) for place, (hit, _) in enumerate(queue, start=1)))
    return len(hits)


def _written(model: type[Model], rows: Iterable[Model]) -> list[int]:
    """Insert rows in chunks; returns their primary keys in order."""
    keys: list[int] = []
    rest = iter(rows)
    while chunk := list(islice(rest, CHUNK)):
        keys += [row.pk for row in model._default_manager.bulk_create(chunk)]
    return keys


def _clear(study: Study) -> None:
    tried = Assignment.objects.filter(study=study, hit__isnull=False)
    if tried.exists():
        # Researchers have tried the former design. Their try-outs never count, and stay readable as they were.
        tried.update(hit=None)
    Slot.objects.filter(study=study).delete()
    Hit.objects.filter(study=study).delete()
    regular = Question.objects.filter(study=study, kind=Question.Kind.REGULAR)
    answered = regular.filter(answers__isnull=False)
    for question in answered:
        question.kind, question.ref = Question.Kind.TRIED, f"tried-{question.pk}"
        question.save(update_fields=["kind", "ref"])
    regular.filter(answers__isnull=True).delete()


def _result(study: Study, design: Design, hits: int) -> dict[str, Any]:
    slots = study.slots.count()
    return {
        **design.report,
        "questions": len(design.questions),
        "hits": hits,
        "slots": slots,
        "judgements": sum(question.judgements or study.judgements for question in design.questions),
        "last_hit": len(design.questions) % study.questions_per_hit or study.questions_per_hit,
    }


def _fingerprint(items: Sequence[ItemDraft]) -> str:
    text = json.dumps([[item.key, item.content] for item in items], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _require_draft(study: Study) -> None:
    if not study.is_draft:
        raise Refused("locked", "The design cannot change after the study was opened.")


def _silent(share: float, message: str) -> None:
    """Nobody is watching."""
