"""Services that draw gold candidates, store authors' answers, promote candidates to gold, exclude wrong gold questions,
and settle disputes about expected answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Count, Max

from annotate import tasktypes
from annotate.core.permissions import Action, Actor, locked_study, permitted_study, require
from annotate.core.services import standing
from annotate.core.services.archived import refuse_if_archived
from annotate.core.services.gold_sets import GOLD_SUMS, deal_gold, recount
from annotate.core.services.log import record
from annotate.core.services.regrading import require_kind
from annotate.core.services.texts import required_reason
from annotate.core.services.writing import write
from annotate.data.services.unopened import prepared_gold, refuse_updated
from annotate.gold.selectors.disputes import KEPT, REOPENED, is_kept, open_disputes
from annotate.models import Answer, GoldJudgement, Participation, Question, Study, User
from annotate.numerics.draws import derived_seed
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


def promote(question_ids: Sequence[int], *, study_id: int, user: Actor, authors: int = 1) -> int:
    """Turn candidates into gold questions if at least `authors` authors agree on them, and store the authors'
    explanations.

    Candidates without agreement do not change. Returns the number of new gold questions.
    """
    with write():
        # The study is locked before the candidates, as for updates of unopened questions.
        study = locked_study(study_id, user, Action.PROMOTE_CANDIDATES)
        task = tasktypes.get(study.task_type)
        candidates = (
            study.questions.select_for_update(no_key=True)
            .filter(pk__in=question_ids, kind=Question.Kind.CANDIDATE)
            .order_by("pk")
            .prefetch_related("judgements")
        )
        promoted = 0
        for question in candidates:
            judgements = list(question.judgements.all())
            value = task.agreed([judgement.value for judgement in judgements])
            if value is None or len(judgements) < max(authors, 1):
                continue
            explanations = dict.fromkeys(j.explanation for j in judgements if j.explanation)
            question.kind, question.gold = Question.Kind.GOLD, value
            question.explanation = " ".join(explanations)
            question.save(update_fields=["kind", "gold", "explanation"])
            promoted += 1
        if promoted:
            deal_gold(study)
        record(study, "promoted candidates", user=user, count=promoted, authors=authors)
        return promoted


def exclude_gold(question_id: int, *, user: Actor, reason: str) -> int:
    """Exclude a gold question whose expected answer is wrong. Return the number of annotators who need review.

    The question is no longer asked, and its grades no longer count towards anyone's accuracy. The answers stay. Stopped
    annotators are not restored. The result is the number of stopped annotators whom the quality rule would no longer
    stop. Excluding a question again returns the current number and changes nothing else.
    """
    required_reason(reason)
    _exclude(question_id, user, reason)
    # The second transaction also sees answers that were graded while the first transaction ran.
    with write():
        participations = (
            Participation.objects.locked()
            .filter(pk__in=Answer.objects.filter(question=question_id).values("participation"))
            .order_by("pk")
        )
        to_review = 0
        for participation in participations:
            recount([participation])
            participation.save(update_fields=GOLD_SUMS)
            stopped = participation.standing == Participation.Standing.STOPPED
            to_review += stopped and not standing.fails_rule(participation)
        return to_review


def _exclude(question_id: int, user: Actor, reason: str) -> None:
    with write():
        locked = Question.objects.select_for_update(no_key=True, of=("self",)).select_related("study")
        question = locked.get(pk=question_id)
        require(question.study, user, Action.EXCLUDE_GOLD)
        if question.kind == Question.Kind.RETIRED:
            return
        require_kind(question, Question.Kind.GOLD)
        question.kind = Question.Kind.RETIRED
        question.save(update_fields=["kind"])
        if question.study.is_draft:
            deal_gold(question.study)
        annotators = question.answers.filter(tally__isnull=False).count()
        record(
            question.study,
            "excluded gold question",
            user=user,
            reason=reason,
            question=question.ref,
            annotators=annotators,
        )


def keep_expected_answer(question_id: int, *, user: Actor, until: datetime | None = None) -> int:
    """Settle the open disputes about a gold question whose expected answer remains. Return the number of disputes.

    Disputes after `until` remain open, because the reviewer has not seen them. The answers and their grades do not
    change. Raises `Refused` with the code `kind` if the question is not a gold question.
    """
    with write():
        question = _disputed(question_id, user)
        settled = [
            dispute
            for dispute in open_disputes(question.study)
            if dispute.question == question.pk and (until is None or dispute.at <= until)
        ]
        if settled:
            last = settled[-1].at.isoformat()
            record(question.study, KEPT, user=user, question=question.ref, disputes=len(settled), until=last)
        return len(settled)


def reopen_disputes(question_id: int, *, user: Actor) -> None:
    """Undo `keep_expected_answer`. If no disputes about the question are settled, nothing changes."""
    with write():
        question = _disputed(question_id, user)
        if is_kept(question):
            record(question.study, REOPENED, user=user, question=question.ref)


def _disputed(question_id: int, user: Actor) -> Question:
    locked = Question.objects.select_for_update(no_key=True, of=("self",)).select_related("study")
    question = locked.get(pk=question_id)
    require(question.study, user, Action.DECIDE)
    refuse_if_archived(question.study_id)
    require_kind(question, Question.Kind.GOLD)
    return question
