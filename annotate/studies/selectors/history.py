"""A study's audit log, as shown in the console."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Q, QuerySet

from annotate.models import Event, Question, Study
from annotate.questions.selectors.questions import in_words

DECISIONS = frozenset({"value", "before"})  # details with one stored answer, if the log entry names a question
ANSWERS = DECISIONS | {"gold"}
EARLIER = "earlier"  # the earlier decision, from which `undo` restores it; `before` shows its value


@dataclass(frozen=True)
class Line:
    """One log entry, which states that `who` carried out the action `verb`, possibly on the person `whom`. Each detail
    has a name, a value and, if a setting was changed, a new value.
    """

    at: datetime
    who: str
    verb: str
    whom: str
    reason: str
    details: list[tuple[str, str, str | None]]


def events_of(study: Study, *, verb: str = "", who: str = "") -> QuerySet[Event]:
    """Return the log entries, newest first. `who` is matched against researchers' names, addresses and pseudonyms,
    including parts of them.
    """
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


def lines_of(study: Study, events: Sequence[Event]) -> list[Line]:
    """Return the lines for these log entries of the study. The function needs one query for the questions of all
    entries.
    """
    refs = {event.detail["question"] for event in events if "question" in event.detail}
    questions = {question.ref: question for question in study.questions.filter(ref__in=refs)} if refs else {}
    return [_line(study, event, questions.get(event.detail.get("question"))) for event in events]


def _line(study: Study, event: Event, question: Question | None) -> Line:
    pseudonym = event.participation.pseudonym if event.participation else ""
    return Line(
        at=event.at,
        who=str(event.user) if event.user else pseudonym or "Accord",
        verb=event.verb,
        whom=pseudonym if event.user else "",
        reason=event.reason,
        details=[
            _detail(name, value, partial(_printed, study, question if name in ANSWERS else None))
            for name, value in event.detail.items()
            if value not in (None, "") and name != EARLIER
        ],
    )


def _detail(name: str, value: Any, printed: Callable[[Any], str]) -> tuple[str, str, str | None]:
    """Return a detail of a log entry for display. A changed value is stored as [old value, new value]."""
    label = name.removeprefix("options.").replace("_", " ")
    if isinstance(value, list) and len(value) == 2 and name not in DECISIONS:
        return label, printed(value[0]), printed(value[1])
    return label, printed(value), None


def _printed(study: Study, question: Question | None, value: Any) -> str:
    """Return a value for display. If `question` is not None, the value is a stored answer to that question, and the
    task type describes the answer in words.
    """
    if question is not None and value is not None:
        return in_words(study, question, value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
