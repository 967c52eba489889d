"""Functions that append questions to the design of a study that has been opened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Max

from annotate.core.permissions import Actor
from annotate.core.services.gold_sets import deal_to
from annotate.data.selectors.shape import shape
from annotate.models import AdaptiveRound, Hit, HitQuestion, Question, Report, Slot, Study
from annotate.results.services import save_report
from annotate.tasktypes import QuestionDraft

from .design import insert, places


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
    insert(
        Slot,
        (Slot(study=study, hit_id=hits[hit], place=place) for place, (hit, _) in enumerate(queue, start=last + 1)),
    )
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
    study.refresh_from_db(fields=["judgements_wanted"])
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
            "judgements": study.judgements_wanted,
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
