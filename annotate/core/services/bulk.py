"""Functions that insert many rows at once, using COPY on PostgreSQL and ordinary statements on SQLite."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from django.db import connection
from django.db.models import NOT_PROVIDED, Field, JSONField, Max, Model
from django.db.models.expressions import RawSQL

from annotate.server import clock

AT_ONCE = 500  # rows per statement on SQLite
_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def reserve_keys(model: type[Model], count: int) -> list[int]:
    """Return unused primary keys for new rows. The caller must open a transaction first."""
    if connection.vendor != "postgresql":
        last = model._default_manager.aggregate(last=Max("pk"))["last"] or 0
        return list(range(last + 1, last + 1 + count))
    with connection.cursor() as cursor:
        sequence = "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)"
        cursor.execute(sequence, [model._meta.db_table, count])
        return [key for (key,) in cursor.fetchall()]


def all_of(keys: Sequence[int]) -> Sequence[int] | RawSQL:
    """Return the right-hand side of a condition `pk__in` for any number of keys. PostgreSQL accepts 65,535
    parameters.
    """
    if connection.vendor != "postgresql":
        return keys
    return RawSQL("SELECT unnest(%s::bigint[])", [list(keys)])


def insert(model: type[Model], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows that have values for the attributes in `names`. All other attributes get the model's default values.

    Attributes of type JSON contain JSON text.
    """
    if connection.vendor == "postgresql":
        _copy(model, names, rows)
    else:
        _insert(model, names, rows)


def _copy(model: type[Model], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    fields = {field.attname: field for field in model._meta.concrete_fields if not field.generated}
    others = [field for name, field in fields.items() if name not in names and not field.primary_key]
    drawn = [
        field
        for field in others
        if field.has_default() and callable(field.default) and field.default not in (dict, list)
    ]
    constant = [field for field in others if field not in drawn]
    columns = [fields[name].column for name in names] + [field.column for field in (*drawn, *constant)]
    end = "".join(f"\t{_text(_default(field))}" for field in constant) + "\n"
    listed = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor, cursor.copy(f"COPY {model._meta.db_table} ({listed}) FROM STDIN") as copy:
        for row in rows:
            values = [_text(value) for value in row]
            values += [_text(_drawn(field)) for field in drawn]
            copy.write("\t".join(values) + end)


def _insert(model: type[Model], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    fields = {field.attname: field for field in model._meta.concrete_fields}
    readers = [_loaded if isinstance(fields[name], JSONField) else _same for name in names]
    remaining = iter(rows)
    while chunk := list(islice(remaining, AT_ONCE)):
        model._default_manager.bulk_create(
            model(**{name: read(value) for name, read, value in zip(names, readers, row, strict=True)}) for row in chunk
        )


def _loaded(value: str | None) -> Any:

    return None if value is None else json.loads(value)


def _same(value: Any) -> Any:
    return value


def _drawn(field: Field[Any, Any]) -> Any:
    return field.default()


def _default(field: Field[Any, Any]) -> Any:
    """Return a field's default value in the form that PostgreSQL reads, which is the same for all rows."""
    if getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False):
        return clock.now()
    if isinstance(field, JSONField):
        default = field.get_default()
        return None if default is None else json.dumps(default)
    if field.default is NOT_PROVIDED:
        return None if field.null else ""
    return field.get_default()


def _text(value: Any) -> str:
    """Return the value in COPY's text format."""
    if value is None:
        return "\\N"
    if value is True or value is False:
        return "t" if value else "f"
    if isinstance(value, str):
        return value.translate(_ESCAPES) if "\\" in value or not value.isprintable() else value
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value)
