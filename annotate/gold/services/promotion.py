"""Services that promote candidates to gold questions, and undo promotions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from annotate import tasktypes
from annotate.core.permissions import Action, Actor, locked_study
from annotate.core.services.gold_sets import deal_gold
from annotate.core.services.log import record
from annotate.core.services.undo import not_undone, refuse_changed
from annotate.core.services.writing import write
from annotate.gold.selectors.log import latest_entry
from annotate.models import Question, Study

PROMOTED = "promoted candidates"  # the verb of the log entry


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
    latest = latest_entry(study, PROMOTED)
    return latest.at if latest and study.is_draft else None


def undo_promotion(study_id: int, *, seen: str, user: Actor) -> None:
    """Turn the gold questions of the promotion at the time `seen` into candidates again. Undoing again has no effect.

    Raises `Refused` with the code `changed` if there has been another promotion, if the study has been opened, or if
    one of the questions has been changed, excluded, removed or tried.
    """
    with write():
        study = locked_study(study_id, user, Action.PROMOTE_CANDIDATES)
        latest = latest_entry(study, PROMOTED)
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
