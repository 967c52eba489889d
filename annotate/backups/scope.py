"""The rows included in a backup of the installation or of one study."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from django.apps import apps
from django.db import models
from django.db.models import Q

from annotate.models import Study, User

from .archive import Row
from .tables import Model

ForeignKey: TypeAlias = "models.ForeignKey[Any, Any]"

# Transient tables, which are not part of backups. Researchers must sign in again after a restore.
TRANSIENT = frozenset({"sessions.Session"})
# Backups omit the counts that triggers update, because these counts are recalculated during a restore.
COUNTED = frozenset({"annotate.HourCount", "annotate.GoldCount"})
# A backup of one study identifies its researchers, but contains neither their passwords nor their permissions.
PLACEHOLDER = {"password": "!", "is_active": False, "is_staff": False, "is_superuser": False, "last_login": None}


@dataclass(frozen=True)
class Part:
    """The rows of one model that are part of a backup. `replaced` maps hidden columns to their replacement values."""

    rows: models.QuerySet[Any]
    replaced: dict[str, Any] = field(default_factory=dict)

    @property
    def model(self) -> Model:
        """Return the model that the rows belong to."""
        return self.rows.model


def of_installation(registry: Any) -> Iterator[Part]:
    """Yield all rows of all tables, except transient tables."""
    for model in stored_models(registry):
        yield Part(model._base_manager.all())


def of_study(study: Study) -> Iterator[Part]:
    """Yield the rows of one study and the accounts that they refer to."""
    stored = stored_models(apps)
    own = {model: model._base_manager.filter(**{path: study.pk}) for model, path in _in_study() if model in stored}
    shared = _referenced(own)
    yield Part(shared.pop(User, User._base_manager.none()), PLACEHOLDER)
    for rows in (*shared.values(), *own.values()):
        yield Part(rows)


def never_in_study() -> set[str]:
    """Return the labels of the tables that no backup of one study contains, such as API tokens. A backup with such a
    table was forged, and could give its author access to the installation.
    """
    own = {User, *(model for model, _ in _in_study())}
    return {model._meta.label_lower for model in stored_models(apps) if model not in own}


def _in_study() -> list[tuple[Model, str]]:
    """Return the models of `study_models`, except models with `in_study_backup = False`."""
    return [(model, path) for model, path in study_models() if getattr(model, "in_study_backup", True)]


def without_access(names: list[str], row: Row) -> Row:
    """Return an account's row in a backup of one study without a password and permissions."""
    return [PLACEHOLDER.get(name, value) for name, value in zip(names, row, strict=True)]


def stored_models(registry: Any) -> list[Model]:
    """Return the models, current or historical, whose rows are part of backups."""
    return [model for model in _all_models(registry) if model._meta.label not in TRANSIENT | COUNTED]


def study_models() -> list[tuple[Model, str]]:
    """Return each model whose rows belong to one study, and the lookup for the study's primary key."""
    paths = ((model, _path_to_study(model, ())) for model in _all_models(apps))
    return [(model, path) for model, path in paths if path is not None]


def _all_models(registry: Any) -> list[Model]:
    models = registry.get_models(include_auto_created=True)
    return [model for model in models if model._meta.managed and not model._meta.proxy]


def _path_to_study(model: Model, visited: tuple[Model, ...]) -> str | None:
    """Return the shortest lookup through required foreign keys, such as `assignment__study`, or None if no such lookup
    exists.
    """
    if model is Study:
        return "pk"
    paths = []
    for key in foreign_keys(model):
        target = key.related_model
        if key.null or target in visited:
            continue
        rest = _path_to_study(target, (*visited, model))
        if rest is not None:
            paths.append(key.name if rest == "pk" else f"{key.name}__{rest}")
    return min(paths, key=lambda path: path.count("__"), default=None)


def optional_keys_to_study() -> list[ForeignKey]:
    """Return the foreign keys that point to a study from models whose rows belong to an account, such as API tokens."""
    own = {model for model, _ in study_models()}
    others = [model for model in _all_models(apps) if model not in own]
    return [key for model in others for key in foreign_keys(model) if key.related_model is Study]


def foreign_keys(model: Model) -> list[ForeignKey]:
    """Return the foreign keys of a model, including one-to-one relations."""
    return [field for field in model._meta.local_concrete_fields if isinstance(field, models.ForeignKey)]


def _referenced(own: dict[Model, models.QuerySet[Any]]) -> dict[Model, models.QuerySet[Any]]:
    """Return the rows outside the study that the study's rows refer to, grouped by model. A restore must insert these
    rows before the study's rows.
    """
    conditions: dict[Model, Q] = {}
    for model, rows in own.items():
        for key in foreign_keys(model):
            if key.related_model not in own:
                referring = Q(pk__in=rows.exclude(**{key.attname: None}).values(key.attname))
                conditions[key.related_model] = conditions.get(key.related_model, Q(pk__in=[])) | referring
    return {model: model._base_manager.filter(condition) for model, condition in conditions.items()}
