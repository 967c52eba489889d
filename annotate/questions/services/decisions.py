"""Services that store, undo and withdraw decisions on questions that annotators disagree about.

A decision changes neither the answers nor existing reports.
"""

from __future__ import annotations

from typing import Any

from annotate import tasktypes
from annotate.core.permissions import Action, Actor, require
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import Answer, Decision, Event, Question, User
from annotate.questions.selectors.decisions import DECIDED, UNDID, VERBS, WITHDREW
from annotate.server.refusals import Refused, invalid


def decide(question_id: int, raw: Any, *, user: User, note: str = "", seen: str | None = None) -> Decision:
    """Store a reviewer's answer as the decision on a question. The audit log keeps the question's previous decision.

    `raw` must have the order of the payload. Raises `Refused` with the code `invalid` for an impossible value, `kind`
    for a question that is not scored, `draft` before the study is opened, and `changed` if `seen` is not the version of
    the current decision (see `version_of`).
    """
    with write():
        question = _locked(question_id, user)
        task = tasktypes.get(question.study.task_type)
        try:
            value = task.clean(question.payload, [], raw, question.study.options)
        except tasktypes.InvalidAnswer as error:
            raise invalid(f"value.{error.path}", str(error)) from error
        return _store(question, value, keep_both=False, user=user, note=note, seen=seen)


def keep_both(question_id: int, *, user: User, note: str = "", seen: str | None = None) -> Decision:
    """Store the decision that all answers to a question are acceptable.

    Such a decision changes no results: the answers of all annotators count as before. Raises `Refused` like `decide`,
    and with `one-answer` if fewer than two answers to the question count.
    """
    with write():
        question = _locked(question_id, user)
        if Answer.objects.counting().filter(question=question)[:2].count() < 2:
            raise Refused("one-answer", f"Question {question.ref} has fewer than two answers that count.")
        return _store(question, None, keep_both=True, user=user, note=note, seen=seen)


def version_of(decision: Decision | None) -> str:
    """Return a string that changes with the question's decision. It is empty if there is no decision."""
    return decision.decided_at.isoformat() if decision else ""


def _store(question: Question, value: Any, *, keep_both: bool, user: User, note: str, seen: str | None) -> Decision:
    note = note.strip()[:2000]
    before = Decision.objects.filter(question=question).first()
    _refuse_changed(before, seen)
    if before is not None and (before.value, before.keep_both, before.note) == (value, keep_both, note):
        return before
    decision, _ = Decision.objects.update_or_create(
        question=question, defaults={"value": value, "keep_both": keep_both, "note": note, "user": user}
    )
    record(
        question.study,
        DECIDED,
        user=user,
        reason=note,
        question=question.ref,
        before=before.value if before else None,
        value=value,
        keep_both=keep_both,
        earlier=_described(before),
    )
    return decision


def _described(decision: Decision | None) -> dict[str, Any] | None:
    """Return the parts of a decision that `undo` needs in order to restore it."""
    if decision is None:
        return None
    return {
        "value": decision.value,
        "keep_both": decision.keep_both,
        "note": decision.note,
        "user": decision.user_id,
    }


def undo(question_id: int, *, user: Actor, seen: str | None = None) -> Decision | None:
    """Undo the latest decision on a question, and return the restored decision or None.

    If the latest decision replaced an earlier decision, the earlier decision is restored with its reason and its
    author. Otherwise, the question has no decision afterwards. Raises `Refused` with the code `no-undo` if the latest
    decision has been undone or withdrawn, and `changed` if `seen` is not the version of the current decision.
    """
    with write():
        question = _locked(question_id, user)
        current = Decision.objects.filter(question=question).first()
        _refuse_changed(current, seen)
        latest = _latest_entry(question)
        if current is None or latest is None or latest.verb != DECIDED:
            raise Refused("no-undo", f"The latest decision on question {question.ref} has already been undone.")
        earlier = latest.detail["earlier"]
        record(
            question.study,
            UNDID,
            user=user,
            question=question.ref,
            before=current.value,
            value=earlier and earlier["value"],
            keep_both=bool(earlier and earlier["keep_both"]),
        )
        if earlier is None:
            current.delete()
            return None
        current.value, current.keep_both, current.note = earlier["value"], earlier["keep_both"], earlier["note"]
        current.user_id = earlier["user"]
        current.save()
        return current


def can_undo(decision: Decision) -> bool:
    """Return whether `undo` can undo this decision."""
    latest = _latest_entry(decision.question)
    return latest is not None and latest.verb == DECIDED


def _latest_entry(question: Question) -> Event | None:
    """Return the latest log entry about decisions on a question."""
    entries = question.study.events.filter(verb__in=VERBS, detail__question=question.ref)
    return entries.order_by("-pk").first()


def withdraw(question_id: int, *, user: Actor) -> None:
    """Withdraw the decision on a question. This function has no effect if the question has no decision."""
    with write():
        question = _locked(question_id, user)
        decision = Decision.objects.filter(question=question).first()
        if decision is not None:
            record(question.study, WITHDREW, user=user, question=question.ref, before=decision.value)
            decision.delete()


def _refuse_changed(current: Decision | None, seen: str | None) -> None:
    if seen is not None and seen != version_of(current):
        message = "Another reviewer has changed the decision since you opened this question. Check the decision first."
        raise Refused("changed", message)


def _locked(question_id: int, user: Actor) -> Question:
    question = Question.objects.select_for_update(no_key=True, of=("self",)).select_related("study").get(pk=question_id)
    require(question.study, user, Action.DECIDE)
    if question.study.is_draft:
        raise Refused("draft", "Open the study before you record decisions.")
    if question.kind != Question.Kind.REGULAR:
        raise Refused(
            "kind",
            f"Question {question.ref} is a {question.kind} question. Only decisions on scored questions are possible.",
        )
    return question
