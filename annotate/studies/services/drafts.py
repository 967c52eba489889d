"""The service that deletes a draft."""

from __future__ import annotations

from annotate.core.permissions import Action, Actor
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.data.services.design import clear_design
from annotate.data.services.removal import locked_idle
from annotate.models import Study
from annotate.prolific.services.prolific_removal import delete_all_reported_submissions


def delete_draft(study_id: int, *, user: Actor) -> None:
    """Delete a draft with its items, questions, files, named annotators and lists of people, and remove all members.

    The append-only log keeps the title of the study and the entries about the draft, which only operators can read.
    Raises `Refused` with the code `state` if the study is no longer a draft, or `busy` if a job has not finished.
    """
    with write():
        study = locked_idle(study_id, user, Action.DELETE_DRAFT)
        clear_design(study)
        study.questions.filter(answers__isnull=True).delete()
        study.items.all().delete()
        study.uploads.all().delete()
        study.plans.all().delete()
        record(study, "deleted draft", user=user, title=study.title)
        _delete_people(study)
        study.invitations.all().delete()
        study.webhooks.all().delete()
        study.memberships.all().delete()
        study.state = Study.State.ARCHIVED
        study.save(update_fields=["state"])


def _delete_people(study: Study) -> None:
    """Delete the people that researchers entered. Retention would never remove their data, because a draft is never
    closed.
    """
    study.named_annotators.all().delete()
    study.listed.all().delete()
    study.waiting.all().delete()
    delete_all_reported_submissions(study)
    study.result_imports.update(content=None, preview=None)
