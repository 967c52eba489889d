"""Functions that convert any model's rows to JSON and back without data loss, on SQLite and PostgreSQL."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from itertools import islice
from typing import Any, TypeAlias
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import connection, models
from django.utils.duration import duration_string

from .archive import BackupError, Json, Row

AT_ONCE = 500  # rows held in memory, or one row if the table stores files

Model = type[models.Model]
Field: TypeAlias = "models.Field[Any, Any]"


def columns(model: Model) -> list[str]:
    """Return the names of a model's stored fields."""
    return list(_fields(model))


def read_rows(queryset: models.QuerySet[Any], names: list[str]) -> Iterator[Row]:
    """Yield a queryset's rows in primary-key order, keeping only a few rows in memory at a time."""
    key = names.index(queryset.model._meta.pk.attname)
    at_once = _at_once(_fields(queryset.model).values())
    ordered = queryset.order_by("pk")
    rows = list(ordered.values_list(*names)[:at_once])
    while rows:
        for row in rows:
            yield [encode(value) for value in row]
        rows = list(ordered.filter(pk__gt=rows[-1][key]).values_list(*names)[:at_once])


def insert_rows(model: Model, names: list[str], rows: Iterable[Row]) -> None:
    """Insert rows unchanged, without applying defaults, setting automatic times or sending signals."""
    fields = [_fields(model)[name] for name in names]
    quote = connection.ops.quote_name
    places = ", ".join(quote(str(field.column)) for field in fields)
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({places}) VALUES ({', '.join(['%s'] * len(fields))})"  # noqa: S608 (names of models)
    rest = iter(rows)
    with connection.cursor() as cursor:
        while chunk := list(islice(rest, _at_once(fields))):
            try:
                values = [
                    [_for_database(field, value) for field, value in zip(fields, row, strict=True)] for row in chunk
                ]
                cursor.executemany(statement, values)
            except (ValidationError, ValueError, TypeError, OverflowError) as error:
                raise BackupError(
                    f"the backup is damaged: {model._meta.label_lower} has an impossible value"
                ) from error


def encode(value: Any) -> Json:
    """Convert a model field's value to JSON."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, timedelta):
        return duration_string(value)
    if isinstance(value, Decimal | UUID):
        return str(value)
    if isinstance(value, date | time):
        return value.isoformat()
    return value


def _fields(model: Model) -> dict[str, Field]:
    stored = [field for field in model._meta.local_concrete_fields if not getattr(field, "generated", False)]
    return {str(field.attname): field for field in stored}


def _at_once(fields: Iterable[Field]) -> int:
    return 1 if any(isinstance(field, models.BinaryField) for field in fields) else AT_ONCE


def _for_database(field: Field, value: Json) -> Any:
    if value is not None:
        if isinstance(field, models.BinaryField):
            value = base64.b64decode(value)
        elif not isinstance(field, models.JSONField):
            value = field.to_python(value)
    return field.get_db_prep_save(value, connection)
