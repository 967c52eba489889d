"""Making gold: candidates that several authors answer, those on which they agree, and setting a wrong key aside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from annotate import tasktypes
from annotate.models import Answer, GoldJudgement, Participation, Question, Study, User
from annotate.numerics.draws import derived_seed
from annotate.refusals import Refused
from annotate.tasktypes import ItemDraft

from . import standing
from .archived import refuse_if_archived
from .log import record
from .writing import write

MOST_AT_ONCE = 500


def draw_candidates(study_id: int, count: int, *, user: User) -> list[Question]:
    """Draw questions for authors to answer; none repeats a question of the study."""
    if not 1 <= count <= MOST_AT_ONCE:
        raise Refused(
            "invalid", f"Draw from 1 to {MOST_AT_ONCE} candidates at once.", status=400,
            fields={"count": [f"must be from 1 to {MOST_AT_ONCE}"]},
        )  # fmt: skip
    with write():
        study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
        items = [
            ItemDraft(item.key, item.content, item.metadata, item.held_out)
            for item in study.items.filter(upload__revealed_at__isnull=False).order_by("pk")
        ]
        taken = list(study.questions.values_list("payload", flat=True))
        seed = derived_seed(study.seed, "candidates", len(taken))
        task = tasktypes.get(study.task_type)
        try:
            drafts = task.draw_candidates(items, taken, count, study.options, seed)
        except tasktypes.CannotBuild as error:
            raise Refused("cannot-build", str(error), status=400, fields={"count": [str(error)]}) from error
        first = study.questions.filter(ref__startswith="candidate-").count() + 1
        questions = Question.objects.bulk_create(
            [
                Question(study=study, kind=Question.Kind.CANDIDATE, ref=f"candidate-{number}", payload=draft.payload)
                for number, draft in enumerate(drafts, start=first)
            ]
        )
        record(study, "drew candidates", user=user, count=len(questions))
        return questions


def judge_candidate(question_id: int, raw: Any, *, user: User, explanation: str = "") -> GoldJudgement:
    """Keep an author's answer; answering again replaces it. `raw` is in the order of the payload."""
    with write():
        question = Question.objects.select_for_update(no_key=True).select_related("study").get(pk=question_id)
        refuse_if_archived(question.study_id)
        _require_kind(question, Question.Kind.CANDIDATE)
        task = tasktypes.get(question.study.task_type)
        try:
            value = task.clean(question.payload, None, raw, question.study.options)
        except tasktypes.InvalidAnswer as error:
            raise Refused("invalid", str(error), status=400, fields={error.path: [str(error)]}) from error
        judgement, _ = GoldJudgement.objects.update_or_create(
            question=question, user=user, defaults={"value": value, "explanation": explanation.strip()}
        )
        return judgement


def promote(question_ids: Sequence[int], *, study_id: int, user: User, authors: int = 1) -> int:
    """Make gold of the candidates on which at least `authors` agree, with the explanations they gave.

    Returns how many became gold; candidates without agreement stay what they are.
    """
    with write():
        study = Study.objects.get(pk=study_id)
        task = tasktypes.get(study.task_type)
        candidates = (
            study.questions.select_for_update(no_key=True)
            .filter(pk__in=question_ids, kind=Question.Kind.CANDIDATE)
            .order_by("pk")
            .prefetch_related("judgements")
        )
        made = 0
        for question in candidates:
            judgements = list(question.judgements.all())
            value = task.agreed([judgement.value for judgement in judgements])
            if value is None or len(judgements) < max(authors, 1):
                continue
            explanations = dict.fromkeys(j.explanation for j in judgements if j.explanation)
            question.kind, question.gold = Question.Kind.GOLD, value
            question.explanation = " ".join(explanations)
            question.save(update_fields=["kind", "gold", "explanation"])
            made += 1
        record(study, "made gold", user=user, count=made, authors=authors)
        return made


def set_aside(question_id: int, *, user: User, reason: str) -> int:
    """Retire a gold question whose key is wrong: it is asked no more, and its grades leave everyone's accuracy.

    Answers stay as they were given. Nobody is restored by this: the number of stopped annotators whom the rule would
    no longer stop is returned, for a researcher to look at. Setting aside again counts again, and changes nothing.
    """
    if not reason.strip():
        raise Refused(
            "no-reason", "Say why: the reason goes into the log.", status=400, fields={"reason": ["is empty"]}
        )
    _retire(question_id, user, reason)
    # In a transaction of its own: whoever was giving it just then was graded, has an answer to it and is found here.
    with write():
        participations = (
            Participation.objects.select_for_update(no_key=True, of=("self",))
            .select_related("study", "annotator")
            .filter(pk__in=Answer.objects.filter(question=question_id).values("participation"))
            .order_by("pk")
        )
        rescued = 0
        for participation in participations:
            _recount(participation)
            stopped = participation.standing == Participation.Standing.STOPPED
            rescued += stopped and not standing.fails_rule(participation)
        return rescued


def _retire(question_id: int, user: User, reason: str) -> None:
    with write():
        locked = Question.objects.select_for_update(no_key=True, of=("self",)).select_related("study")
        question = locked.get(pk=question_id)
        if question.kind == Question.Kind.RETIRED:
            return
        _require_kind(question, Question.Kind.GOLD)
        question.kind = Question.Kind.RETIRED
        question.save(update_fields=["kind"])
        annotators = question.answers.filter(tally__isnull=False).count()
        record(question.study, "set gold aside", user=user, reason=reason, question=question.ref, annotators=annotators)


def _recount(participation: Participation) -> None:
    kept = participation.answers.filter(question__kind=Question.Kind.GOLD, tally__isnull=False)
    participation.tallies, participation.graded = _summed(kept)
    # What the rule looks past is what was graded before the last restoring.
    at = Coalesce("given_at", "acknowledged_at")  # unanswered gold questions of a batch have no answer
    past = kept.alias(at=at).filter(at__lte=participation.restored_at) if participation.restored_at else kept.none()
    participation.forgiven, participation.forgiven_graded = _summed(past)
    participation.save(update_fields=["tallies", "graded", "forgiven", "forgiven_graded"])


def _summed(graded: QuerySet[Answer]) -> tuple[dict[str, float], int]:
    """Their tallies summed by name, and how many there were."""
    sums: dict[str, float] = {}
    count = 0
    for answer in graded.only("tally"):
        count += 1
        for name, value in (answer.tally or {}).items():
            sums[name] = sums.get(name, 0) + value
    return sums, count


def _require_kind(question: Question, kind: str) -> None:
    if question.kind != kind:
        raise Refused("kind", f"Question {question.ref} is {question.kind}, not {kind}.")
