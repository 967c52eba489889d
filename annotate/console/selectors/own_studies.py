"""A researcher's list of studies, with each study's progress, spending, main figure and next step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Count, F, JSONField, OuterRef, Q, QuerySet, Subquery, Sum

from annotate import tasktypes
from annotate.core.selectors.counts import CENTS, Totals, totals_by_study
from annotate.core.selectors.studies import studies_of
from annotate.models import Assignment, PayEntry, Report, Study, Upload, User
from annotate.tasktypes import PROGRESS, RESULTS, Headline

from .todo_counts import Counted, stored_counts


@dataclass(frozen=True)
class StudyRow:
    """One study in the list of studies. `filled` is the number of slots taken, and `spent` is the sum of credited
    rewards and bonuses. `headline` is the main figure of the latest report. `step` is the next step of a draft as a
    (text, page) pair. `todo` is the length of the to-do list, counted at `todo_at` if the time is known.
    """

    study: Study
    role: str
    task: str
    items: int
    slots: int
    filled: int
    spent: Decimal
    headline: Headline | None
    step: tuple[str, str] | None
    todo: int
    todo_at: datetime | None

    @property
    def share(self) -> float:
        """Return the percentage of slots that are filled."""
        return round(100 * self.filled / self.slots, 1) if self.slots else 0.0


SORTS = {
    "title": lambda row: row.study.title.casefold(),
    "share": lambda row: row.share,
    "spent": lambda row: row.spent,
    "todo": lambda row: row.todo,
}


def matching_studies(studies: QuerySet[Study], *, state: str = "", search: str = "") -> QuerySet[Study]:
    """Return the studies in this state, or in any state, whose title or task type contains `search`."""
    if state:
        studies = studies.filter(state=state)
    term = search.strip()
    if not term:
        return studies
    tasks = [task.slug for task in tasktypes.installed() if term.lower() in task.name.lower()]
    return studies.filter(Q(title__icontains=term) | Q(task_type__in=tasks))


def numbers_by_state(user: User) -> dict[str, int]:
    """Return the number of the user's studies in each state, in one query. States without studies are omitted."""
    return _counts(studies_of(user).order_by().values_list("state").annotate(Count("pk")))


def rows_of(user: User, *, state: str = "", search: str = "", sort: str = "") -> list[StudyRow]:
    """Return a row for each of the user's matching studies, newest first. The number of queries does not depend on the
    number of studies.

    `sort` is a name in `SORTS`, with a leading minus for descending order.
    """
    reports = Report.objects.filter(study=OuterRef("pk"), kind__in=[RESULTS, PROGRESS], headline__isnull=False)
    latest = reports.order_by("-created_at", "-pk").values("headline")[:1]
    studies = list(
        matching_studies(studies_of(user), state=state, search=search).annotate(
            own_role=F("memberships__role"),
            latest_headline=Subquery(latest, output_field=JSONField()),
        )
    )
    rows = _rows(studies)
    key = SORTS.get(sort.removeprefix("-"))
    return sorted(rows, key=key, reverse=sort.startswith("-")) if key else rows


def _rows(studies: Sequence[Any]) -> list[StudyRow]:
    """Return the rows for these studies, which must have the annotations that `rows_of` adds. Needs four queries."""
    ids = [study.pk for study in studies]
    items = _counts(
        Upload.objects.imported()
        .filter(study__in=ids, purpose=Upload.Purpose.ITEMS)
        .order_by()
        .values_list("study")
        .annotate(Sum("rows"))
    )
    counted = totals_by_study(ids)
    leased = _counts(
        Assignment.objects.filter(study__in=ids, kind=Assignment.Kind.REGULAR, state=Assignment.State.LEASED)
        .order_by()
        .values_list("study")
        .annotate(Count("pk"))
    )
    bonuses: dict[int, Decimal] = dict(
        PayEntry.objects.filter(study__in=ids, kind=PayEntry.Kind.BONUS)
        .order_by()
        .values_list("study")
        .annotate(Sum("amount"))
    )
    counts = stored_counts(studies)
    todo = {study.pk: counts.get(study.pk) or Counted(study.todo_count, None, None) for study in studies}
    return [
        StudyRow(
            study=study,
            role=study.own_role,
            task=tasktypes.get(study.task_type).name,
            items=items.get(study.pk, 0),
            slots=study.assignments_planned,
            filled=counted.get(study.pk, Totals()).hits + leased.get(study.pk, 0),
            spent=(counted.get(study.pk, Totals()).credit + bonuses.get(study.pk, Decimal(0))).quantize(CENTS),
            headline=Headline.from_json(study.latest_headline) if study.latest_headline else None,
            step=_step(study, items.get(study.pk, 0)),
            todo=todo[study.pk].entries,
            todo_at=todo[study.pk].at,
        )
        for study in studies
    ]


def _step(study: Study, items: int) -> tuple[str, str] | None:
    """Return the next step of a draft as a (text, page) pair, or None if the study has been opened."""
    if not study.is_draft:
        return None
    return ("Set up", "") if items else ("Add data", "items/")


def _counts(rows: Iterable[tuple[Any, ...]]) -> dict[Any, int]:
    return dict(rows)
