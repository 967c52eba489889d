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
from annotate.core.services.undo import not_undone, refuse_changed
from annotate.core.services.writing import write
from annotate.data.services.unopened import prepared_gold, refuse_updated
from annotate.gold.selectors.disputes import KEPT, REOPENED, is_kept, open_disputes
from annotate.models import Answer, Assignment, Event, GoldJudgement, Participation, Question, Study, User
from annotate.numerics.draws import derived_seed
from annotate.server.refusals import Refused, invalid
from annotate.tasktypes import ItemDraft, QuestionDraft

MOST_AT_ONCE = 500
PROMOTED, EXCLUDED = "promoted candidates", "excluded gold question"  # verbs of the log entries
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
        promoted: list[str] = []
        for question in candidates:
            judgements = list(question.judgements.all())
            value = task.agreed([judgement.value for judgement in judgements])
            if value is None or len(judgements) < max(authors, 1):
                continue
            explanations = dict.fromkeys(j.explanation for j in judgements if j.explanation)
            question.kind, question.gold = Question.Kind.GOLD, value
            question.explanation = " ".join(explanations)
            question.save(update_fields=["kind", "gold", "explanation"])
            promoted.append(question.ref)
        if promoted:
            deal_gold(study)
        record(study, PROMOTED, user=user, count=len(promoted), authors=authors, questions=promoted)
        return len(promoted)


def promotion_to_undo(study: Study) -> datetime | None:
    """Return the time of the latest promotion if it can be undone. In an opened study, annotators can get the new gold
    questions at any moment.
    """
    latest = _latest(study, PROMOTED)
    return latest.at if latest and study.is_draft else None


def undo_promotion(study_id: int, *, seen: str, user: Actor) -> None:
    """Turn the gold questions of the promotion at the time `seen` into candidates again. Undoing again has no effect.

    Raises `Refused` with the code `changed` if there has been another promotion, if the study has been opened, or if
    one of the questions has been changed, excluded, removed or tried.
    """
    with write():
        study = locked_study(study_id, user, Action.PROMOTE_CANDIDATES)
        latest = _latest(study, PROMOTED)
        if latest is None:
            raise not_undone("no candidates have been promoted")
        refuse_changed(latest.at, seen)
        refs: list[str] = latest.detail["questions"]
        questions = study.questions.select_for_update(no_key=True, of=("self",)).filter(ref__in=refs, upload=None)
        if questions.filter(kind=Question.Kind.CANDIDATE).count() == len(refs):
            return
        if not study.is_draft:
            raise not_undone("the study has been opened since then")
        unchanged = questions.filter(kind=Question.Kind.GOLD, gold_version=1, answers=None)
        if unchanged.count() < len(refs):
            raise not_undone("some of the new gold questions have been changed or tried since then")
        Question.objects.filter(pk__in=list(unchanged.values_list("pk", flat=True))).update(
            kind=Question.Kind.CANDIDATE, gold=None, explanation=""
        )
        deal_gold(study)
        record(study, "undid promotion", user=user, count=len(refs), questions=refs)


def exclude_gold(question_id: int, *, user: Actor, reason: str) -> list[Participation]:
    """Exclude a gold question whose expected answer is wrong. Return the annotators who need review.

    The question is no longer asked, and its grades no longer count towards anyone's accuracy. The answers stay. Stopped
    annotators are not restored. The result contains the annotators whom the quality rule stopped and would no longer
    stop, because their accuracy reaches the pass mark or because they have fewer gold answers than the minimum.
    Excluding a question again returns the current result and changes nothing else.
    """
    required_reason(reason)
    _exclude(question_id, user, reason)
    return _recount(question_id)


def is_answered(question: Question) -> bool:
    """Return whether annotators have answered or skipped the question. Researchers' try-outs are not answers."""
    answers = question.answers.exclude(assignment__kind=Assignment.Kind.TRY)
    return answers.exclude(given_at=None, skipped_at=None, tally=None).exists()


def exclusion_to_undo(question: Question) -> datetime | None:
    """Return the time of the question's latest exclusion if it can be undone, which is until annotators have answered
    the question.
    """
    latest = _latest(question.study, EXCLUDED, question=question.ref)
    return latest.at if latest and not is_answered(question) else None


def undo_exclusion(question_id: int, *, seen: str, user: Actor) -> None:
    """Turn a question that was excluded at the time `seen` into a gold question again. Undoing again has no effect.

    Raises `Refused` with the code `changed` if the question was excluded at another time, or if annotators have
    answered it.
    """
    with write():
        question = _locked_gold(question_id, user)
        latest = _latest(question.study, EXCLUDED, question=question.ref)
        if latest is None:
            raise not_undone(f"{question.ref} has not been excluded")
        refuse_changed(latest.at, seen)
        if question.kind == Question.Kind.GOLD:
            return
        if question.kind != Question.Kind.RETIRED or is_answered(question):
            raise not_undone(f"{question.ref} has been answered or replaced since then")
        question.kind = Question.Kind.GOLD
        question.save(update_fields=["kind"])
        if question.study.is_draft:
            deal_gold(question.study)
        record(question.study, "restored gold question", user=user, question=question.ref)
    _recount(question_id)


def _recount(question_id: int) -> list[Participation]:
    """Calculate the accuracy of everyone who got the question, and return the annotators whom the quality rule stopped
    and would no longer stop. This needs a transaction of its own, to see answers that were graded while the
    question changed.
    """
    with write():
        participations = (
            Participation.objects.locked()
            .filter(pk__in=Answer.objects.filter(question=question_id).values("participation"))
            .order_by("pk")
        )
        to_review = []
        for participation in participations:
            recount([participation])
            participation.save(update_fields=GOLD_SUMS)
            if not standing.fails_rule(participation):
                to_review.append(participation)
        return standing.stopped_by_rule(to_review)


def _exclude(question_id: int, user: Actor, reason: str) -> None:
    with write():
        question = _locked_gold(question_id, user)
        if question.kind == Question.Kind.RETIRED:
            return
        require_kind(question, Question.Kind.GOLD)
        question.kind = Question.Kind.RETIRED
        question.save(update_fields=["kind"])
        if question.study.is_draft:
            deal_gold(question.study)
        annotators = question.answers.filter(tally__isnull=False).count()
        record(question.study, EXCLUDED, user=user, reason=reason, question=question.ref, annotators=annotators)


def _locked_gold(question_id: int, user: Actor) -> Question:
    locked = Question.objects.select_for_update(no_key=True, of=("self",)).select_related("study")
    question = locked.get(pk=question_id)
    require(question.study, user, Action.EXCLUDE_GOLD)
    return question


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


def _latest(study: Study, verb: str, **detail: str) -> Event | None:
    """Return the latest log entry with this verb and these details."""
    named = {f"detail__{name}": value for name, value in detail.items()}
    return study.events.filter(verb=verb, **named).order_by("pk").last()
