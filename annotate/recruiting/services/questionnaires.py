"""Services that change a study's questionnaires."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotate.core.permissions import Action, Actor, require
from annotate.core.services.archived import refuse_if_archived
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import Questionnaire, Study
from annotate.models.questionnaire_definition import FormQuestion, read_questions
from annotate.recruiting.selectors import latest_questionnaire
from annotate.server.refusals import Refused

LONGEST_TEXT = 10_000
TEXTS = ("introduction", "ending")
FIELDS = (*TEXTS, "stores_answers", "timing", "questions")


def change_questionnaire(
    study_id: int, purpose: str, changes: Mapping[str, Any], *, revision: int, user: Actor
) -> Questionnaire:
    """Store changes to the texts, settings or questions of a questionnaire. `revision` is the revision that the editor
    has read, or 0 for a new questionnaire. If anyone has answered the current version, the change creates a new
    version.

    Raises `Refused` with the code `changed` if someone else has changed the questionnaire since, or `invalid` for
    faults in the questions.
    """
    checked = _checked(purpose, changes)
    with write():
        study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
        require(study, user, Action.CHANGE_SETTINGS)
        refuse_if_archived(study_id)
        questionnaire = _locked(study, purpose)
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
    """A question in a questionnaire, identified by its name in the revision that the editor has read."""

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


def _locked(study: Study, purpose: str) -> Questionnaire:
    """Return the latest version, locked against answers that arrive at the same time, or a new questionnaire."""
    versions = Questionnaire.objects.select_for_update().filter(study=study, purpose=purpose)
    return versions.order_by("-version").first() or Questionnaire(study=study, purpose=purpose, revision=0)


def _rows(study_id: int, purpose: str, user: Actor) -> list[Mapping[str, Any]]:
    study = Study.objects.get(pk=study_id)
    require(study, user, Action.CHANGE_SETTINGS)
    latest = latest_questionnaire(study, purpose)
    return list(latest.questions) if latest else []


def _find(place: Place, user: Actor) -> tuple[list[Mapping[str, Any]], int]:
    rows = _rows(place.study_id, place.purpose, user)
    at = next((at for at, row in enumerate(rows) if row["name"] == place.name), None)
    if at is None:
        raise Refused("unknown", "The questionnaire has no question with this name.", status=404)
    return rows, at


def _store(place: Place, rows: list[Mapping[str, Any]], user: Actor) -> None:
    change_questionnaire(place.study_id, place.purpose, {"questions": rows}, revision=place.revision, user=user)
