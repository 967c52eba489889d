"""Services that change a study's Prolific settings."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError

from annotate.core.permissions import Action, Actor, locked_study
from annotate.core.selectors.limits import prolific_settings
from annotate.core.services.archived import refuse_archived
from annotate.core.services.log import record
from annotate.core.services.slot_counts import note_opened_slots
from annotate.core.services.writing import write
from annotate.models import Outcome, ProlificSettings, Study
from annotate.server.refusals import Refused

SETTINGS = (
    "hits_per_submission",
    "submissions_per_participant",
    "codes",
    "failed_gold",
    "screenout_reward",
    "needs_computer",
    "secured",
)
_CODE = re.compile(r"[A-Za-z0-9_-]{4,40}")
_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # without letters that look like digits
_LENGTH = 8


def change_prolific(study_id: int, *, user: Actor, **settings: Any) -> ProlificSettings:
    """Change a study's Prolific settings. Settings that the caller omits do not change.

    A code in `codes` replaces the code for the same outcome, and an empty string removes the code. Raises `Refused`
    with the code `invalid` with messages by field, `not-allowed`, or `archived`.
    """
    with write():
        study = locked_study(study_id, user, Action.CHANGE_SETTINGS)
        refuse_archived(study)
        stored = prolific_settings(study)
        before = {name: getattr(stored, name) for name in settings if name in SETTINGS}
        _apply(stored, settings)
        changed = sorted(name for name in before if getattr(stored, name) != before[name])
        stored.save()
        if "hits_per_submission" in changed or "submissions_per_participant" in changed:
            note_opened_slots(study)  # participants who have submitted all HITs can search again
        if changed:
            # The log omits completion codes, because all members can read the log.
            detail: dict[str, Any] = {
                name: "changed" if name == "codes" else [str(before[name]), str(getattr(stored, name))]
                for name in changed
            }
            record(study, "changed Prolific settings", user=user, detail=detail)
        return stored


def begin_prolific(study: Study) -> None:
    """Create Prolific settings with new completion codes, unless settings already exist or the study does not recruit
    on Prolific.
    """
    if study.recruitment == Study.Recruitment.PROLIFIC:
        ProlificSettings.objects.get_or_create(study=study, defaults={"codes": _new_codes()})


def copy_prolific(source: Study, copy: Study) -> None:
    """Copy a study's Prolific settings to its copy. The copy gets its own completion codes."""
    stored = ProlificSettings.objects.filter(study=source).first()
    if stored:
        values = {name: getattr(stored, name) for name in SETTINGS if name != "codes"}
        ProlificSettings.objects.update_or_create(
            study=copy, defaults=values, create_defaults={**values, "codes": _new_codes()}
        )


def _apply(stored: ProlificSettings, settings: Mapping[str, Any]) -> None:
    errors = {name: ["is not a setting"] for name in settings if name not in SETTINGS}
    for name, value in settings.items():
        if name == "codes":
            errors |= _code_errors(value)
            value = {outcome: code for outcome, code in ({**stored.codes, **value}).items() if code}
        if name not in errors:
            setattr(stored, name, value)
    if not errors and len(set(stored.codes.values())) < len(stored.codes):
        errors["codes"] = ["must be different for each outcome"]
    try:
        stored.full_clean(exclude=["study"])
    except ValidationError as error:
        errors |= error.message_dict
    if errors:
        places = ", ".join(f"{name}: {' '.join(messages)}" for name, messages in errors.items())
        raise Refused("invalid", f"The Prolific settings contain errors. {places}", status=400, fields=errors)


def _code_errors(codes: Mapping[str, str]) -> dict[str, list[str]]:
    errors = {f"codes.{name}": ["is not an outcome"] for name in codes if name not in Outcome.values}
    return errors | {
        f"codes.{name}": ["must contain 4 to 40 letters, digits, hyphens or underscores"]
        for name, code in codes.items()
        if code and not _CODE.fullmatch(code)
    }


def _new_codes() -> dict[str, str]:
    return {outcome: "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH)) for outcome in Outcome.values}
