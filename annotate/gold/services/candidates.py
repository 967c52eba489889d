"""Services that draw gold candidates and store authors' answers to them."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Max

from accord_core.numerics.draws import derived_seed
from annotate import tasktypes
from annotate.core.permissions import Action, Actor, locked_study, permitted_study, require
from annotate.core.services.archived import refuse_if_archived
from annotate.core.services.log import record
from annotate.core.services.regrading import require_kind
from annotate.core.services.writing import write
from annotate.data.services.unopened import prepared_gold, refuse_updated
from annotate.models import GoldJudgement, Question, Study, User
from annotate.server.refusals import Refused, invalid
from annotate.tasktypes import ItemDraft, QuestionDraft

MOST_AT_ONCE = 500
CANDIDATE_PREFIX = "candidate-"  # the references of candidates, also after a candidate has become gold


def draw_candidates(study_id: int, count: int, *, user: Actor) -> list[Question]:
    """Draw gold candidates for authors to answer. A candidate never duplicates a question in the study.

    The draw takes seconds in large studies, so the study is locked only afterwards. Raises `Refused` with the code
    `invalid`, `cannot-build`, or `conflict` if the items or the questions of the study have changed in the meantime.
    """
    if not 1 <= count <= MOST_AT_ONCE:
        raise Refused(
            "invalid",
            f"Draw between 1 and {MOST_AT_ONCE} candidates at a time.",
            status=400,
            fields={"count": [f"must be between 1 and {MOST_AT_ONCE}"]},
        )
    study = permitted_study(study_id, user, Action.DRAW_CANDIDATES)
    contents = _contents(study)
    try:
        drafts = _drawn(study, count)
    except tasktypes.CannotBuild as error:
        raise Refused("cannot-build", str(error), status=400, fields={"count": [str(error)]}) from error
    drafts, updates = prepared_gold(study, drafts)
    with write():
        study = locked_study(study_id, user, Action.DRAW_CANDIDATES)
        refuse_updated(study, updates)
        if _contents(study) != contents:
            raise Refused(
                "conflict", "The items or the questions of the study have changed in the meantime. Try again."
            )
        first = _last_candidate(study) + 1
        questions = Question.objects.bulk_create(
            [
                Question(
                    study=study, kind=Question.Kind.CANDIDATE, ref=f"{CANDIDATE_PREFIX}{number}", payload=draft.payload
                )
                for number, draft in enumerate(drafts, start=first)
            ]
        )
        record(study, "drew candidates", user=user, count=len(questions))
        return questions


def _drawn(study: Study, count: int) -> list[QuestionDraft]:
    items = [
        ItemDraft(item.key, item.content, item.metadata, item.held_out) for item in study.items.visible().order_by("pk")
    ]
    payloads = list(study.questions.values_list("payload", flat=True))
    seed = derived_seed(study.seed, "candidates", len(payloads))
    return tasktypes.get(study.task_type).draw_candidates(items, payloads, count, study.options, seed)


def _contents(study: Study) -> list[dict[str, int | None]]:
    """Return the number and the largest ID of the study's items and questions, which change with each import."""
    return [rows.aggregate(count=Count("pk"), last=Max("pk")) for rows in (study.items.visible(), study.questions)]


def _last_candidate(study: Study) -> int:
    """Return the highest candidate number in the study, or 0 if there are no candidates."""
    refs = study.questions.filter(ref__startswith=CANDIDATE_PREFIX).values_list("ref", flat=True)
    numbers = [ref.removeprefix(CANDIDATE_PREFIX) for ref in refs]
    return max((int(number) for number in numbers if number.isdecimal()), default=0)


def judge_candidate(question_id: int, raw: Any, *, user: User, explanation: str = "") -> GoldJudgement:
    """Store an author's answer to a gold candidate. A new answer replaces the author's earlier answer.

    `raw` must have the order of the payload. Raises `Refused` with the code `kind` if the question is not a candidate,
    or `invalid` for an impossible value.
    """
    with write():
        question = Question.objects.select_for_update(no_key=True).select_related("study").get(pk=question_id)
        require(question.study, user, Action.ANSWER_CANDIDATES)
        refuse_if_archived(question.study_id)
        require_kind(question, Question.Kind.CANDIDATE)
        task = tasktypes.get(question.study.task_type)
        try:
            value = task.clean(question.payload, None, raw, question.study.options)
        except tasktypes.InvalidAnswer as error:
            raise invalid(error.path, str(error)) from error
        judgement, _ = GoldJudgement.objects.update_or_create(
            question=question, user=user, defaults={"value": value, "explanation": explanation.strip()}
        )
        return judgement
