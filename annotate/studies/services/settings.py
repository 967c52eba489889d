"""Services that change a study's settings, consent text and guidelines, with the checks of its recruitment."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast

from django.conf import settings as conf
from django.core.exceptions import ValidationError
from django.db import models

from accord_core.exchange.numbers import is_plain_number
from annotate import tasktypes
from annotate.core.permissions import SYSTEM, Action, Actor, locked_study
from annotate.core.selectors.admission import linkable_studies
from annotate.core.services.archived import refuse_archived
from annotate.core.services.consent_terms import (
    CONTACT_FAULT,
    lacking_for_strangers,
    lacks_contact,
    refuse_against_accepted,
)
from annotate.core.services.gold_sets import deal_gold
from annotate.core.services.limits import DEADLINES, limit_errors
from annotate.core.services.locks import locked_participation
from annotate.core.services.log import record
from annotate.core.services.slot_counts import note_opened_slots
from annotate.core.services.writing import write
from annotate.data.services.default_texts import suit_texts
from annotate.data.services.slot_order import reorder_slots
from annotate.data.services.stored_items import read_items_again
from annotate.models import Consent, Guidelines, ParticipationKey, Study
from annotate.prolific.services.settings import begin_prolific
from annotate.recruiting.panels import panel_errors
from annotate.server.refusals import Refused
from annotate.studies.services.target import target_errors

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
            "needs annotators with accounts: people without an account cannot be recognised in another study"
        ]
    if study.recruitment == Study.Recruitment.PROLIFIC and study.admission == Study.Admission.ACCOUNT:
        errors["recruitment"] = [
            "cannot be Prolific if annotators need accounts, because participants have no account here"
        ]
    if study.recruitment == Study.Recruitment.PROLIFIC and study.admission == Study.Admission.NAMED:
        errors["recruitment"] = ["cannot be Prolific if only named annotators can join"]
    return errors | panel_errors(study)


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


# Settings that are locked after opening, because changing them would change the meaning of existing answers.
LOCKED_ONCE_OPEN = frozenset(
    [
        *("task_type", "seed", "questions_per_hit", "order", "gold_block", "rule_measure", "language", "pilot_hits"),
        "currency",  # of the rewards, bonuses and payments that are stored as plain numbers
    ]
)
TARGET = ("target_figure", "target_value", "target_minimum", "target_pauses")
REPEATS = ("repeat_share", "repeat_after_hits", "repeat_after_hours")
SETTINGS = frozenset(
    [
        "title",
        "language",
        "direction",
        "instructions",
        "examples",
        "protocol_number",
        "full_consent",
        "privacy_notice",
        "retention_days",
        "eligibility",
        "reward",
        "currency",
        "payment_terms",
        "contact",
        "planned_hourly_wage",
        "minimum_hourly_wage",
        "budget_cap",
        "admission",
        "recruitment",
        "identity_parameter",
        "identity_signed",
        "return_url",
        "completion_code",
        "network_check",
        "activity_summaries",
        "excluded_studies",
        "admitted_studies",
        "annotator_limit",
        "waiting_list",
        *DEADLINES,
        "time_zone",
        "judgements",
        "questions_per_hit",
        "order",
        "lease_minutes",
        "hits_per_annotator",
        "gold_block",
        "gold_exhausted",
        "rule_threshold",
        "rule_minimum",
        "rule_unit",
        "rule_measure",
        "pay_stopped",
        *TARGET,
        "skips_allowed",
        "gold_skips_allowed",
        "put_aside_allowed",
        "break_minutes",
        *REPEATS,
        "practice",
        "qualification_mark",
        "qualification_tries",
        "qualification_pay",
        "pilot_hits",
        "piloting",
        "pilot_counts",
        "seed",
    ]
)


def change_settings(study_id: int, *, user: Actor, options: Mapping[str, Any] | None = None, **settings: Any) -> Study:
    """Change settings. Raises `Refused` (`locked`) for a setting that existing answers depend on."""
    with write():
        study = locked_study(study_id, user, Action.CHANGE_SETTINGS)
        refuse_archived(study)
        before = {name: getattr(study, name) for name in settings if name in SETTINGS}
        options_before = dict(study.options)
        texts = (study.instructions, study.examples)
        apply_settings(study, settings, study.options if options is None else {**study.options, **options})
        refuse_unowned(study, before, user)
        if study.is_draft:
            suit_texts(study, language=before.get("language", study.language), options=options_before)
        changed = {name for name in settings if getattr(study, name) != before[name]}
        changed_options = {name for name in study.options if study.options[name] != options_before.get(name)}
        if not study.is_draft:
            _refuse_locked(study, {name: before[name] for name in changed}, changed_options)
            missing = lacking_for_strangers(study) if changed & {"contact", "privacy_notice"} else {}
            if missing:
                raise Refused("not-ready", " ".join(missing.values()), fields={k: [v] for k, v in missing.items()})
        else:
            study.options |= tasktypes.get(study.task_type).options_after(options_before, study.options, study.language)
            changed_options = {name for name in study.options if study.options[name] != options_before.get(name)}
            _refuse_for_items(study, changed_options)
            read_items_again(study, changed_options)
        if "admission" in changed and Study.Admission.NAMED in (before["admission"], study.admission):
            _end_reservations(study)
        if "pay_stopped" in changed:
            refuse_against_accepted(study)
        if changed & set(TARGET):
            study.target_paused_at = study.target_missing = None  # a new target can pause the study again
        store_version(study, texts)
        study.save()
        if "recruitment" in changed:
            begin_prolific(study)
        if study.is_draft and changed & {"gold_block", "questions_per_hit", "seed"}:
            deal_gold(study)
        if study.is_draft and changed & {"order", "pilot_hits"}:
            reorder_slots(study)
        if changed & {"piloting", "budget_cap", "gold_exhausted"}:
            note_opened_slots(study)  # annotators who got no HIT before the change can search again
        if changed or changed_options:
            record(
                study,
                "changed settings",
                user=user,
                detail={name: [str(before[name]), str(getattr(study, name))] for name in sorted(changed)}
                | {f"options.{n}": [options_before.get(n), study.options[n]] for n in sorted(changed_options)},
            )
        return study


def write_consent(
    study_id: int, text: str, *, user: Actor, pays_stopped: bool | None = None, names_activity: bool = False
) -> Consent | None:
    """Store a new version of the consent text if the text has changed, and return the latest version.

    Annotators must accept a new version. An empty text means that the study no longer asks for consent. `pays_stopped`
    states whether the text promises to pay stopped annotators for the HIT in progress, or is None if the text does not
    mention this case. `names_activity` states whether the text names activity summaries.
    """
    if not text.strip():
        text, pays_stopped, names_activity = "", None, False
    with write():
        study = locked_study(study_id, user, Action.CHANGE_SETTINGS)
        latest = study.consents.order_by("-version").first()
        stored = (latest.text, latest.pays_stopped, latest.names_activity) if latest else ("", None, False)
        if (text, pays_stopped, names_activity) == stored:
            return latest
        version = latest.version + 1 if latest else 1
        consent = Consent.objects.create(
            study=study, version=version, text=text, pays_stopped=pays_stopped, names_activity=names_activity
        )
        record(study, "wrote consent text", user=user, version=consent.version)
        return consent


def apply_settings(study: Study, settings: Mapping[str, Any], options: Mapping[str, Any]) -> None:
    """Change a study's settings and options without saving the study. Raises `Refused` (`invalid`) with messages by
    field.
    """
    errors: dict[str, list[str]] = {}
    for name, value in settings.items():
        if name not in SETTINGS:
            errors[name] = ["is not a setting"]
        elif isinstance(value, str) and _is_number(name) and value.strip() and not is_plain_number(value):
            errors[name] = [f"“{value[:40]}” is not a number"]
        elif value is None and not setting_field(name).null:  # full_clean accepts None for any optional field
            errors[name] = ["cannot be null"]
        elif isinstance(value, bool) and not isinstance(setting_field(name), models.BooleanField):
            errors[name] = [f"cannot be {str(value).lower()}"]
        elif name == "judgements" and study.has_quotas and str(value) != str(study.judgements):
            errors[name] = ["is the sum of the quotas. Change the quotas under Recruit, Groups"]
        else:
            # full_clean accepts an empty text for every optional field, but numbers and times are stored as None.
            setattr(study, name, None if value == "" and setting_field(name).null else value)
    try:
        task = tasktypes.get(study.task_type)
        study.options = task.clean_options(options)
        if study.rule_measure not in task.measures:
            errors["rule_measure"] = [f"must be one of {', '.join(task.measures)}"]
    except LookupError as error:
        errors["task_type"] = [str(error)]
    except tasktypes.InvalidOptions as error:
        errors |= {f"options.{name}": [message] for name, message in error.errors.items()}
    # The contact of the installation can be incomplete. A researcher cannot correct it, so it must not prevent a study.
    if study.contact and "contact" in settings and study.contact != conf.CONTACT and lacks_contact(study.contact):
        errors["contact"] = [CONTACT_FAULT]
    errors |= recruitment_errors(study)
    try:
        study.full_clean(exclude=["members"])
    except ValidationError as error:
        errors |= error.message_dict
    # The fields contain numbers and times only after full_clean.
    if not errors.keys() & {"task_type", *TARGET}:
        errors |= target_errors(study)
    if not errors.keys() & {*DEADLINES}:
        errors |= limit_errors(study)
    if errors:
        places = ", ".join(f"{name}: {' '.join(messages)}" for name, messages in errors.items())
        raise Refused("invalid", f"The settings contain errors. {places}", status=400, fields=errors)


def setting_field(name: str) -> models.Field[Any, Any]:
    """Return the field of the model that declares a setting, with its label and its help text."""
    return cast("models.Field[Any, Any]", Study._meta.get_field(name))


def _is_number(setting: str) -> bool:
    return isinstance(setting_field(setting), models.IntegerField | models.DecimalField | models.FloatField)


def refuse_unowned(study: Study, before: Mapping[str, Any], user: Actor) -> None:
    if errors := unowned_studies(study, before, user):
        raise Refused("invalid", "You can link only studies that you own.", status=400, fields=errors)


def _refuse_for_items(study: Study, changed: Collection[str]) -> None:
    """Raise `Refused` (`invalid`) if changed options do not suit the study's items."""
    item = study.items.visible().order_by("pk").first() if changed else None
    if item is None:
        return
    faults = tasktypes.get(study.task_type).faults_for_items(study.options, item.content)
    fields = {f"options.{name}": [message] for name, message in faults.items() if name in changed}
    if fields:
        raise Refused("invalid", " ".join(faults.values()), status=400, fields=fields)


def _refuse_locked(study: Study, before: Mapping[str, Any], changed_options: Collection[str]) -> None:
    locked = locked_settings(study, before, changed_options)
    if locked:
        raise Refused(
            "locked",
            f"Because the study has been opened, these settings are locked: {', '.join(sorted(locked))}.",
            fields={name: ["is locked, because the study has been opened"] for name in locked},
        )


def locked_settings(study: Study, others: Mapping[str, Any], options: Collection[str]) -> list[str]:
    """Return the settings and options that cannot change after a study has been opened. Option names begin with
    `options.`.

    `others` contains the previous or the next values of the settings that change, and `options` the names of the
    options that change.
    """
    fixed = {option.name for option in tasktypes.get(study.task_type).options if option.is_locked_once_open}
    locked = [name for name in others if name in LOCKED_ONCE_OPEN or name == "judgements"]
    # Slots can be reserved for named annotators, so a study that has been opened cannot switch to or from named
    # annotators.
    if Study.Admission.NAMED in (study.admission, others.get("admission")):
        locked += [name for name in others if name == "admission"]
    return [*locked, *(f"options.{name}" for name in options if name in fixed)]


def _end_reservations(study: Study) -> None:
    study.slots.exclude(reserved_for=None).update(reserved_for=None)


def store_version(study: Study, before: tuple[str, str]) -> None:
    """Store a new version if the texts of an opened study have changed. The caller saves the locked study.

    `before` contains the earlier instructions and examples. At the first change, these earlier texts become version 1.
    """
    if study.is_draft or before == (study.instructions, study.examples):
        return
    if not study.guidelines.exists():
        Guidelines.objects.create(
            study=study, version=study.guidelines_version, instructions=before[0], examples=before[1]
        )
    study.guidelines_version += 1
    Guidelines.objects.create(
        study=study,
        version=study.guidelines_version,
        instructions=study.instructions,
        examples=study.examples,
    )


def mark_read(participation_id: ParticipationKey, version: int) -> int:
    """Record that the annotator has read this version of the guidelines. Return the guideline version last read by the
    annotator.
    """
    with write():
        participation = locked_participation(participation_id)
        read = min(version, participation.study.guidelines_version)
        if read > participation.guidelines_read:
            participation.guidelines_read = read
            participation.save(update_fields=["guidelines_read"])
        return participation.guidelines_read
