"""Services that create, change, open, pause, close and archive studies."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.conf import settings as conf
from django.core.exceptions import ValidationError

from annotate import clock, tasktypes
from annotate.models import Consent, Membership, Question, Study, User
from annotate.permissions import PERMISSIONS, Action, Actor, refuse_state, require, require_account
from annotate.refusals import Refused
from annotate.selectors.sizes import items_imported

from .archived import refuse_archived
from .consent_terms import against_consent, refuse_against_accepted, unnamed_summaries
from .contact import lacks_contact
from .guidelines import store_version
from .log import record
from .named import lacking_annotators
from .recruitment import LISTS, recruitment_errors, unowned_studies
from .wanted import increase_supply
from .writing import write

# Settings that are locked after opening, because a change would change the meaning of existing answers.
LOCKED_ONCE_OPEN = frozenset(
    [
        *("task_type", "seed", "questions_per_hit", "order", "gold_block", "rule_measure", "language", "pilot_hits"),
        "currency",  # of the rewards, bonuses and payments that are stored as plain numbers
    ]
)
# Settings on which the built questions and slots depend.
SHAPES_THE_DESIGN = frozenset(["task_type", "seed", "questions_per_hit", "judgements", "order", "pilot_hits"])
SETTINGS = frozenset(
    [
        "title",
        "language",
        "direction",
        "instructions",
        "examples",
        "protocol_number",
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
        "network_check",
        "activity_summaries",
        "blind_adjudication",
        "excluded_studies",
        "admitted_studies",
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
        "skips_allowed",
        "gold_skips_allowed",
        "break_minutes",
        "practice",
        "pilot_hits",
        "piloting",
        "pilot_counts",
        "seed",
    ]
)


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
    """Create a draft study with `user` as owner. Settings that the caller omits have the defaults of the task type.

    Raises `Refused` with messages by field (`invalid`), or if the user has no active account (`not-allowed`).
    """
    require_account(user)
    with write():
        study = Study(title=title, task_type=task_type)
        defaults, wordings = _defaults(task_type, str(settings.get("language", study.language)))
        _apply(
            study,
            {"privacy_notice": conf.PRIVACY_NOTICE, "contact": conf.CONTACT} | defaults | settings,
            {**wordings, **(options or {})},
        )
        _refuse_unowned(study, dict.fromkeys(LISTS, ()), user)
        study.save()
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


def change_settings(study_id: int, *, user: Actor, options: Mapping[str, Any] | None = None, **settings: Any) -> Study:
    """Change settings. Raises `Refused` (`locked`) for a setting that existing answers depend on."""
    with write():
        study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
        require(study, user, Action.CHANGE_SETTINGS)
        refuse_archived(study)
        before = {name: getattr(study, name) for name in settings}
        options_before = dict(study.options)
        texts = (study.instructions, study.examples)
        _apply(study, settings, study.options if options is None else {**study.options, **options})
        _refuse_unowned(study, before, user)
        changed = {name for name in settings if getattr(study, name) != before[name]}
        changed_options = {name for name in study.options if study.options[name] != options_before.get(name)}
        if not study.is_draft:
            _refuse_locked(study, {name: before[name] for name in changed}, changed_options)
            if "contact" in changed and lacks_contact(study.contact):
                fields = {"contact": ["must contain a name and an e-mail address"]}
                raise Refused("invalid", "The study has been opened, so it needs a contact.", status=400, fields=fields)
        if "admission" in changed and Study.Admission.NAMED in (before["admission"], study.admission):
            _end_reservations(study)
        if "pay_stopped" in changed:
            refuse_against_accepted(study)
        store_version(study, texts)
        study.save()
        if changed & {"piloting", "budget_cap"}:
            increase_supply(study)  # annotators who got no HIT before the change can search again
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
    says whether the text promises payment for the HIT that is open when an annotator is stopped, or is None if the text
    does not mention this case. `names_activity` says whether the text names activity summaries.
    """
    if not text.strip():
        text, pays_stopped, names_activity = "", None, False
    with write():
        study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
        require(study, user, Action.CHANGE_SETTINGS)
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


def open_study(study_id: int, *, user: Actor) -> Study:
    """Open a study or continue a paused study. Raises `Refused` (`not-ready`) with a list of the unmet requirements."""
    with write():
        study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
        require(study, user, Action.OPEN)
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
    """Return the unmet requirements for opening the study, keyed by part of the study. The result is empty if the study
    meets all requirements.
    """
    missing = {}
    if not study.slots.exists():
        missing["design"] = "There are no questions yet. Import items and build the design."
    elif study.opened_at is None and study.design and study.design.parameters.get("shape") != shape(study):
        missing["design"] = "Settings or items have changed since the design was built. Build the design again."
    if not study.instructions.strip():
        missing["instructions"] = "Annotators need guidelines. Write them in Settings."
    if not study.privacy_notice.strip():
        missing["privacy_notice"] = "The study needs a privacy notice. Write it in Settings."
    if unmet := lacking_annotators(study):
        missing["named"] = unmet
    if lacks_contact(study.contact):
        missing["contact"] = "Annotators need a contact person. Enter a name and an e-mail address in Settings."
    if contradiction := against_consent(study):
        missing["consent"] = contradiction
    if unnamed := unnamed_summaries(study):
        missing["activity_summaries"] = unnamed
    gold = study.questions.filter(kind=Question.Kind.GOLD).exists()
    if study.gold_block and study.rule_threshold and not gold:
        missing["gold"] = "The quality rule needs gold questions. Import gold questions, or set the gold block to 0."
    return missing


def shape(study: Study) -> dict[str, Any]:
    """Return the settings on which the questions depend. A design is outdated if it was built with settings that have
    changed since.
    """
    task = tasktypes.get(study.task_type)
    locked = {option.name for option in task.options if option.locked}
    return {
        **{name: getattr(study, name) for name in sorted(SHAPES_THE_DESIGN)},
        "options": {name: study.options.get(name) for name in sorted(locked)},
        "items": items_imported(study, in_design=True),
    }


def pause_study(study_id: int, *, user: Actor) -> Study:
    """Pause a study: annotators can finish open HITs but cannot claim new HITs."""
    return _move(study_id, Action.PAUSE, Study.State.PAUSED, user)


def close_study(study_id: int, *, user: Actor) -> Study:
    """Close a study to end data collection. A closed study can be reopened."""
    return _move(study_id, Action.CLOSE, Study.State.CLOSED, user)


def archive_study(study_id: int, *, user: Actor) -> Study:
    """Archive a draft or closed study. An archived study cannot be changed until an owner unarchives it."""
    return _move(study_id, Action.ARCHIVE, Study.State.ARCHIVED, user)


def unarchive_study(study_id: int, *, user: Actor) -> Study:
    """Unarchive a study. The study returns to its previous state, which is draft or closed.

    Raises `Refused`: `state` if the study is not archived, or `not-allowed`.
    """
    with write():
        study = Study.objects.select_for_update().get(pk=study_id)
        require(study, user, Action.UNARCHIVE)
        refuse_state(study, Action.UNARCHIVE)
        return _change_state(study, Study.State.CLOSED if study.opened_at else Study.State.DRAFT, user)


def _move(study_id: int, action: Action, state: str, user: Actor) -> Study:
    with write():
        # Archiving takes an exclusive lock on the study, so it waits for every other write in the study. See
        # services/archived.py.
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
    return study


def _apply(study: Study, settings: Mapping[str, Any], options: Mapping[str, Any]) -> None:
    errors: dict[str, list[str]] = {}
    for name, value in settings.items():
        if name not in SETTINGS:
            errors[name] = ["is not a setting"]
        else:
            setattr(study, name, value)
    try:
        task = tasktypes.get(study.task_type)
        study.options = task.clean_options(options)
        if study.rule_measure not in task.measures:
            errors["rule_measure"] = [f"must be one of {', '.join(task.measures)}"]
    except LookupError as error:
        errors["task_type"] = [str(error)]
    except tasktypes.InvalidOptions as error:
        errors |= {f"options.{name}": [message] for name, message in error.errors.items()}
    errors |= recruitment_errors(study)
    try:
        study.full_clean(exclude=["members"])
    except ValidationError as error:
        errors |= error.message_dict
    if errors:
        places = ", ".join(f"{name}: {' '.join(messages)}" for name, messages in errors.items())
        raise Refused("invalid", f"The settings contain errors. {places}", status=400, fields=errors)


def _refuse_unowned(study: Study, before: Mapping[str, Any], user: Actor) -> None:
    if errors := unowned_studies(study, before, user):
        raise Refused("invalid", "You can link only studies that you own.", status=400, fields=errors)


def _refuse_locked(study: Study, before: Mapping[str, Any], changed_options: Collection[str]) -> None:
    locked = locked_settings(study, before, changed_options)
    if locked:
        raise Refused(
            "locked",
            f"Because the study has been opened, these settings are locked: {', '.join(sorted(locked))}.",
            fields={name: ["is locked, because the study has been opened"] for name in locked},
        )


def locked_settings(study: Study, others: Mapping[str, Any], options: Collection[str]) -> list[str]:
    """Return the settings and options that cannot change after a study has been opened. The name of an option begins
    with `options.`.

    `others` contains the previous or the next values of the settings that change, and `options` the names of the
    options that change.
    """
    fixed = {option.name for option in tasktypes.get(study.task_type).options if option.is_locked_once_open}
    locked = [name for name in others if name in LOCKED_ONCE_OPEN or name == "judgements"]
    # Slots can be reserved for named annotators, so an opened study cannot change to or from named annotators.
    if Study.Admission.NAMED in (study.admission, others.get("admission")):
        locked += [name for name in others if name == "admission"]
    return [*locked, *(f"options.{name}" for name in options if name in fixed)]


def _end_reservations(study: Study) -> None:
    study.slots.exclude(reserved_for=None).update(reserved_for=None)


def _defaults(task_type: str, language: str) -> tuple[dict[str, Any], Mapping[str, Any]]:
    """Return the default settings of a task type, and its default options that depend on the language. Both results
    are empty for an unknown task type, which `_apply` rejects.
    """
    installed = {task.slug: task for task in tasktypes.installed()}
    task = installed.get(task_type)
    return (task.begins_with(language), task.texts_in(language).options) if task else ({}, {})
