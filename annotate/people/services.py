"""Services that exclude answers, note reviews of annotators, and remove personal data on request and after the
retention period.

An excluded answer is kept but does not count, and its question goes to another annotator. After personal data has been
removed, answers stay under pseudonyms, which differ between studies.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import F, Q, QuerySet

from annotate.core.permissions import Action, Actor, permitted_studies, require
from annotate.core.selectors.admission import people_with
from annotate.core.services.asked_again import balance_slots
from annotate.core.services.batches import remove_batch_of
from annotate.core.services.exclusions import record_exclusion
from annotate.core.services.locks import locked_participation
from annotate.core.services.log import record
from annotate.core.services.texts import required_reason, required_text
from annotate.core.services.writing import write
from annotate.models import (
    Annotator,
    Answer,
    Assignment,
    NamedAnnotator,
    Participation,
    Question,
    Study,
    User,
)
from annotate.models.event import REMOVED_PERSONAL_DATA
from annotate.people.personal import tables
from annotate.recruiting.services.questionnaires import replace_survey_answers_by_totals
from annotate.server import clock
from annotate.server.refusals import Refused
from annotate.tasktypes.personal import Table

LONGEST_REASON = 500  # characters


@dataclass(frozen=True)
class Included:
    """The result of including an answer again. `withdrawn` is whether the additional slot for the question was closed,
    so that no other annotator answers the question.
    """

    withdrawn: bool


def exclude_answer(answer_id: int, *, reason: str, user: Actor) -> None:
    """Exclude an answer that counts, and open one more slot for its question. Excluding the same answer again has no
    effect.

    Raises `Refused` with the code `kind` for a gold or practice question, or `not-counted` for an answer that does not
    count.
    """
    reason = required_reason(reason)[:LONGEST_REASON]
    with write():
        answer = _locked(answer_id, user)
        if answer.excluded:
            return
        _refuse_uncounted(answer)
        answer.excluded = reason
        answer.save(update_fields=["excluded"])
        record_exclusion("excluded answer", answer, reason, user)
        balance_slots(answer.assignment.study_id, [answer.question_id])


def include_answer(answer_id: int, *, reason: str, user: Actor) -> Included:
    """Include an excluded answer in the study again. Accord closes the question’s additional slot, unless an annotator
    has already claimed it. Raises `Refused` (`not-excluded`).
    """
    reason = required_reason(reason)[:LONGEST_REASON]
    with write():
        answer = _locked(answer_id, user)
        if not answer.excluded:
            raise Refused("not-excluded", f"The answer to question {answer.question.ref} is not excluded.")
        answer.excluded = ""
        answer.save(update_fields=["excluded"])
        record_exclusion("included answer", answer, reason, user)
        balanced = balance_slots(answer.assignment.study_id, [answer.question_id])
        return Included(balanced.withdrawn > 0)


def _locked(answer_id: int, user: Actor) -> Answer:
    """Lock the participation, then the assignment and then the answer, in the same order as all other services."""
    answer = Answer.objects.get(pk=answer_id)
    participation = locked_participation(answer.participation_id)
    require(participation.study, user, Action.EXCLUDE_ANSWERS)
    assignment = Assignment.objects.select_for_update(no_key=True).get(pk=answer.assignment_id)
    answer = Answer.objects.select_related("question").get(pk=answer_id)
    assignment.participation, assignment.study = participation, participation.study
    answer.assignment, answer.participation = assignment, participation
    return answer


def _refuse_uncounted(answer: Answer) -> None:
    ref, kind = answer.question.ref, answer.question.kind
    if kind != Question.Kind.REGULAR:
        raise Refused(
            "kind",
            f"Question {ref} is a {answer.question.get_kind_display().lower()} question. You can exclude individual "
            "answers only to regular questions.",
        )
    regular = answer.assignment.kind == Assignment.Kind.REGULAR
    counts = regular and answer.assignment.state == Assignment.State.DONE and not answer.repeat
    if not counts or answer.given_at is None:
        raise Refused("not-counted", f"This answer to question {ref} does not count, so it cannot be excluded.")


NOTED, REVIEWED = "noted", "reviewed"
LONGEST = 500  # characters


def add_note(participation_id: int, *, text: str, user: Actor) -> None:
    """Add a note about an annotator to the study's history."""
    _record_note(NOTED, participation_id, text, user)


def mark_reviewed(participation_id: int, *, text: str, user: Actor) -> None:
    """Record that a researcher has reviewed an annotator's answers, and store the researcher's conclusion.

    The annotator is not listed under “Needs a look” until a later results report shows signs of careless answers.
    """
    _record_note(REVIEWED, participation_id, text, user)


def _record_note(verb: str, participation_id: int, text: str, user: Actor) -> None:
    text = required_text(text, "note", LONGEST)
    with write():
        participation = locked_participation(participation_id)
        require(participation.study, user, Action.REVIEW)
        record(participation.study, verb, user=user, participation=participation, reason=text)


def remove_personal_data(annotator_id: int, *, user: User, reason: str, limited_to: int | None = None) -> int:
    """Remove an annotator's personal data. Return the number of studies from which data was removed.

    The data is removed from every study that the user manages and in which the same platform ID takes part. For an
    administrator, these are all studies on the server. If `limited_to` is specified, only this study is changed. Raises
    `Refused` (`not-allowed`) if the annotator's own study is not included.
    """
    with write():
        annotator = Annotator.objects.get(pk=annotator_id)
        same = Q(pk=annotator.pk) | Q(pk__in=people_with(annotator.platform, annotator.external_id).values("pk"))
        annotators = Annotator.objects.filter(same)
        if not is_administrator(user):
            annotators = annotators.filter(study__in=permitted_studies(user, Action.REMOVE_PERSONAL_DATA))
        if limited_to is not None:
            annotators = annotators.filter(study=limited_to)
        participations = list(Participation.objects.locked().filter(annotator__in=annotators).order_by("pk"))
        annotator_ids = [participation.annotator_id for participation in participations]
        if annotator_id not in annotator_ids:
            raise Refused(
                "not-allowed", "Only members who manage a study can remove personal data from it.", status=403
            )
        remove_identities(Annotator.objects.filter(pk__in=annotator_ids))
        for participation in participations:
            remove_batch_of(participation)
            record(participation.study, REMOVED_PERSONAL_DATA, user=user, participation=participation, reason=reason)
        return len(participations)


def remove_identities(annotators: QuerySet[Annotator]) -> int:
    """Remove these annotators' personal data from all tables, as declared in `annotate.people.personal`. Return the
    number of annotators whose data was removed.
    """
    annotator_ids = list(annotators.values_list("pk", flat=True))
    same = Annotator.objects.filter(pk__in=annotator_ids)
    _open_reservations(NamedAnnotator.objects.filter(participation__annotator__in=same))
    for table in tables():
        table.remove_from(table.rows_naming(same))
    return len(annotator_ids)


def remove_from_study(study: Study) -> None:
    """Remove the personal data of everyone from a study, also of people who have never joined. The caller must open a
    transaction first.
    """
    replace_survey_answers_by_totals(study)
    _open_reservations(study.named_annotators.all())
    for table in tables():
        if table.removes:
            table.remove_from(table.rows.filter(**{table.study: study}))


def _open_reservations(named: QuerySet[NamedAnnotator]) -> None:
    """Tell the study that other annotators can claim these annotators' slots. If a named annotator has no name, the
    annotator's reservations have no effect.
    """
    Study.objects.filter(named_annotators__in=named).update(slot_openings=F("slot_openings") + 1)


def is_administrator(user: User) -> bool:
    """Return whether the user is an administrator of this server."""
    return user.is_active and (user.is_superuser or user.is_staff)


CLOSED = (Study.State.CLOSED, Study.State.ARCHIVED)


def remove_expired_personal_data() -> int:
    """Remove personal data from studies whose retention period has ended. Return the number of these studies.

    The annotators' answers stay under their pseudonyms, and each study's log records the removal. Data that was stored
    after the retention period is removed, too: people can still open a closed study's link, and researchers can import
    its submissions and results.
    """
    closed = Study.objects.filter(state__in=CLOSED)
    done = closed.exclude(personal_data_removed_at=None)
    for study_id in sorted({study_id for table in tables() if table.removes for study_id in _unremoved(table, done)}):
        _remove(study_id, again=True)
    now = clock.now()
    due = [
        study.pk
        for study in closed.filter(personal_data_removed_at=None, closed_at__lt=now)
        if study.closed_at and study.closed_at + timedelta(days=study.retention_days) <= now
    ]
    return sum(_remove(study_id) for study_id in due)


def _unremoved(table: Table, studies: QuerySet[Study]) -> set[int]:
    rows = table.unremoved(table.rows.filter(**{f"{table.study}__in": studies}))
    return set(rows.values_list(table.study, flat=True))


def _remove(study_id: int, *, again: bool = False) -> bool:
    with write():
        # Payments lock participations in the same order, so deadlocks cannot occur.
        list(Participation.objects.locked().filter(study=study_id).order_by("pk").values_list("pk"))
        study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
        if study.state not in CLOSED or bool(study.personal_data_removed_at) is not again:
            return False  # reopened, or already done by another worker
        remove_from_study(study)
        reason = f"{study.retention_days} days after the study was closed"
        if again:
            record(study, REMOVED_PERSONAL_DATA, reason="stored after the retention period")
            return True
        Study.objects.filter(pk=study.pk).update(personal_data_removed_at=clock.now())
        record(study, REMOVED_PERSONAL_DATA, annotators=study.annotators.count(), reason=reason)
        return True
