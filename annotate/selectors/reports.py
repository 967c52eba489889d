"""Reports as the console reads them: what is needed of a result, never the whole of every one."""

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
    """One of the one or two figures between which the truth lies; None where it is undefined."""

    name: str
    label: str
    value: float | None


@dataclass(frozen=True)
class Headline:
    """The figure that a report leads with, in the words of its task type.

    `needed` brackets the forecast of how many judgements in all reach `target`; `unit` says what further ones are.
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
        return min(self._known, default=None)

    @property
    def high(self) -> float | None:
        return max(self._known, default=None)

    @property
    def _known(self) -> list[float]:
        return [end.value for end in self.ends if end.value is not None]


@dataclass(frozen=True)
class Snapshot:
    """The headline as a report found it."""

    kind: str
    number: int
    at: datetime
    judgements: int
    headline: Headline


def snapshots(study: Study) -> list[Snapshot]:
    """The headlines of all reports on results and progress that have one, oldest first, in one query."""
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
    """The `headline` that a task type wrote into a report's result."""
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
        .values("number", "created_at", "judgements", "people")
        .first()
    )
    if row is None:
        return People(None, None, 0, {})
    figures = {person["pseudonym"]: person for person in row["people"] or []}
    return People(row["number"], row["created_at"], row["judgements"] or 0, figures)


def results_reports(study: Study) -> QuerySet[Report]:
    """Results reports, newest first, without their input and tables."""
    return (
        study.reports.filter(kind=RESULTS)
        .order_by("-number")
        .select_related("created_by")
        .defer("input", "result", "people")
        .annotate(input_size=Length("input"))
    )
