"""A study as plain rows, for reports and exports: few queries, whatever its size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotate.models import Answer, Assignment, Decision, HitQuestion, Question, Study
from annotate.tasktypes import AnswerRow, ItemDraft, QuestionDraft, StudyData


def study_data(study: Study) -> StudyData:
    """Items, questions and given answers of the study; researchers' try-outs and drafts are left out."""
    questions = list(study.questions.order_by("pk"))
    return StudyData(
        facts=facts(study),
        items=[
            ItemDraft(item.key, item.content, item.metadata, item.held_out)
            for item in study.items.filter(upload__revealed_at__isnull=False).order_by("pk")
        ],
        questions=[_draft(question) for question in questions if question.kind == Question.Kind.REGULAR],
        gold=[_draft(question) for question in questions if question.kind == Question.Kind.GOLD],
        answers=list(_answers(study)),
        hits=_hits(study),
        decisions=dict(Decision.objects.filter(question__study=study).values_list("question__ref", "value")),
    )


def facts(study: Study) -> dict[str, Any]:
    """What a document about the study says of it."""
    names = (
        "public_id", "title", "task_type", "state", "language", "direction", "instructions", "examples",
        "protocol_number", "eligibility", "currency", "judgements", "questions_per_hit", "gold_block", "seed",
        "options", "rule_measure", "rule_minimum", "rule_unit", "pilot_hits", "pilot_counts",
    )  # fmt: skip
    return {name: getattr(study, name) for name in names} | {
        "reward": str(study.reward),
        "rule_threshold": float(study.rule_threshold),
        "consent": study.consents.order_by("version").values_list("text", flat=True).last() or "",
    }


def _hits(study: Study) -> list[list[str]]:
    rows = HitQuestion.objects.filter(hit__study=study).order_by("hit__number", "position")
    hits: dict[int, list[str]] = {}
    for number, ref in rows.values_list("hit__number", "question__ref"):
        hits.setdefault(number, []).append(ref)
    return list(hits.values())


def _draft(question: Question) -> QuestionDraft:
    return QuestionDraft(question.ref, question.payload, gold=question.gold, explanation=question.explanation)


def _answers(study: Study) -> Iterator[AnswerRow]:
    columns = (
        "question__ref", "question__kind", "value", "shown", "participation__pseudonym", "assignment__hit__number",
        "position", "seconds", "given_at", "assignment__state", "assignment__reason", "repeat", "passed", "tally",
        "assignment__kind",
    )  # fmt: skip
    given = (
        Answer.objects.filter(participation__study=study, given_at__isnull=False)
        .exclude(assignment__kind=Assignment.Kind.TRY)
        .order_by("pk")
    )
    for row in given.values_list(*columns).iterator(chunk_size=5_000):
        (ref, kind, value, shown, who, hit, position, seconds, at, state, reason, repeat, passed, tally, work) = row
        pilot = hit is not None and hit <= study.pilot_hits
        why = why_not(kind, work, state, reason, repeat, pilot and not study.pilot_counts)
        yield AnswerRow(
            ref=ref, kind=kind, value=value, shown=shown, pseudonym=who, hit=hit, position=position, seconds=seconds,
            given_at=at, counts=not why, reason=why, passed=passed, tally=tally, pilot=pilot,
        )  # fmt: skip


def why_not(kind: str, work: str, state: str, reason: str, repeat: bool, pilot_left_out: bool) -> str:
    """Why an answer does not count towards results; empty when it does."""
    if kind != Question.Kind.REGULAR or work != Assignment.Kind.REGULAR:
        return kind if kind != Question.Kind.REGULAR else work
    if repeat:
        return "repeat"
    if state != Assignment.State.DONE:
        return f"{state}: {reason}" if reason else state
    return "pilot" if pilot_left_out else ""
