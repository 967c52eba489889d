"""The audit log of a study, as the console shows it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from annotate.models import Event, Study


@dataclass(frozen=True)
class Line:
    """One log entry: `who` carried out the action `verb`, which may concern the person `whom`. Each detail has a name,
    a value and, if a setting was changed, a new value.
    """

    at: datetime
    who: str
    verb: str
    whom: str
    reason: str
    details: list[tuple[str, str, str | None]]


def events_of(study: Study, *, verb: str = "", who: str = "") -> QuerySet[Event]:
    """Return log entries, newest first. `who` matches parts of researchers' names, addresses and pseudonyms."""
    events = study.events.select_related("user", "participation").order_by("-at", "-pk")
    if verb:
        events = events.filter(verb=verb)
    if who:
        events = events.filter(
            Q(user__email__icontains=who) | Q(user__name__icontains=who) | Q(participation__pseudonym__icontains=who)
        )
    return events


def verbs_of(study: Study) -> list[str]:
    return list(study.events.order_by("verb").values_list("verb", flat=True).distinct())


def line(event: Event) -> Line:
    pseudonym = event.participation.pseudonym if event.participation else ""
    return Line(
        at=event.at,
        who=str(event.user) if event.user else pseudonym or "Accord",
        verb=event.verb,
        whom=pseudonym if event.user else "",
        reason=event.reason,
        details=[_detail(name, value) for name, value in event.detail.items() if value not in (None, "")],
    )


def _detail(name: str, value: Any) -> tuple[str, str, str | None]:
    """Return a detail of a log entry for display. A changed value is stored as [old value, new value]."""
    label = name.removeprefix("options.").replace("_", " ")
    if isinstance(value, list) and len(value) == 2:
        return label, str(value[0]), str(value[1])
    return label, str(value), None
