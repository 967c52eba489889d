"""Reports for the console. Queries for a list of reports read only the displayed columns, never complete results."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Length

from annotate.models import Report, Study
from annotate.tasktypes import PROGRESS, RESULTS, Headline

SIMULATED = "simulated_annotators"  # the parameter of a report with the number of its simulated annotators


@dataclass(frozen=True)
class Snapshot:
    """The headline of one report."""

    kind: str
    number: int
    created_at: datetime
    judgements: int
    headline: Headline


def snapshots(study: Study) -> list[Snapshot]:
    """Return the headlines of all results reports and progress reports, oldest first, in one query."""
    rows = (
        study.reports.filter(kind__in=[RESULTS, PROGRESS])
        .order_by("created_at", "pk")
        .values("kind", "number", "created_at", "judgements", "headline")
    )
    return [
        Snapshot(
            row["kind"],
            row["number"],
            row["created_at"],
            row["judgements"] or 0,
            Headline.from_json(row["headline"]),
        )
        for row in rows
        if row["headline"]
    ]


@dataclass(frozen=True)
class People:
    """Annotators' figures by pseudonym, taken from results report `number`. The figures are empty if the study has no
    results report.
    """

    number: int | None
    at: datetime | None
    judgements: int
    figures: dict[str, dict[str, Any]]


def people(study: Study) -> People:
    """Return the annotators' figures from the latest results report."""
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


def headlines(study: Study, most: int) -> list[tuple[Report, str]]:
    """Return the newest results reports, each with its main figure as text."""
    rows = results_reports(study).exclude(headline=None)[:most]
    return [(report, Headline.from_json(report.headline).text) for report in rows if report.headline]
