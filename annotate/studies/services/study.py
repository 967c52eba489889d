"""Services that create, open, pause, close and archive studies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings as conf
from django.utils.text import get_text_list

from annotate import tasktypes
from annotate.core.permissions import PERMISSIONS, Action, Actor, locked_study, refuse_state, require, require_account
from annotate.core.services.archived import refuse_archived
from annotate.core.services.consent_terms import against_consent, lacking_for_strangers, unnamed_summaries
from annotate.core.services.log import record
from annotate.core.services.qualification import lacking_practice
from annotate.core.services.writing import write
from annotate.data.selectors.design import changed_since_built, is_outdated
from annotate.models import Consent, Membership, Question, Study, User
from annotate.prolific.services.remote import request_pause
from annotate.prolific.services.settings import begin_prolific
from annotate.recruiting.services.named import lacking_annotators
from annotate.server import clock
from annotate.server.refusals import Refused
from annotate.studies.services.settings import LISTS, apply_settings, refuse_unowned


def create_study(
    *,
    user: User,
    title: str,
    task_type: str,
    options: Mapping[str, Any] | None = None,
    consent: str = "",
    consent_pays_stopped: bool | None = None,
    consent_names_activity: bool = False,
    **settings: Any,
) -> Study:
    """Create a draft study owned by `user`. Settings that the caller omits get the task type's default values.

    Raises `Refused` with messages by field (`invalid`), or if the user has no active account (`not-allowed`).
    """
    require_account(user)
    with write():
        study = Study(title=title, task_type=task_type)
        defaults, wordings = _defaults(task_type, str(settings.get("language", study.language)))
        apply_settings(
            study,
            {"privacy_notice": conf.PRIVACY_NOTICE, "contact": conf.CONTACT} | defaults | settings,
            {**wordings, **(options or {})},
        )
        refuse_unowned(study, dict.fromkeys(LISTS, ()), user)
        study.save()
        begin_prolific(study)
        Membership.objects.create(study=study, user=user, role=Membership.Role.OWNER)
        if consent.strip():
            Consent.objects.create(
                study=study,
                version=1,
                text=consent,
                pays_stopped=consent_pays_stopped,
                names_activity=consent_names_activity,
            )
        record(study, "created", user=user, title=study.title)
        return study


def open_study(study_id: int, *, user: Actor) -> Study:
    """Open a study, or continue a paused one. Raises `Refused` (`not-ready`) with a list of the unmet requirements."""
    with write():
        study = locked_study(study_id, user, Action.OPEN)
        if study.is_open:
            return study
        refuse_archived(study)
        missing = missing_before_opening(study)
        if missing:
            raise Refused("not-ready", " ".join(missing.values()), fields={k: [v] for k, v in missing.items()})
        study.opened_at = study.opened_at or clock.now()
        study.closed_at = study.personal_data_removed_at = None
        return _change_state(study, Study.State.OPEN, user)


def missing_before_opening(study: Study) -> dict[str, str]:
    """Return the unmet requirements for opening the study, by part of the study. The result is empty if the study meets
    all requirements.
    """
    missing = {}
    if not study.slots.exists():
        missing["design"] = "There are no questions yet. Import items and build the design."
    elif is_outdated(study):
        changed = get_text_list(changed_since_built(study), "and")
        missing["design"] = f"Changed since the questions were built: {changed}. Rebuild the questions."
    if not study.instructions.strip():
        missing["instructions"] = "Annotators need guidelines. Fill in “Instructions”."
    missing |= lacking_for_strangers(study)
    if unmet := lacking_annotators(study):
        missing["named"] = unmet
    if unmet := lacking_practice(study):
        missing["qualification"] = unmet
    if contradiction := against_consent(study):
        missing["consent"] = contradiction
    if unnamed := unnamed_summaries(study):
        missing["activity_summaries"] = unnamed
    gold = study.questions.filter(kind=Question.Kind.GOLD).exists()
    if study.gold_block and study.rule_threshold and not gold:
        missing["gold"] = (
            "The quality rule needs gold questions. Import gold questions, or set “Questions per gold question” to 0."
        )
    return missing


def pause_study(study_id: int, *, user: Actor) -> Study:
    """Pause a study, so that annotators can finish open HITs but cannot claim new ones."""
    return _move(study_id, Action.PAUSE, Study.State.PAUSED, user)


def close_study(study_id: int, *, user: Actor) -> Study:
    """Close a study in order to end data collection. A closed study can be reopened."""
    return _move(study_id, Action.CLOSE, Study.State.CLOSED, user)


def archive_study(study_id: int, *, user: Actor) -> Study:
    """Archive a draft or closed study. An archived study cannot be changed until an owner unarchives it."""
    return _move(study_id, Action.ARCHIVE, Study.State.ARCHIVED, user)


def unarchive_study(study_id: int, *, user: Actor) -> Study:
    """Unarchive a study. The study returns to its previous state, which is draft or closed.

    Raises `Refused` with the code `state` if the study is not archived, or `not-allowed`.
    """
    with write():
        study = Study.objects.select_for_update().get(pk=study_id)
        require(study, user, Action.UNARCHIVE)
        refuse_state(study, Action.UNARCHIVE)
        return _change_state(study, Study.State.CLOSED if study.opened_at else Study.State.DRAFT, user)


def _move(study_id: int, action: Action, state: str, user: Actor) -> Study:
    with write():
        # Archiving takes an exclusive lock on the study, so it waits for all other writes in the study. See
        # core/services/archived.py.
        study = Study.objects.select_for_update(no_key=state != Study.State.ARCHIVED).get(pk=study_id)
        require(study, user, action)
        if study.state == state:
            return study
        refuse_archived(study)
        if study.state not in PERMISSIONS[action].states:
            raise Refused("state", f"The state of the study cannot change from “{study.state}” to “{state}”.")
        return _change_state(study, state, user)


def _change_state(study: Study, state: str, user: Actor) -> Study:
    before, study.state = study.state, state
    if state in (Study.State.CLOSED, Study.State.ARCHIVED):
        study.closed_at = study.closed_at or clock.now()
    study.save(update_fields=["state", "opened_at", "closed_at", "personal_data_removed_at"])
    record(study, state, user=user, before=before)
    if before in (Study.State.OPEN, Study.State.PAUSED) and state != Study.State.OPEN:
        request_pause(study)
    return study


def _defaults(task_type: str, language: str) -> tuple[dict[str, Any], Mapping[str, Any]]:
    """Return the default settings of a task type, and its language-dependent default options. Both results are empty
    for an unknown task type, which `_apply` rejects.
    """
    installed = {task.slug: task for task in tasktypes.installed()}
    task = installed.get(task_type)
    return (task.begins_with(language), task.texts_in(language).options) if task else ({}, {})
