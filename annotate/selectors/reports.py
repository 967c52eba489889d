"""Reports as the console reads them: what is needed of a result, never the whole of every one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet
from django.db.models.functions import Length

from annotate.models import Report, Study

RESULTS, PROGRESS = "results", "progress"


@dataclass(frozen=True)
class Snapshot:
    """Split-half reliability as a report found it. `low` and `high` are the bracket, whole tuples and within.

    `needed_…` is the forecast of how many judgements in all would reach the target, from each way of splitting.
    """

    kind: str
    number: int
    at: datetime
    judgements: int
    within: float | None
    whole: float | None
    sd: float | None
    splits: int
    target: float | None
    needed_within: int | None
    needed_whole: int | None

    @property
    def low(self) -> float | None:
        return min(self._ends, default=None)

    @property
    def high(self) -> float | None:
        return max(self._ends, default=None)

    @property
    def _ends(self) -> list[float]:
        return [end for end in (self.within, self.whole) if end is not None]


def snapshots(study: Study) -> list[Snapshot]:
    """Reliability in all reports on results and progress, oldest first, in one query without their tables."""
    rows = (
        study.reports.filter(kind__in=[RESULTS, PROGRESS])
        .order_by("created_at", "pk")
        .values("kind", "number", "created_at", "result__judgements", "result__reliability")
    )
    return [_snapshot(row) for row in rows]


def _snapshot(row: Mapping[str, Any]) -> Snapshot:
    found = row["result__reliability"] or {}
    within, whole, forecast = found.get("within") or {}, found.get("whole") or {}, found.get("forecast") or {}
    spearman = within.get("spearman") or {}
    return Snapshot(
        kind=row["kind"],
        number=row["number"],
        at=row["created_at"],
        judgements=row["result__judgements"] or 0,
        within=spearman.get("mean"),
        whole=(whole.get("spearman") or {}).get("mean"),
        sd=spearman.get("sd"),
        splits=within.get("splits") or 0,
        target=forecast.get("target"),
        needed_within=forecast.get("within"),
        needed_whole=forecast.get("whole"),
    )


@dataclass(frozen=True)
class People:
    """Figures of annotators by pseudonym, as the results report `number` found them; empty when there is none."""

    number: int | None
    at: datetime | None
    judgements: int
    figures: dict[str, dict[str, Any]]


def people(study: Study) -> People:
    """What the latest results report says of each annotator."""
    row = (
        study.reports.filter(kind=RESULTS)
        .order_by("-number")
        .values("number", "created_at", "result__judgements", "result__people")
        .first()
    )
    if row is None:
        return People(None, None, 0, {})
    figures = {person["pseudonym"]: person for person in row["result__people"] or []}
    return People(row["number"], row["created_at"], row["result__judgements"] or 0, figures)


def results_reports(study: Study) -> QuerySet[Report]:
    """Results reports, newest first, without their input and tables."""
    return (
        study.reports.filter(kind=RESULTS)
        .order_by("-number")
        .select_related("created_by")
        .defer("input", "result")
        .annotate(judgements=F("result__judgements"), reliability=F("result__reliability"), input_size=Length("input"))
    )
