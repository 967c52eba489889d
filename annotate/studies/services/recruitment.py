"""Checks of a study's recruitment settings, which are the source of annotators and the linked studies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate.core.permissions import SYSTEM, Actor
from annotate.core.selectors.admission import linkable_studies
from annotate.models import Study

MOST_LINKED = 100
LISTS = ("excluded_studies", "admitted_studies")


def recruitment_errors(study: Study) -> dict[str, list[str]]:
    """Return the errors in the study's recruitment settings, by setting."""
    errors: dict[str, list[str]] = {}
    for name in LISTS:
        linked = getattr(study, name)
        if not isinstance(linked, list) or not all(isinstance(public_id, str) for public_id in linked):
            errors[name] = ["must be a list of study IDs"]
        elif len(linked) > MOST_LINKED:
            errors[name] = [f"can name at most {MOST_LINKED} studies"]
        elif study.public_id in linked:
            errors[name] = ["cannot name the study itself"]
    if errors:
        return errors
    if set(study.excluded_studies) & set(study.admitted_studies):
        errors["admitted_studies"] = ["cannot include a study that is also excluded"]
    if study.admitted_studies and study.admission != Study.Admission.ACCOUNT:
        errors["admitted_studies"] = [
            "needs annotators with accounts: people without an account cannot be recognized in another study"
        ]
    if study.recruitment == Study.Recruitment.PROLIFIC and study.admission == Study.Admission.ACCOUNT:
        errors["recruitment"] = [
            "cannot be Prolific if annotators need accounts, because participants have no account here"
        ]
    if study.recruitment == Study.Recruitment.PROLIFIC and study.admission == Study.Admission.NAMED:
        errors["recruitment"] = ["cannot be Prolific if only named annotators can join"]
    return errors


def unowned_studies(study: Study, before: Mapping[str, Any], user: Actor) -> dict[str, list[str]]:
    """Return an error for each newly linked study unless the user owns both that study and this study."""
    added = {name: set(getattr(study, name)) - set(before.get(name, getattr(study, name))) for name in LISTS}
    if not any(added.values()):
        return {}
    owned = set() if user is SYSTEM else set(linkable_studies(user).values_list("public_id", flat=True))
    if study.pk and study.public_id not in owned:
        owned = set()
    message = "can only contain studies that you own, and only in a study that you own"
    return {name: [message] for name, public_ids in added.items() if public_ids - owned}
