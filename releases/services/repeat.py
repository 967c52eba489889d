"""The service that creates a draft from a release, which repeats the released study."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import IO, Any

from django.conf import settings as conf
from django.core.serializers.json import DjangoJSONEncoder

from annotate import tasktypes
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import AnnotatorGroup, Report, Study, User
from annotate.recruiting.services.groups import MOST_JUDGEMENTS
from annotate.recruiting.services.questionnaires import change_questionnaire
from annotate.results.services import save_report
from annotate.server.refusals import Refused, invalid
from annotate.studies.services.settings import LISTS, SETTINGS
from annotate.studies.services.settings_import import AMOUNTS
from annotate.studies.services.study import create_study
from annotate.tasktypes import TaskType
from releases.contents.archive import UnreadableRelease
from releases.contents.recipe import RECIPE, Recipe, refuse_payloads
from releases.contents.source import Source, read_source
from releases.contents.storable import require_storable
from releases.selectors.recipe import NO_LONGER_REPEATED, RECIPE_SETTINGS
from releases.selectors.releases import REPEAT
from releases.services.differences import Changes, differences_of
from releases.services.repeated_design import write_design
from releases.services.uploads import uploaded_source

COUNTED = (("hits", "slots"), ("groups", "judgements"))


@dataclass(frozen=True)
class Repeat:
    """The new draft, and its report, whose result lists the differences from the original."""

    study: Study
    report: Report


def read_upload(file: IO[bytes], name: str, key: str) -> Source:
    """Read the recipe from an uploaded zip file, whose files can be as large as an upload. Raises `Refused`
    (`unreadable-release`, or `memory` or `time` at a limit).
    """
    return _readable(lambda: uploaded_source(file.read(), name, key.strip()))


def read_for_repeat(read: Callable[[], Mapping[str, bytes]], name: str, key: str) -> Source:
    """Return the recipe in the files that `read` returns. Raises `Refused` (`unreadable-release`)."""
    return _readable(lambda: read_source(read(), name, key.strip()))


def _readable(read: Callable[[], Source]) -> Source:
    try:
        return read()
    except UnreadableRelease as error:
        raise Refused("unreadable-release", str(error), status=400) from error


def repeat_study(source: Source, *, user: User, title: str = "", changes: Mapping[str, Any] | None = None) -> Repeat:
    """Create a draft with the texts, settings, items, questions, HITs and gold sets of a released study.

    `changes` replaces settings by name. Everything happens in one transaction. Raises `Refused` with the code
    `invalid` for an invalid setting or title, or `unreadable-release` if the task type of the study is not installed,
    or if its settings or questions do not fit this version of Accord.
    """
    recipe = source.recipe
    task = _installed_task(recipe)
    _refuse_foreign(recipe)
    # Earlier releases contain settings that are no longer repeated, such as completion codes.
    own = {name: value for name, value in recipe["settings"].items() if name in RECIPE_SETTINGS}
    recipe = {**recipe, "settings": own}
    source = replace(source, recipe=recipe)
    changes = _checked(recipe, changes or {})
    settings = recipe["settings"] | _without_secrets(recipe) | _without_amounts(recipe, changes) | changes
    consent = recipe["consent"] or {"text": "", "pays_stopped": None, "names_activity": False}
    with write():
        study = create_study(
            user=user,
            title=title.strip() or recipe["title"],
            task_type=recipe["task_type"],
            options=recipe["options"],
            consent=consent["text"],
            consent_pays_stopped=consent["pays_stopped"],
            consent_names_activity=consent["names_activity"],
            **settings,
        )
        _refuse_misfits(recipe, task, study.options)
        _write_groups(study, recipe)
        for each in recipe["questionnaires"]:
            values = {name: value for name, value in each.items() if name != "purpose"}
            change_questionnaire(study.pk, each["purpose"], values, revision=0, user=user)
        study.refresh_from_db()
        changed = frozenset(name for name, value in recipe["settings"].items() if _differs(study, name, value))
        filename = " ".join(f"{recipe['title']} {source.version}.jsonl".split())
        write_design(study, recipe, changed, filename=filename, user=user)
        differences = differences_of(source, study, Changes(changed, frozenset(changes)))
        release = {"title": recipe["title"], "version": source.version, "sha256": source.sha256}
        report = save_report(
            study,
            kind=REPEAT,
            parameters={"release": release},
            seed=study.seed,
            columns=None,
            result={"differences": differences},
            user=user,
        )
        record(study, "repeated study", user=user, differences=len(differences), **release)
        study.refresh_from_db()
    return Repeat(study, report)


def _installed_task(recipe: Recipe) -> TaskType:
    task = next((task for task in tasktypes.installed() if task.slug == recipe["task_type"]), None)
    if task is None:
        raise Refused(
            "unreadable-release",
            f"The study has the task type {recipe['task_type']}, which is not installed here. Install it, then repeat "
            "the study.",
            status=400,
        )
    return task


def _refuse_foreign(recipe: Recipe) -> None:
    """Raise `Refused` (`unreadable-release`) for a recipe that does not fit this installation."""
    if unknown := recipe["settings"].keys() - {*RECIPE_SETTINGS, *NO_LONGER_REPEATED}:
        raise Refused(
            "unreadable-release",
            f"{RECIPE} contains the setting {min(unknown)}, which this version of Accord does not repeat. Update "
            "Accord, then repeat the study.",
            status=400,
        )
    slots, quotas = (sum(row[name] or 0 for row in recipe[part]) for part, name in COUNTED)
    if slots > conf.LIMIT_ROWS:  # one row each, which a few bytes of a file can ask for
        raise Refused(
            "unreadable-release",
            f"The HITs in {RECIPE} have {slots:,} slots, but the maximum is {conf.LIMIT_ROWS:,}.",
            status=400,
        )
    if quotas > MOST_JUDGEMENTS:
        raise Refused(
            "unreadable-release",
            f"The quotas in {RECIPE} add up to {quotas:,}, but a question can have {MOST_JUDGEMENTS} judgements at "
            "most.",
            status=400,
        )


def _refuse_misfits(recipe: Recipe, task: TaskType, options: Mapping[str, Any]) -> None:
    try:
        refuse_payloads(recipe, task, options)
    except UnreadableRelease as error:
        raise Refused("unreadable-release", str(error), status=400) from error


def _checked(recipe: Recipe, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes with numbers as text, as settings read them. Raises `Refused` (`invalid`)."""
    for name, value in changes.items():
        if name not in SETTINGS - {"title", *LISTS}:
            raise invalid(name, "A repeat cannot change this setting. Check its name.")
        if not isinstance(value, str | int | float | None):
            raise invalid(name, f"The value of {name} must be a text, a number, true, false or null.")
        try:
            require_storable(value, name)
        except UnreadableRelease as error:
            raise invalid(name, str(error)) from error
    if "judgements" in changes and any(group["judgements"] for group in recipe["groups"]):
        raise invalid(
            "judgements", "The judgements per question are the sum of the quotas. Change the quotas in the repeat."
        )
    return {name: value if isinstance(value, str | bool | None) else str(value) for name, value in changes.items()}


def _without_secrets(recipe: Recipe) -> dict[str, Any]:
    """Return the settings of a study whose gold questions are sealed: no gold block until gold is imported."""
    return {"gold_block": 0} if recipe["sealed"] else {}


def _without_amounts(recipe: Recipe, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return no payment if the repeat has another currency."""
    currency = recipe["settings"].get("currency")
    same = changes.get("currency", currency) == currency
    return {} if same else {name: 0 for name in AMOUNTS if name in recipe["settings"]}


def _write_groups(study: Study, recipe: Recipe) -> None:
    AnnotatorGroup.objects.bulk_create(AnnotatorGroup(study=study, **group) for group in recipe["groups"])
    if quotas := [group["judgements"] for group in recipe["groups"] if group["judgements"]]:
        study.has_quotas, study.judgements = True, sum(quotas)
        study.save(update_fields=["has_quotas", "judgements"])


def _differs(study: Study, name: str, value: Any) -> bool:
    """Return whether a setting differs from its value in a recipe, where decimal numbers are texts."""
    stored = getattr(study, name)
    as_text = DjangoJSONEncoder().encode(stored)
    return bool(stored != value and as_text != DjangoJSONEncoder().encode(value) and str(stored) != str(value))
