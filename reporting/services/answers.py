"""Services that store the authors' answers about a study."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate.core.permissions import Action, Actor, locked_study
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import Study
from annotate.server.refusals import invalid
from reporting.models import AuthorAnswers
from reporting.questions import checked_answers
from reporting.selectors.answers import author_answers


def save_answers(study_id: int, changes: Mapping[str, Any], *, user: Actor) -> dict[str, str]:
    """Change some answers, and return all answers. An empty string removes an answer.

    Raises `Refused` with the reason `invalid` if a question does not exist or an answer does not fit it.
    """
    try:
        new = checked_answers(changes)
    except ValueError as error:
        raise invalid(*error.args) from error
    with write():
        study = locked_study(study_id, user, Action.MANAGE)
        before = author_answers(study)
        answers = checked_answers({**before, **dict.fromkeys(changes, ""), **new})
        if answers != before:
            AuthorAnswers.objects.update_or_create(study=study, defaults={"answers": answers})
            changed = sorted(name for name in changes if before.get(name) != answers.get(name))
            record(study, "answered questions about the study", user=user, questions=changed)
    return answers


def copy_answers(source: Study, copy: Study) -> None:
    """Copy the answers to a copy of the study. The caller must be in the transaction that creates the copy."""
    if answers := author_answers(source):
        AuthorAnswers.objects.create(study=copy, answers=answers)


def delete_answers(study: Study) -> None:
    """Delete the answers about a draft. The caller must be in the transaction that deletes the draft."""
    AuthorAnswers.objects.filter(study=study).delete()
