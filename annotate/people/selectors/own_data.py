"""All data that a study stores about an annotator, in a format that the annotator can download."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from annotate import tasktypes
from annotate.core.selectors.activity import own_summaries
from annotate.core.selectors.expected_answers import expected_as_seen, was_missed
from annotate.messages.selectors import own_messages, received
from annotate.models import (
    Annotator,
    Answer,
    Assignment,
    IntegrityFigures,
    Item,
    NamedAnnotator,
    Participation,
    Remark,
    ReportedSubmission,
    Screening,
    SurveyResponse,
)
from annotate.pay.selectors.own import own_entries


def own_data(participation: Participation) -> dict[str, Any]:
    """Return the annotator's identity, consent, pay, assignments, answers, activity summaries, integrity indicators and
    messages.

    Questions are included as they were shown. Gold questions are marked only if the annotator has seen feedback on
    them, because other annotators still get the same questions.
    """
    annotator, study, consent = participation.annotator, participation.study, participation.consent
    named = NamedAnnotator.objects.filter(participation=participation).first()
    assignments = list(participation.assignments.order_by("pk"))
    answers = list(participation.answers.select_related("question", "assignment").order_by("assignment_id", "position"))
    contents, summaries = _contents(participation, answers), own_summaries(participation)
    by_assignment: dict[int, list[dict[str, Any]]] = {}
    for answer in answers:
        by_assignment.setdefault(answer.assignment_id, []).append(
            _answer(participation, answer, contents) | {"activity": summaries.get(answer.pk)}
        )
    return {
        "study": {
            "title": study.title,
            "protocol_number": study.protocol_number,
            "privacy_notice": study.privacy_notice,
        },
        "you": {
            "pseudonym": participation.pseudonym,
            "platform": annotator.platform,
            "platform_id": annotator.external_id,
            "contact": annotator.contact,
            "email": named.email if named else "",
            "group": participation.group.name if participation.group else "",
            "joined_at": participation.joined_at,
            "standing": participation.standing,
            "standing_reason": participation.standing_reason,
        },
        "prolific_submissions": [
            {
                "participant_id": each.participant_id,
                "study_id": each.prolific_study_id,
                "submission_id": each.submission_id,
                "arrived_at": each.arrived_at,
                "outcome": each.outcome,
                "outcome_at": each.outcome_at,
            }
            for each in participation.prolific_submissions.order_by("pk")
        ],
        "reported_by_prolific": [
            {
                "submission_id": each.submission_id,
                "status": each.status,
                "completion_code": each.code,
                "started_at": each.started_at,
                "completed_at": each.completed_at,
                "reviewed_at": each.reviewed_at,
                "seconds": each.seconds,
                "rejection_message": each.rejection_message,
            }
            for each in _reported_about(participation)
        ],
        "consent": {
            "version": consent.version if consent else None,
            "text": consent.text if consent else "",
            "accepted_at": participation.consented_at,
            "declared_eligible": participation.declared_eligible,
        },
        "screening": Screening.objects.filter(participation=participation).values("created_at", "answers").first(),
        "survey": SurveyResponse.objects.filter(participation=participation).values("created_at", "answers").first(),
        "integrity_signs": IntegrityFigures.objects.filter(participation=participation)
        .values("figures", "answers", "calculated_at")
        .first(),
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
        "assignments": [_assignment(each, by_assignment.get(each.pk, [])) for each in assignments],
        "messages": [_message(each) for each in own_messages(participation)],
        "messages_from_the_research_team": [
            {"sent_at": each.sent_at, "text": each.text} for each in received(participation)
        ],
    }


def _contents(participation: Participation, answers: list[Answer]) -> dict[str, Any]:
    task = tasktypes.get(participation.study.task_type)
    keys = {key for answer in answers for key in task.item_keys(answer.question.payload)}
    return dict(Item.objects.filter(study=participation.study_id, key__in=keys).values_list("key", "content"))


def _assignment(assignment: Assignment, answers: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": assignment.public_id,
        "state": assignment.state,
        "reason": assignment.reason,
        "claimed_at": assignment.claimed_at,
        "submitted_at": assignment.submitted_at,
        "reward": assignment.reward,
        "credited": assignment.credited,
        "answers": answers,
    }


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
    """Return whether the annotator has seen feedback in case the answer was missed.

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


def _reported_about(participation: Participation) -> QuerySet[ReportedSubmission]:
    """Return one participant's submissions, as reported by Prolific."""
    study, annotator = participation.study, participation.annotator
    if annotator.platform != Annotator.Platform.PROLIFIC or not annotator.external_id:
        return study.reported_submissions.none()
    return study.reported_submissions.filter(participant_id=annotator.external_id).order_by("pk")
