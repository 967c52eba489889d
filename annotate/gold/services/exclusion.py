"""Services that exclude wrong gold questions, and undo exclusions."""

from __future__ import annotations

from datetime import datetime

from annotate.core.permissions import Action, Actor, require
from annotate.core.services import standing
from annotate.core.services.gold_sets import GOLD_SUMS, deal_gold, recount
from annotate.core.services.log import record
from annotate.core.services.regrading import require_kind
from annotate.core.services.texts import required_reason
from annotate.core.services.undo import not_undone, refuse_changed
from annotate.core.services.writing import write
from annotate.gold.selectors.log import latest_entry
from annotate.models import Answer, Assignment, Participation, Question

EXCLUDED = "excluded gold question"  # the verb of the log entry


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
    latest = latest_entry(question.study, EXCLUDED, question=question.ref)
    return latest.at if latest and not is_answered(question) else None


def undo_exclusion(question_id: int, *, seen: str, user: Actor) -> None:
    """Turn a question that was excluded at the time `seen` into a gold question again. Undoing again has no effect.

    Raises `Refused` with the code `changed` if the question was excluded at another time, or if annotators have
    answered it.
    """
    with write():
        question = _locked_gold(question_id, user)
        latest = latest_entry(question.study, EXCLUDED, question=question.ref)
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
