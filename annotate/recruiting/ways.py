"""The ways to reach annotators and to ask them about themselves, as rows of the page Recruit."""

from __future__ import annotations

from annotate.core.permissions import Action
from annotate.core.setting_steps import setting_place
from annotate.models import Questionnaire, Study
from annotate.recruiting.selectors import latest_questionnaire
from annotate.tasktypes.extensions import Way
from annotate.templatetags.figures import with_noun


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


def _panel(study: Study) -> str:
    return study.get_identity_parameter_display()


def _uses_panel(study: Study) -> bool:
    return study.recruitment == Study.Recruitment.PANEL


def _could_use_panel(study: Study) -> bool:
    own_links = study.recruitment == Study.Recruitment.LINKS
    return study.is_draft and own_links and study.admission == Study.Admission.ANONYMOUS


def _can_name(study: Study) -> bool:
    return study.admission == Study.Admission.NAMED or study.is_draft


def _has_waiting_list(study: Study) -> bool:
    return study.waiting_list


WAYS = (
    Way(
        "Named annotators",
        "Invite people by name, each with a personal link.",
        "named/",
        Action.NAME_ANNOTATORS,
        _named,
        _can_name,
    ),
    Way(
        "Groups",
        "Give each class or team a link of its own, with a limit or a quota.",
        "groups/",
        Action.NAME_ANNOTATORS,
        _groups,
    ),
    Way(
        "Lists of people",
        "Admit only listed people, or exclude people who know the items.",
        "people-lists/",
        Action.NAME_ANNOTATORS,
        _listed,
    ),
    Way(
        "Another panel",
        "Recruit through SONA, CloudResearch Connect or any other panel instead.",
        setting_place("recruitment"),
        Action.CHANGE_SETTINGS,
        offered=_could_use_panel,
    ),
    Way(
        "Study on another panel",
        "Enter the URL on the panel, and set the way back.",
        "panel/",
        Action.CHANGE_SETTINGS,
        _panel,
        _uses_panel,
    ),
    Way("Waiting list", "People waiting for a place.", "waiting/", Action.NAME_ANNOTATORS, _waiting, _has_waiting_list),
    Way(
        "Screening",
        "Ask questions before people join, and admit only suitable answers.",
        "questionnaires/screening/",
        Action.CHANGE_SETTINGS,
        _screening,
    ),
    Way("Survey", "Ask annotators about themselves.", "questionnaires/survey/", Action.CHANGE_SETTINGS, _survey),
)
