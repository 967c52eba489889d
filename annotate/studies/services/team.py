"""Studies for a small team, in which each annotator has a name and a personal link, and for a crowd, in which anyone
with the link can join.

No setting says which of the two a study is for: only named annotators can join the study of a small team. The functions
here choose the other settings that suit a team or a crowd.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings as conf

from annotate import tasktypes
from annotate.core.permissions import Action, permitted_study
from annotate.core.services.consent_terms import lacks_contact
from annotate.core.services.writing import write
from annotate.models import Question, Study, User
from annotate.recruiting.services.named import add_named
from annotate.studies.services.settings import change_settings, setting_field
from annotate.studies.services.study import create_study

NO_GOLD: dict[str, Any] = {"gold_block": 0, "rule_threshold": 0}


def create_team_study(
    *, user: User, title: str, task_type: str, annotators: Sequence[str] = (), **settings: Any
) -> Study:
    """Create a draft study for a small team: named annotators, no gold questions, and `user` as the contact. Each of
    the `annotators` gets a personal link. If they are fewer than the judgements per question, each of them answers all
    questions.

    `settings` can contain all other arguments of `create_study`, and replaces the choices for a team. Raises `Refused`
    as `create_study` and `add_named` do.
    """
    names = [name for name in annotators if name.strip()]
    choices: dict[str, Any] = {"admission": Study.Admission.NAMED, "contact": _contact(user), **NO_GOLD}
    with write():
        study = create_study(user=user, title=title, task_type=task_type, **(choices | settings))
        if names:
            add_named(study.pk, names, user=user)
            study.refresh_from_db()  # the judgements per question follow the annotators
        return study


def make_team(study_id: int, *, user: User) -> Study:
    """Let only named annotators join a draft. Texts and pay do not change. The study keeps its quality rule if it has
    gold questions.
    """
    with write():
        study = permitted_study(study_id, user, Action.CHANGE_SETTINGS)
        gold = study.questions.filter(kind=Question.Kind.GOLD).exists()
        return change_settings(
            study_id,
            user=user,
            admission=Study.Admission.NAMED,
            contact=study.contact or _contact(user),
            recruitment=Study.Recruitment.LINKS,
            admitted_studies=[],
            waiting_list=False,
            **({} if gold else NO_GOLD),
        )


def make_crowd(study_id: int, *, user: User) -> Study:
    """Let anyone with the link join a draft, and apply the quality rule of a new study."""
    study = permitted_study(study_id, user, Action.CHANGE_SETTINGS)
    rule = {name: _default(name, study.task_type) for name in NO_GOLD if not getattr(study, name)}
    return change_settings(study_id, user=user, admission=Study.Admission.ANONYMOUS, **rule)


def _contact(user: User) -> str:
    """Return the contact of the installation, or the user if the account has a name and a complete e-mail address."""
    own = f"{user.name}, {user.email}"
    return conf.CONTACT or ("" if lacks_contact(own) else own)


def _default(setting: str, task_type: str) -> Any:
    """Return the value of a setting in new studies of the task type. Raises `Refused` (`invalid`) in `create_study` if
    the task type is unknown.
    """
    installed = {task.slug: task for task in tasktypes.installed()}
    task = installed.get(task_type)
    return (task.begins_with() if task else {}).get(setting, setting_field(setting).default)
