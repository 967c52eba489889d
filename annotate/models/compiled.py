"""Database statements for the most frequent requests. Each process compiles them once and runs them with new values.

The ORM needs more time to build a statement than PostgreSQL needs to run it. This module uses the ORM's own SQL,
converters and field preparation, and stores only the text of a statement. Because the text does not change, PostgreSQL
can also reuse its plan (`ACCORD_DB_PREPARE`).
"""

# ruff: noqa: S608 - the names in these statements come from models

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=Model)
_MARKS: dict[type, Callable[[int], Any]] = {
    int: lambda number: 8_765_432_109_876_000 + number,
    str: lambda number: f"value {number} of a compiled statement",
}


class Select(Generic[M]):
    """A compiled queryset with typed placeholders, which can be run repeatedly with different values.

    Each value must reach the SQL unchanged as a parameter. This is true for primary keys, integers and texts.
    """

    def __init__(self, build: Callable[..., QuerySet[M]], *types: type) -> None:
        self._build, self._types = build, types
        self._compiled: dict[str, _Compiled] = {}

    def __call__(self, *values: Any) -> list[M]:
        """Return the instances that the compiled queryset yields for these values."""
        database = connections[DEFAULT_DB_ALIAS]
        compiled = self._compiled.get(database.vendor) or self._compile(database.vendor)
        with database.cursor() as cursor:
            cursor.execute(compiled.sql, [values[at] if at >= 0 else constant for at, constant in compiled.parameters])
            rows = cursor.fetchall()
        return compiled.instances(rows)

    def _compile(self, vendor: str) -> _Compiled:
        marks = [_MARKS[kind](number) for number, kind in enumerate(self._types)]
        compiler = self._build(*marks).query.get_compiler(DEFAULT_DB_ALIAS)
        sql, parameters = compiler.as_sql()
        places = [(marks.index(each), None) if each in marks else (-1, each) for each in parameters]
        self._compiled[vendor] = compiled = _Compiled(sql, places, compiler)
        return compiled


class _Compiled:
    """A compiled statement: the SQL, the parameters (the index of a value, or −1 and a constant), and a row
    converter.
    """

    def __init__(self, sql: str, parameters: list[tuple[int, Any]], compiler: Any) -> None:
        self.sql, self.parameters, self._compiler = sql, parameters, compiler
        shape = compiler.klass_info
        self._model = shape["model"]
        self._first, self._last = shape["select_fields"][0], shape["select_fields"][-1] + 1
        self._names = [part[0].target.attname for part in compiler.select[self._first : self._last]]
        self._related = get_related_populators(shape, compiler.select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]
        self._annotations = compiler.annotation_col_map
        self._converters = compiler.get_converters([part[0] for part in compiler.select])

    def instances(self, rows: Sequence[Sequence[Any]]) -> list[Any]:
        converted = self._compiler.apply_converters(rows, self._converters) if self._converters else rows
        return [self._instance(row) for row in converted]

    def _instance(self, row: Sequence[Any]) -> Any:
        instance = self._model.from_db(DEFAULT_DB_ALIAS, self._names, row[self._first : self._last])
        for related in self._related:
            related.populate(row, instance)
        for name, column in self._annotations.items():
            setattr(instance, name, row[column])
        return instance


def update(instance: Model, fields: Sequence[str]) -> None:
    """Save the given fields of one row, like `save(update_fields=…)` but without sending signals."""
    database = connections[DEFAULT_DB_ALIAS]
    sql, chosen = _update_one(type(instance), tuple(fields))
    values = [field.get_db_prep_save(getattr(instance, field.attname), database) for field in chosen]
    with database.cursor() as cursor:
        cursor.execute(sql, [*values, instance.pk])


def update_all(instances: Sequence[Model], fields: Sequence[str]) -> None:
    """Save the given fields of several rows in one statement."""
    if not instances:
        return
    model = type(instances[0])
    rows = _Rows(instances, [model._meta.pk, *_fields(model, fields)])
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(_update_many(model, *rows.pattern), rows.values)


def insert_all(instances: list[M]) -> list[M]:
    """Insert rows in one statement and set the instances' primary keys, as `bulk_create` does."""
    if not instances:
        return instances
    model = type(instances[0])
    rows = _Rows(instances, [field for field in model._meta.concrete_fields if not field.primary_key])
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(_insert(model, *rows.pattern), rows.values)
        for each, (key,) in zip(instances, cursor.fetchall(), strict=True):
            each.pk, each._state.adding, each._state.db = key, False, DEFAULT_DB_ALIAS
    return instances


class _Rows:
    """Rows to write. A column with the same value in all rows needs only one parameter.

    Statements with few parameters are prepared faster, because psycopg caches statements with up to 50 parameters.
    """

    def __init__(self, instances: Sequence[Model], fields: Sequence[Any]) -> None:
        database = connections[DEFAULT_DB_ALIAS]
        columns = [[getattr(each, field.attname) for each in instances] for field in fields]
        # The first column is always treated as varying, so that the statement has at least one parameter per row.
        # `repr` distinguishes 1 from True, just as JSON does.
        same = [False, *(all(repr(value) == repr(column[0]) for value in column) for column in columns[1:])]
        varying = [(field, column) for field, column, shared in zip(fields, columns, same, strict=True) if not shared]
        self.values = [
            field.get_db_prep_save(column[row], database) for row in range(len(instances)) for field, column in varying
        ]
        self.values += [
            field.get_db_prep_save(column[0], database)
            for field, column, shared in zip(fields, columns, same, strict=True)
            if shared
        ]
        constant = tuple(field for field, shared in zip(fields, same, strict=True) if shared)
        self.pattern = tuple(field for field, _ in varying), constant, len(instances), database.vendor


@cache
def _update_one(model: type[Model], names: tuple[str, ...]) -> tuple[str, list[Any]]:
    fields = _fields(model, names)
    changes = ", ".join(f'"{field.column}" = %s' for field in fields)
    return f'UPDATE {model._meta.db_table} SET {changes} WHERE "id" = %s', fields


@cache
def _update_many(
    model: type[Model], varying: tuple[Any, ...], constant: tuple[Any, ...], count: int, vendor: str
) -> str:
    changes = [f'"{field.column}" = v."{field.column}"' for field in varying if not field.primary_key]
    changes += [f'"{field.column}" = %s' for field in constant]
    table = model._meta.db_table
    values = _values(varying, count, vendor)
    return f'{values} UPDATE {table} SET {", ".join(changes)} FROM v WHERE {table}."id" = v."id"'


@cache
def _insert(model: type[Model], varying: tuple[Any, ...], constant: tuple[Any, ...], count: int, vendor: str) -> str:
    columns = ", ".join(f'"{field.column}"' for field in (*varying, *constant))
    chosen = ", ".join([*(f'v."{field.column}"' for field in varying), *(_typed(each, vendor) for each in constant)])
    values = _values(varying, count, vendor)
    return f'{values} INSERT INTO {model._meta.db_table} ({columns}) SELECT {chosen} FROM v RETURNING "id"'


def _values(fields: tuple[Any, ...], count: int, vendor: str) -> str:
    """Return the SQL for a table `v` that contains the rows. PostgreSQL infers the column types from the first row."""
    first, rest = ", ".join(_typed(field, vendor) for field in fields), ", ".join(["%s"] * len(fields))
    rows = ", ".join(f"({row})" for row in [first, *[rest] * (count - 1)])
    columns = ", ".join(f'"{field.column}"' for field in fields)
    return f"WITH v({columns}) AS (VALUES {rows})"


def _typed(field: Any, vendor: str) -> str:
    return f"%s::{field.cast_db_type(connections[DEFAULT_DB_ALIAS])}" if vendor == "postgresql" else "%s"


def _fields(model: type[Model], names: Sequence[str]) -> list[Any]:
    return [model._meta.get_field(name) for name in names]
