"""All data stored about an annotator in a study, in a format that the annotator can download."""

from __future__ import annotations

from typing import Any

from annotate import tasktypes
from annotate.core.selectors.activity import own_summaries
from annotate.core.selectors.expected_answers import expected_as_seen, was_missed
from annotate.core.selectors.stored_data import stored_data
from annotate.messages.selectors import own_messages, received
from annotate.models import Annotator, Answer, Assignment, Item, Participation, Remark
from annotate.pay.selectors.own import own_entries
from annotate.people.personal import sections


def own_data(participation: Participation) -> dict[str, Any]:
    """Return the columns declared in `annotate.people.personal`, and the annotator's consent, pay, assignments, answers
    with activity summaries, and messages.

    Questions are included as they were shown. Gold questions are marked only if the annotator has seen feedback on
    them, because other annotators still get the same questions.
    """
    study, consent = participation.study, participation.consent
    columns = sections(Annotator.objects.filter(pk=participation.annotator_id))
    answers = list(participation.answers.select_related("question", "assignment").order_by("assignment_id", "position"))
    contents, summaries = _contents(participation, answers), own_summaries(participation)
    by_assignment: dict[str, list[dict[str, Any]]] = {}
    for answer in answers:
        by_assignment.setdefault(answer.assignment.public_id, []).append(
            _answer(participation, answer, contents) | {"activity": summaries.get(answer.pk)}
        )
    return {
        "study": {
            "title": study.title,
            "protocol_number": study.protocol_number,
            "privacy_notice": study.privacy_notice or stored_data(study),
        },
        **columns,
        "consent": {
            "version": consent.version if consent else None,
            "text": consent.text if consent else "",
            "accepted_at": participation.consented_at,
            "declared_eligible": participation.declared_eligible,
        },
        "bonuses_and_payments": [
            {
                "kind": entry.kind,
                "correction": entry.is_correction,
                "date": entry.on,
                "amount": entry.amount,
                "note": entry.note,
            }
            for entry in own_entries(participation)
        ],
        "assignments": [each | {"answers": by_assignment.get(each["id"], [])} for each in columns["assignments"]],
        "messages": [_message(each) for each in own_messages(participation)],
        "messages_from_the_research_team": [
            {"sent_at": each.sent_at, "text": each.text} for each in received(participation)
        ],
    }


def _contents(participation: Participation, answers: list[Answer]) -> dict[str, Any]:
    task = tasktypes.get(participation.study.task_type)
    keys = {key for answer in answers for key in task.item_keys(answer.question.payload)}
    return dict(Item.objects.filter(study=participation.study_id, key__in=keys).values_list("key", "content"))


def _answer(participation: Participation, answer: Answer, contents: dict[str, Any]) -> dict[str, Any]:
    study, question = participation.study, answer.question
    task = tasktypes.get(study.task_type)
    latest = answer.latest
    shown_feedback = _has_seen_feedback(answer) and was_missed(answer, study)
    return {
        "position": answer.position,
        "question": task.present(question.payload, answer.shown, contents, study.options),
        "answer": None if latest.value is None else task.reveal(question.payload, answer.shown, latest.value),
        "draft": answer.draft,
        "answered_at": latest.given_at,
        "seconds": latest.seconds,
        "reason_for_skipping": latest.skipped,
        "skipped_at": latest.skipped_at,
        "earlier_answers": latest.trace,
        "expected": task.reveal(question.payload, answer.shown, expected_as_seen(answer).gold)
        if shown_feedback
        else None,
        "disagreed": answer.disputed,
        "comment": answer.dispute_note,
    }


def _has_seen_feedback(answer: Answer) -> bool:
    """Return whether the annotator has seen the feedback on a missed answer.

    Answers that need no feedback are acknowledged automatically at the time of the answer. The pages of a Mechanical
    Turk batch show feedback before the worker submits the answers, but not on gold questions of other HITs.
    """
    if answer.acknowledged_at is None or answer.given_at is None or answer.always_missed:
        return False
    return answer.acknowledged_at > answer.given_at or answer.assignment.source == Assignment.Source.MTURK


def _message(message: Remark) -> dict[str, Any]:
    """Return a message with its reply. The name of the researcher who replied is not included."""
    answer = message.answer
    return {
        "kind": message.kind,
        "assignment": answer.assignment.public_id if answer else None,
        "position": answer.position if answer else None,
        "text": message.text,
        "sent_at": message.sent_at,
        "reply": message.reply,
        "replied_at": message.replied_at,
    }
