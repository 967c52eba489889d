"""The ways to reach annotators and to ask them about themselves, as rows of the page Recruit."""

from __future__ import annotations

from annotate.core.permissions import Action
from annotate.models import Questionnaire, Study
from annotate.recruiting.selectors import latest_questionnaire
from annotate.tasktypes.extensions import Way
from annotate.templatetags.figures import with_noun


def ways(study: Study) -> list[Way]:
    """Return the ways that the study can use. Participants from Prolific always come through its own link."""
    return [
        *([NAMED] if study.admission == Study.Admission.NAMED or study.is_draft else []),
        *([GROUPS] if study.recruitment != Study.Recruitment.PROLIFIC else []),
        LISTS,
        *([WAITING] if study.waiting_list else []),
        SCREENING,
        SURVEY,
    ]


def _named(study: Study) -> str:
    return _counted(study.named_annotators.exclude(name="").count(), "person,people")


def _groups(study: Study) -> str:
    return _counted(study.groups.count(), "group")


def _listed(study: Study) -> str:
    return _counted(study.listed.count(), "entry,entries")


def _waiting(study: Study) -> str:
    return _counted(study.waiting.count(), "person,people") or "nobody waits"


def _screening(study: Study) -> str:
    return _questions(study, Questionnaire.Purpose.SCREENING)


def _survey(study: Study) -> str:
    return _questions(study, Questionnaire.Purpose.SURVEY)


def _questions(study: Study, purpose: str) -> str:
    latest = latest_questionnaire(study, purpose)
    return _counted(len(latest.questions) if latest else 0, "question")


def _counted(number: int, noun: str) -> str:
    return with_noun(number, noun) if number else ""


NAMED = Way(
    "Named annotators", "Invite people by name, each with a personal link.", "named/", Action.NAME_ANNOTATORS, _named
)
GROUPS = Way(
    "Groups", "Give each class or team a link of its own, with a limit.", "groups/", Action.NAME_ANNOTATORS, _groups
)
LISTS = Way(
    "Lists of people",
    "Admit only listed people, or exclude people who know the items.",
    "people-lists/",
    Action.NAME_ANNOTATORS,
    _listed,
)
WAITING = Way("Waiting list", "People who wait for a place.", "waiting/", Action.NAME_ANNOTATORS, _waiting)
SCREENING = Way(
    "Screening",
    "Ask people before they join, and admit those whose answers fit.",
    "questionnaires/screening/",
    Action.CHANGE_SETTINGS,
    _screening,
)
SURVEY = Way("Survey", "Ask annotators about themselves.", "questionnaires/survey/", Action.CHANGE_SETTINGS, _survey)
