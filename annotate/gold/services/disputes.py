"""Services that settle disputes about expected answers, and reopen them."""

from __future__ import annotations

from datetime import datetime

from annotate.core.permissions import Action, Actor, require
from annotate.core.services.archived import refuse_if_archived
from annotate.core.services.log import record
from annotate.core.services.regrading import require_kind
from annotate.core.services.writing import write
from annotate.gold.selectors.disputes import KEPT, REOPENED, is_kept, open_disputes
from annotate.models import Question


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
