"""Services that change a study's questionnaires, and store answers to its screening and survey."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from annotate.core.permissions import Action, Actor, locked_study, permitted_study
from annotate.core.services.archived import refuse_if_archived
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import Annotator, Participation, Questionnaire, Screening, Study, SurveyResponse
from annotate.models.questionnaire_definition import FormQuestion, read_questions
from annotate.recruiting.questionnaires.answers import Answers, admits, group_name, read_answers
from annotate.recruiting.selectors import (
    active_screening,
    earlier_screening,
    latest_questionnaire,
    person_hash,
    raw_totals,
    survey_for,
)
from annotate.server.refusals import Refused, existing

LONGEST_TEXT = 10_000
TEXTS = ("introduction", "ending")
FIELDS = (*TEXTS, "stores_answers", "timing", "questions")


def change_questionnaire(
    study_id: int, purpose: str, changes: Mapping[str, Any], *, revision: int, user: Actor
) -> Questionnaire:
    """Store changes to the texts, settings or questions of a questionnaire. `revision` is the editor's revision, or 0
    for a new questionnaire. If anyone has answered the current version, the change creates a new version.

    Raises `Refused` with the code `changed` if someone else has changed the questionnaire since, or `invalid` for
    faults in the questions.
    """
    checked = _checked(purpose, changes)
    with write():
        study = locked_study(study_id, user, Action.CHANGE_SETTINGS)
        refuse_if_archived(study_id)
        _refuse_unknown_groups(study, checked.get("questions", []))
        questionnaire = _locked(study_id, purpose) or Questionnaire(study=study, purpose=purpose, revision=0)
        if questionnaire.revision != revision:
            raise Refused(
                "changed",
                "Someone changed the questionnaire, or you changed it in another tab. Reload the page, then try again.",
            )
        for name, value in checked.items():
            setattr(questionnaire, name, value)
        questionnaire.revision += 1
        if questionnaire.pk and is_answered(questionnaire):
            questionnaire.pk, questionnaire.version = None, questionnaire.version + 1
            questionnaire._state.adding, questionnaire.totals = True, None
        questionnaire.save()
        detail = {"version": questionnaire.version, "questions": len(questionnaire.questions)}
        record(study, f"changed {purpose} questions", user=user, detail=detail)
        return questionnaire


def add_question(study_id: int, purpose: str, question: Mapping[str, Any], *, revision: int, user: Actor) -> None:
    """Add a question at the end of the questionnaire."""
    rows = _rows(study_id, purpose, user)
    change_questionnaire(study_id, purpose, {"questions": [*rows, question]}, revision=revision, user=user)


@dataclass(frozen=True)
class Place:
    """A question in a questionnaire, identified by its name in the editor's revision."""

    study_id: int
    purpose: str
    name: str
    revision: int


def replace_question(place: Place, question: Mapping[str, Any], *, user: Actor) -> None:
    """Replace a question without moving it. Raises `Refused` (`unknown`)."""
    rows, at = _find(place, user)
    _store(place, [*rows[:at], question, *rows[at + 1 :]], user)


def delete_question(place: Place, *, user: Actor) -> None:
    """Delete a question. Answers to earlier versions of the questionnaire are kept. Raises `Refused` (`unknown`)."""
    rows, at = _find(place, user)
    _store(place, rows[:at] + rows[at + 1 :], user)


def move_question(place: Place, *, by: int, user: Actor) -> None:
    """Move a question up (if `by` is -1) or down (if `by` is 1). The first question cannot move up, and the last
    question cannot move down. Raises `Refused` (`unknown`).
    """
    rows, at = _find(place, user)
    target = min(max(at + by, 0), len(rows) - 1)
    row = rows.pop(at)
    rows.insert(target, row)
    _store(place, rows, user)


def copy_questionnaires(source: Study, copy: Study) -> None:
    """Copy the latest versions of all questionnaires to a new study. The caller must open a transaction first."""
    for purpose in Questionnaire.Purpose:
        latest = latest_questionnaire(source, purpose)
        if latest:
            values = {name: getattr(latest, name) for name in FIELDS}
            Questionnaire.objects.create(study=copy, purpose=purpose, **values)


def is_answered(questionnaire: Questionnaire) -> bool:
    """Return whether anyone has answered this version, so that it can no longer change."""
    return questionnaire.screenings.exists() or questionnaire.responses.exists() or questionnaire.totals is not None


def _checked(purpose: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    if purpose not in Questionnaire.Purpose.values:
        raise Refused("unknown", "There is no questionnaire with this purpose.", status=404)
    screening = purpose == Questionnaire.Purpose.SCREENING
    checked = {name: value for name, value in changes.items() if name in FIELDS}
    for name in TEXTS:
        if len(checked.get(name, "")) > LONGEST_TEXT:
            message = f"has more than {LONGEST_TEXT:,} characters"
            raise Refused("invalid", f"The {name} {message}.", status=400, fields={name: [message]})
    if "questions" in checked:
        questions: list[FormQuestion] = read_questions(checked["questions"], screening=screening)
        checked["questions"] = [question.as_json() for question in questions]
    return checked


def _refuse_unknown_groups(study: Study, questions: Sequence[Mapping[str, Any]]) -> None:
    known = set(study.groups.values_list("name", flat=True))
    for at, question in enumerate(questions):
        unknown = next((name for name in question.get("groups", []) if name not in known), None)
        if unknown is not None:
            message = f"contain “{unknown}”, which is not a group of this study"
            fields = {f"questions.{at}.groups": [message]}
            raise Refused("invalid", f"questions.{at}.groups {message}.", status=400, fields=fields)


def _locked(study_id: int, purpose: str) -> Questionnaire | None:
    """Lock the latest version, so that its questions do not change while answers are stored."""
    versions = Questionnaire.objects.select_for_update(no_key=True).filter(study=study_id, purpose=purpose)
    return versions.order_by("-version").first()


def _require_current(questionnaire: Questionnaire | None, revision: str) -> Questionnaire:
    """Return the questionnaire. Raises `Refused` (`stale`) if the person has read another revision of it."""
    if questionnaire is None or str(questionnaire.revision) != revision:
        raise Refused(
            "stale", _("The questions have changed since you opened this page. Answer the current questions.")
        )
    return questionnaire


def _rows(study_id: int, purpose: str, user: Actor) -> list[Mapping[str, Any]]:
    study = permitted_study(study_id, user, Action.CHANGE_SETTINGS)
    latest = latest_questionnaire(study, purpose)
    return list(latest.questions) if latest else []


def _find(place: Place, user: Actor) -> tuple[list[Mapping[str, Any]], int]:
    rows = _rows(place.study_id, place.purpose, user)
    at = existing(
        next((at for at, row in enumerate(rows) if row["name"] == place.name), None),
        "The questionnaire has no question with this name.",
    )
    return rows, at


def _store(place: Place, rows: list[Mapping[str, Any]], user: Actor) -> None:
    change_questionnaire(place.study_id, place.purpose, {"questions": rows}, revision=place.revision, user=user)


SCREENED = frozenset(
    [
        Annotator.Platform.WEB,
        Annotator.Platform.ACCOUNT,
        Annotator.Platform.NAMED,
        Annotator.Platform.PROLIFIC,
        Annotator.Platform.PANEL,
    ]
)


def screen(study: Study, raw: Answers, *, revision: str, person: str = "", public_id: str = "") -> Screening:
    """Store whether a person passes the screening, and return the result. The first result counts, so a person who
    answers the same version again gets the earlier result.

    `revision` is the revision of the questions that the person has read, `person` is the platform ID, and `public_id`
    identifies the result in this browser's cookie.

    Raises `Refused` with the code `stale` if the screening questions have changed, or `invalid` for missing or invalid
    answers.
    """
    with write():
        refuse_if_archived(study.pk)
        questionnaire = _require_current(_locked(study.pk, Questionnaire.Purpose.SCREENING), revision)
        earlier = earlier_screening(questionnaire, person=person, public_id=public_id)
        if earlier:
            return earlier
        answers = read_answers(questionnaire.entries, raw, may_decline=False)
        return Screening.objects.create(
            questionnaire=questionnaire,
            is_admitted=admits(questionnaire.entries, answers),
            group=study.groups.filter(name=group_name(questionnaire.entries, answers)).first(),
            person_hash=person_hash(study, person) if person else "",
            answers=answers if questionnaire.stores_answers else None,
        )


def passed_screening(study: Study, *, platform: str, is_program: bool, public_id: str) -> Screening | None:
    """Return the result that lets a person join, locked until the transaction ends. If the study or the platform needs
    no screening, return None.

    Raises `Refused` (`screening`) if the person has not passed the current screening questions, or if another person
    has already joined with this result.
    """
    questionnaire = active_screening(study)
    if questionnaire is None or is_program or platform not in SCREENED:
        return None
    results = questionnaire.screenings.select_for_update(of=("self",)).filter(is_admitted=True, participation=None)
    result = results.filter(public_id=public_id).first() if public_id else None
    if result is None:
        raise Refused("screening", _("Answer the screening questions before you take part."), status=403)
    return result


def join_with(result: Screening | None, participation: Participation) -> None:
    """Record that the annotator joined with this result, so nobody else can use it."""
    if result:
        result.participation = participation
        result.save(update_fields=["participation"])


def answer_survey(participation_id: int, raw: Answers, *, revision: str) -> None:
    """Store an annotator's answers to the survey. A second submission has no effect.

    Raises `Refused` with the code `stale` if the survey has changed, or `invalid` for missing or invalid answers.
    """
    with write():
        participation = Participation.objects.locked().get(pk=participation_id)
        refuse_if_archived(participation.study_id)
        survey = _locked(participation.study_id, Questionnaire.Purpose.SURVEY)
        if survey is None or survey_for(participation, timing=survey.timing) is None:
            return
        _require_current(survey, revision)
        answers = read_answers(survey.entries, raw, may_decline=True)
        SurveyResponse.objects.create(questionnaire=survey, participation=participation, answers=answers)


def replace_survey_answers_by_totals(study: Study) -> None:
    """Delete all survey answers at the end of the retention period, but keep the number of people per answer. The
    caller must open a transaction first.
    """
    for version in study.questionnaires.filter(purpose=Questionnaire.Purpose.SURVEY).select_for_update():
        version.totals = raw_totals(version)
        version.save(update_fields=["totals"])
        version.responses.all().delete()
