"""Queries that PostgreSQL cannot run on JSON columns, refused in tests on SQLite as well.

The type `json` (see annotate/server/postgres/operations.py) has no equality and no order. SQLite compares JSON as text,
so a test on SQLite would not notice such a query. Cast the column to text to group, sort or compare by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import pytest
from django.db.models import JSONField
from django.db.models.sql import Query
from django.db.models.sql.compiler import SQLCompiler

UNSUPPORTED = set("contains contained_by has_key has_keys has_any_keys in range gt gte lt lte".split())


class JsonComparedError(AssertionError):
    """A query that PostgreSQL would refuse."""


@contextmanager
def comparisons_of_json_refused() -> Iterator[None]:
    """Raise JsonComparedError for each query that groups, sorts, compares or removes repetitions by a JSON column."""
    with pytest.MonkeyPatch.context() as patch:
        _check(patch, SQLCompiler, "get_group_by", _check_aggregates)
        _check(patch, SQLCompiler, "collapse_group_by", _check_groups)
        _check(patch, SQLCompiler, "get_order_by", lambda compiler, order: _refuse(term for term, _ in order))
        _check(patch, SQLCompiler, "get_distinct", _check_distinct)
        _check(patch, SQLCompiler, "get_combinator_sql", _check_combinator)
        _check(patch, Query, "build_lookup", _check_lookup)
        yield


def _check(patch: pytest.MonkeyPatch, owner: type, name: str, check: Callable[[Any, Any], None]) -> None:
    """Call `check` with the object and the result each time that this method has returned."""
    original = getattr(owner, name)

    @wraps(original)
    def checked(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(self, *args, **kwargs)
        check(self, result)
        return result

    patch.setattr(owner, name, checked)


def _check_groups(compiler: SQLCompiler, groups: list[Any]) -> None:
    """Refuse JSON in GROUP BY. PostgreSQL needs only the key of a table, and no other column of the same table."""
    tables = {group.alias for group in groups if hasattr(group, "target") and group.target.primary_key}
    _refuse(group for group in groups if getattr(group, "alias", None) not in tables)


def _check_aggregates(compiler: SQLCompiler, groups: object) -> None:
    for expression in compiler.query.annotation_select.values():
        for part in expression.flatten():
            if getattr(part, "name", "") in ("Max", "Min") or getattr(part, "distinct", False):
                _refuse(part.get_source_expressions())


def _check_distinct(compiler: SQLCompiler, fields: object) -> None:
    if compiler.query.distinct and not compiler.query.distinct_fields:
        _refuse(column for column, _, _ in compiler.select)


def _check_combinator(compiler: SQLCompiler, sql: object) -> None:
    if not compiler.query.combinator_all:
        _refuse(column for column, _, _ in compiler.select)


def _check_lookup(query: Query, lookup: Any) -> None:
    if lookup.lookup_name in UNSUPPORTED or (lookup.lookup_name == "exact" and hasattr(lookup.rhs, "as_sql")):
        _refuse([lookup.lhs])


def _refuse(expressions: Iterable[Any]) -> None:
    for expression in expressions:
        value = getattr(expression, "expression", expression)  # the value that OrderBy sorts
        if isinstance(getattr(value, "_output_field_or_none", None), JSONField):
            raise JsonComparedError(f"PostgreSQL cannot compare JSON: {value}")
