"""The service that imports settings from another study with the same task type."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from annotate.core.permissions import Action, require
from annotate.core.selectors.admission import linkable_studies
from annotate.core.selectors.participations import current_consent
from annotate.core.services.consent_terms import is_against_accepted, lacks_contact
from annotate.core.services.limits import DEADLINES
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.core.setting_steps import BY_SLUG, CONSENT, TASK
from annotate.models import Study, User
from annotate.server.refusals import Refused, invalid
from annotate.studies.services.copies import copied_settings
from annotate.studies.services.settings import LISTS, change_settings, locked_settings, write_consent

AMOUNTS = ("reward", "planned_hourly_wage", "minimum_hourly_wage", "budget_cap", "qualification_pay")


@dataclass(frozen=True)
class ImportedSettings:
    """The names of the settings changed by an import, and of those that differ but are locked in an opened study.
    Amounts in another currency count as locked. Option names begin with `options.`.
    """

    changed: list[str]
    locked: list[str]


def import_settings(study_id: int, source_id: int, steps: Collection[str], *, user: User) -> ImportedSettings:
    """Import the settings on these steps from another study. The title, the random seed and the deadlines are never
    imported.

    After the study has been opened, the import excludes an incomplete contact, and settings that existing answers,
    reservations or accepted consent texts depend on. Raises `Refused` with the code `invalid` without a step or for an
    unknown step, `task-type` if the studies have different task types, `not-allowed`, or `archived`.
    """
    if not steps or not BY_SLUG.keys() >= set(steps):
        raise invalid("steps", f"Choose the settings to import. The possible values are: {', '.join(BY_SLUG)}.")
    with write():
        study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
        source = Study.objects.get(pk=source_id)
        require(study, user, Action.CHANGE_SETTINGS)
        require(source, user, Action.COPY)
        if study.task_type != source.task_type:
            raise Refused("task-type", "Settings can be imported only from a study with the same task type.")
        settings, options = _differences(study, source, steps, user)
        # The consent text is stored before the settings, because some settings require terms in the consent text.
        consented = ["consent"] if "consent" in _names(steps) and _write_consent(study, source, user) else []
        locked = [] if study.is_draft else _locked(study, settings, options)
        change_settings(
            study.pk,
            user=user,
            options={name: value for name, value in options.items() if f"options.{name}" not in locked},
            **{name: value for name, value in settings.items() if name not in locked},
        )
        differing = [*consented, *settings, *(f"options.{name}" for name in options)]
        changed = [name for name in differing if name not in locked]
        record(study, "imported settings", user=user, source=source.public_id, settings=changed, locked=locked)
    return ImportedSettings(changed, locked)


def _names(steps: Collection[str]) -> list[str]:
    return [name for step in steps for name in BY_SLUG[step].names]


def _differences(
    study: Study, source: Study, steps: Collection[str], user: User
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings and options that differ between the source and the study."""
    stored = copied_settings(source, user)
    for name in LISTS:
        stored[name] = [public_id for public_id in stored[name] if public_id != study.public_id]
    # Only owners can link studies.
    owned = linkable_studies(user).filter(pk=study.pk).exists()
    omitted = {*CONSENT, "seed", *DEADLINES, *(() if owned else LISTS)}
    settings = {name: stored[name] for name in _names(steps) if name not in omitted}
    options = source.options if TASK in steps else {}
    return (
        {name: value for name, value in settings.items() if value != getattr(study, name)},
        {name: value for name, value in options.items() if value != study.options.get(name)},
    )


def _locked(study: Study, settings: Mapping[str, Any], options: Collection[str]) -> list[str]:
    """Return the settings and options that cannot change to these values because the study has been opened."""
    locked = locked_settings(study, settings, options)
    if "currency" in locked:  # the amounts of the other study are in its currency
        locked += [name for name in AMOUNTS if name in settings]
    if "pay_stopped" in settings and is_against_accepted(study, settings["pay_stopped"]):
        locked.append("pay_stopped")
    if "contact" in settings and lacks_contact(settings["contact"]):
        locked.append("contact")
    return locked


def _write_consent(study: Study, source: Study, user: User) -> bool:
    """Store the source's consent text, and return whether this created a new version of the study's consent text."""
    before, consent = current_consent(study), current_consent(source)
    after = write_consent(
        study.pk,
        consent.text if consent else "",
        user=user,
        pays_stopped=consent.pays_stopped if consent else None,
        names_activity=consent is not None and consent.names_activity,
    )
    return before != after
