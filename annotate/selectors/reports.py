"""Reports for the console. A list of reports reads only the columns that it shows, never complete results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Length

from annotate.models import Report, Study

RESULTS, PROGRESS = "results", "progress"


@dataclass(frozen=True)
class End:
    """One figure of a headline. With two figures, the true value lies between them. `value` is None if undefined."""

    name: str
    label: str
    value: float | None


@dataclass(frozen=True)
class Headline:
    """The main figure of a report, in the words of its task type.

    `needed` is the range of the forecast number of judgements that reach `target`, counted in `unit`.
    """

    name: str
    ends: tuple[End, ...]
    target: float | None
    needed: tuple[int, int] | None
    unit: str
    doubt: str
    caption: str

    @property
    def low(self) -> float | None:
        return min(self._defined, default=None)

    @property
    def high(self) -> float | None:
        return max(self._defined, default=None)

    @property
    def _defined(self) -> list[float]:
        return [end.value for end in self.ends if end.value is not None]


@dataclass(frozen=True)
class Snapshot:
    """The headline of one report."""

    kind: str
    number: int
    at: datetime
    judgements: int
    headline: Headline


def snapshots(study: Study) -> list[Snapshot]:
    """Return the headlines of all results and progress reports, oldest first, in one query."""
    rows = (
        study.reports.filter(kind__in=[RESULTS, PROGRESS])
        .order_by("created_at", "pk")
        .values("kind", "number", "created_at", "judgements", "headline")
    )
    return [
        Snapshot(
            row["kind"], row["number"], row["created_at"], row["judgements"] or 0,
            headline_of(row["headline"]),
        )
        for row in rows
        if row["headline"]
    ]  # fmt: skip


def headline_of(written: Mapping[str, Any]) -> Headline:
    """Return the `headline` that a task type wrote into a report's result."""
    needed = written.get("needed")
    return Headline(
        name=written["name"],
        ends=tuple(End(end["name"], end["label"], end["value"]) for end in written["ends"]),
        target=written.get("target"),
        needed=(needed[0], needed[1]) if needed else None,
        unit=written.get("unit", "judgements"),
        doubt=written.get("doubt", ""),
        caption=written.get("caption", ""),
    )


@dataclass(frozen=True)
class People:
    """Figures of annotators by pseudonym, from the results report `number`. Empty without such a report."""

    number: int | None
    at: datetime | None
    judgements: int
    figures: dict[str, dict[str, Any]]


def people(study: Study) -> People:
    """Return the figures of annotators from the latest results report."""
    row = (
        study.reports.filter(kind=RESULTS)
        .order_by("-number")
        .values("number", "created_at", "judgements", "people")
        .first()
    )
    if row is None:
        return People(None, None, 0, {})
    figures = {person["pseudonym"]: person for person in row["people"] or []}
    return People(row["number"], row["created_at"], row["judgements"] or 0, figures)


def results_reports(study: Study) -> QuerySet[Report]:
    """Return results reports, newest first, without their large columns."""
    return (
        study.reports.filter(kind=RESULTS)
        .order_by("-number")
        .select_related("created_by")
        .defer("input", "result", "people")
        .annotate(input_size=Length("input"))
    )
