"""Reads whose memory does not depend on the size of the study: single parts of a report's result, and answers in
batches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any

from django.db import connection
from django.db.models import F, Q, QuerySet
from django.db.models.expressions import Combinable
from django.db.models.fields.json import KeyTransform

from annotate.models import Answer, Assignment, Report, Study


class StoredResult(Mapping[str, Any]):
    """The object at `path` in a report's result. Each part of the object is read from the database only when it is
    used.
    """

    def __init__(self, report: Report, path: tuple[str, ...] = ()) -> None:
        self._report, self._path = report, path
        self._kinds: dict[str, str] | None = None
        self._parts: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._parts:
            if self._all_kinds()[name] == "object":
                self._parts[name] = StoredResult(self._report, (*self._path, name))
            else:
                self._parts[name] = self._row().values_list(self._at(name), flat=True).get()
        return self._parts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all_kinds())

    def __len__(self) -> int:
        return len(self._all_kinds())

    def _all_kinds(self) -> dict[str, str]:
        """Return the JSON type of each part, by name."""
        if self._kinds is None:
            with connection.cursor() as cursor:
                cursor.execute(_KINDS[connection.vendor], [_path(self._path), self._report.pk])
                self._kinds = dict(cursor.fetchall())
        return self._kinds

    def _at(self, name: str) -> Combinable:
        return reduce(lambda part, key: KeyTransform(key, part), (*self._path, name), F("result"))  # type: ignore[arg-type,return-value]

    def _row(self) -> QuerySet[Report]:
        return Report.objects.filter(pk=self._report.pk)


_KINDS = {
    "postgresql": "SELECT part.key, json_typeof(part.value) FROM annotate_report, "
    "json_each(result #> %s::text[]) part WHERE annotate_report.id = %s",
    "sqlite": "SELECT part.key, part.type FROM annotate_report, json_each(result, %s) part "
    "WHERE annotate_report.id = %s",
}


def _path(names: tuple[str, ...]) -> Any:
    if connection.vendor == "postgresql":
        return list(names)
    return "$" + "".join(f'."{name}"' for name in names)


def given_answers(study: Study, *, programs: bool = False) -> QuerySet[Answer]:
    """Return the answers and skipped questions of people or of programs, without try-outs and withdrawn answers."""
    return (
        Answer.objects.filter(
            Q(given_at__isnull=False) | Q(skipped_at__isnull=False),
            assignment__study=study,
            participation__excludes_answers=False,
            participation__annotator__is_program=programs,
        )
        .exclude(assignment__kind=Assignment.Kind.TRY)
        .select_related("question", "participation", "assignment")
        .defer("draft", "trace", "later", "tally", "question__payload", "question__gold", "question__explanation")
        .order_by("pk")
    )
