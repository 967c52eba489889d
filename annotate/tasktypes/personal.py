"""Declarations of the text and JSON columns of tables: which contain personal data of annotators, what happens to them
when personal data is removed, and under which names annotators download them.

`annotate.people.personal` declares the tables of `annotate`. An application with tables of its own declares them when
Django starts:

    declare(Table(PhraseVerdict, {"verdict": impersonal("about a phrase")}))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.db.models import Model, Q, QuerySet

Rows = QuerySet[Any]
KEPT, EMPTIED, DELETED, IMPERSONAL = "kept", "emptied", "deleted", "impersonal"


@dataclass(frozen=True)
class Column:
    """The effect of a removal on a column: no change, an empty value, or deletion of the row. `download` is its name in
    the download. `reason` states why the column is not in the download, or why it is not personal.
    """

    removal: str
    download: str = ""
    reason: str = ""


kept, emptied, deleted = (partial(Column, removal) for removal in (KEPT, EMPTIED, DELETED))


def impersonal(reason: str) -> Column:
    """Return the declaration of columns without personal data."""
    return Column(IMPERSONAL, reason=reason)


@dataclass(frozen=True)
class Table:
    """The declared columns of a model. A key can name several columns, separated by spaces.

    `of` is the lookup that leads from a row to its annotator, or a function that finds the rows of some annotators.
    `named` finds the rows to remove if there are others, such as rows that only contain an ID of the annotator. `study`
    is the lookup of the study. Only rows that match `only` are deleted. Raises ValueError if removing the data of one
    annotator would find no rows.
    """

    model: type[Model]
    columns: Mapping[str, Column]
    of: str | Callable[[Rows], Rows] = ""
    named: Callable[[Rows], Rows] | None = None
    study: str = "study"
    only: Q = field(default_factory=Q)

    def __post_init__(self) -> None:
        if self.removes and not (self.of or self.named):
            raise ValueError(f"{self.model.__name__} has personal data, so declare `of` or `named`")

    @property
    def by_name(self) -> dict[str, Column]:
        """The columns by name."""
        return {name: column for names, column in self.columns.items() for name in names.split()}

    @property
    def rows(self) -> Rows:
        return self.model._default_manager.all()

    @property
    def removes(self) -> bool:
        """Whether removing personal data changes the table."""
        return any(column.removal in (DELETED, EMPTIED) for column in self.columns.values())

    def rows_of(self, annotators: Rows) -> Rows:
        """Return the rows that the download of these annotators contains."""
        if callable(self.of):
            return self.of(annotators)
        return self.rows.filter(**{f"{self.of}__in": annotators}) if self.of else self.rows.none()

    def rows_naming(self, annotators: Rows) -> Rows:
        """Return the rows that change when these annotators' personal data is removed."""
        return self.named(annotators) if self.named else self.rows_of(annotators)

    def remove_from(self, rows: Rows) -> None:
        """Delete rows or empty columns, as declared."""
        if self._having(DELETED):
            rows.filter(self.only).delete()
        if names := self._having(EMPTIED):  # rows without such data are not written again
            self.unremoved(rows).update(**{name: self._empty(name) for name in names})

    def unremoved(self, rows: Rows) -> Rows:
        """Return the rows that still contain what `remove_from` removes."""
        left = Q(pk__in=[])
        if self._having(DELETED):
            left |= self.only or Q(pk__isnull=False)
        for name in self._having(EMPTIED):
            left |= ~self._is_empty(name)
        return rows.filter(left)

    def section(self, annotators: Rows, name: str) -> list[dict[str, Any]]:
        """Return the columns of one section of the download, for each row of these annotators."""
        inside = {
            column: each.download for column, each in self.by_name.items() if each.download.startswith(f"{name}.")
        }
        names = [download.removeprefix(f"{name}.") for download in inside.values()]
        rows = self.rows_of(annotators).order_by("pk").values_list(*inside)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def _having(self, removal: str) -> list[str]:
        return [name for name, column in self.by_name.items() if column.removal == removal]

    def _empty(self, name: str) -> Any:
        return self.model._meta.get_field(name).get_default()  # type: ignore[union-attr]

    def _is_empty(self, name: str) -> Q:
        empty = self._empty(name)
        return Q(**{f"{name}__isnull": True}) if empty is None else Q(**{name: empty})


_declared: dict[str, Table] = {}


def declare(*tables: Table) -> None:
    """Declare the tables of an application. A later declaration of the same model replaces the earlier one."""
    _declared.update({table.model._meta.label: table for table in tables})


def declared() -> list[Table]:
    """Return the tables that applications have declared."""
    return list(_declared.values())
