"""Copies of studies for `make_study`, because thousands of tests need the same few studies.

The services that create a study, build its design and deal its gold questions take 50 ms. A copy of the resulting rows
takes a tenth. Only primary keys, random identifiers, the owner and times differ between copies.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from django.conf import UserSettingsHolder, settings
from django.db import connection, models, transaction
from django.db.models.fields.reverse_related import ForeignObjectRel
from django.utils import timezone

from annotate.models import (
    Consent,
    Event,
    GoldSet,
    GoldSetQuestion,
    Hit,
    HitQuestion,
    Item,
    Membership,
    Question,
    Report,
    Slot,
    Study,
    Upload,
    User,
)

# Each model comes after the models that its rows refer to, and has the path to its study.
PATHS: dict[type[models.Model], str] = {
    Study: "pk",
    Membership: "study",
    Consent: "study",
    Upload: "study",
    Item: "study",
    Question: "study",
    GoldSet: "study",
    GoldSetQuestion: "gold_set__study",
    Hit: "study",
    HitQuestion: "hit__study",
    Slot: "study",
    Report: "study",
    Event: "study",
}
MOST_ROWS = 600  # larger studies are rare, and SQLite limits the parameters of a statement


class _Copied(NamedTuple):
    """The rows that a copy has inserted so far."""

    user: User
    at: datetime
    keys: dict[type[models.Model], list[int]]


class _Insertion(NamedTuple):
    """The insertion of all rows of a table. `new` has a function for each value that differs between copies."""

    model: type[models.Model]
    statement: str
    values: list[Any]
    new: dict[int, Callable[[_Copied], Any]]


_seen: set[str] = set()
_templates: dict[str, list[_Insertion]] = {}


def copied_or_made(arguments: dict[str, Any], user: User, make: Callable[[], Study]) -> Study:
    """Return a copy of the study that `make` returned for the same arguments, or the result of `make`."""
    key = f"{connection.vendor} {sorted(arguments.items())!r}"
    # Settings of the test may change the study, and an inactive user cannot create one.
    changed = isinstance(getattr(settings, "_wrapped", None), UserSettingsHolder)
    if changed or not user.is_active or not _plain(arguments):
        return make()
    if key in _templates:
        return _copy(_templates[key], user)
    study = make()
    if key in _seen and not _has_other_rows(study):
        tables = {
            model: list(model._base_manager.filter(**{path: study.pk}).order_by("pk")) for model, path in PATHS.items()
        }
        if sum(map(len, tables.values())) <= MOST_ROWS:
            _templates[key] = _insertions(tables, user)
    _seen.add(key)
    return study


def _plain(value: Any) -> bool:
    """Return True if the value is the same whenever its text is the same, and contains no time."""
    if isinstance(value, dict):
        return all(_plain(each) for each in value.values())
    if isinstance(value, list | tuple):
        return all(_plain(each) for each in value)
    return value is None or isinstance(value, str | int | float | Decimal)


def _has_other_rows(study: Study) -> bool:
    """Return True if a table without a path has rows of the study, such as the settings of a study on Prolific."""
    relations = [each for each in Study._meta.get_fields(include_hidden=True) if isinstance(each, ForeignObjectRel)]
    return any(
        relation.related_model._base_manager.filter(**{relation.field.name: study.pk}).exists()
        for relation in relations
        if relation.related_model not in PATHS
    )


def _copy(insertions: list[_Insertion], user: User) -> Study:
    copied = _Copied(user, timezone.now(), {})
    with transaction.atomic(), connection.cursor() as cursor:
        for model, statement, values, new in insertions:
            values = values.copy()
            for place, value in new.items():
                values[place] = value(copied)
            cursor.execute(statement, values)
            copied.keys[model] = [key for (key,) in cursor.fetchall()]
    (key,) = copied.keys[Study]
    if Report in copied.keys:
        Study.objects.filter(pk=key).update(design=copied.keys[Report][-1])
    return Study.objects.get(pk=key)


def _insertions(tables: dict[type[models.Model], list[Any]], user: User) -> list[_Insertion]:
    places = {model: {row.pk: place for place, row in enumerate(rows)} for model, rows in tables.items()}
    at = timezone.now()
    insertions = []
    for model, rows in tables.items():
        if not rows:
            continue
        fields = [field for field in model._meta.concrete_fields if not (field.primary_key or field.generated)]
        values: list[Any] = []
        new: dict[int, Callable[[_Copied], Any]] = {}
        for row in rows:
            for field in fields:
                value = getattr(row, field.attname)
                differs = _differing(field, value, places, user, at)
                if differs:
                    new[len(values)] = differs
                values.append(None if differs else field.get_db_prep_save(value, connection))
        names = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
        row_marks = f"({', '.join(['%s'] * len(fields))})"
        statement = (
            f'INSERT INTO "{model._meta.db_table}" ({names}) VALUES {", ".join([row_marks] * len(rows))} RETURNING id'  # noqa: S608
        )
        insertions.append(_Insertion(model, statement, values, new))
    return insertions


def _differing(
    field: Any, value: Any, places: dict[type[models.Model], dict[int, int]], user: User, at: datetime
) -> Callable[[_Copied], Any] | None:
    """Return how to find the value in a copy, or None if all copies have the same value."""
    if value is None:
        return None
    if field.is_relation:
        if field.related_model is User:
            assert value == user.pk, "a study of the factory names only its owner"
            return lambda copied: copied.user.pk
        if field.model is Study:  # the design, which is inserted later than its study
            return lambda copied: None
        place, model = places[field.related_model][value], field.related_model
        return lambda copied: copied.keys[model][place]
    if field.unique and field.has_default():
        return lambda copied: field.get_default()
    if isinstance(field, models.DateTimeField):
        before: timedelta = value - at
        return lambda copied: field.get_db_prep_save(copied.at + before, connection)
    return None
