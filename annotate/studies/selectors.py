"""Data for a study's pages: its audit log, guideline versions and target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from functools import partial
from itertools import takewhile
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Least

from accord_core.numerics.planning import MOST_PER_QUESTION
from accord_core.numerics.printed import count, money
from accord_core.numerics.still_needed import Attained, StillNeeded, still_needed, value_at
from annotate import tasktypes
from annotate.core.selectors.progress import excluded_pilot, judgements_counted, judgements_wanted
from annotate.models import Answer, Event, Guidelines, Question, Slot, Study
from annotate.questions.selectors.questions import in_words
from annotate.results.selectors.reports import Snapshot, snapshots
from annotate.tasktypes import TargetFigure
from annotate.templatetags.question_names import name_in
from annotate.web.text_changes import Change, line_changes


@dataclass(frozen=True)
class Part:
    """The changed lines in the instructions or the worked examples."""

    title: str
    lines: list[Change]


def versions_of(study: Study) -> list[Guidelines]:
    """Return the stored versions, newest first, without their texts."""
    return list(study.guidelines.defer("instructions", "examples").order_by("-version"))


def changes_in(version: Guidelines) -> list[Part]:
    """Return the changes since the previous version. All lines in the first version count as new."""
    before = Guidelines.objects.filter(study=version.study_id, version=version.version - 1).first()
    parts = [
        Part("Instructions", line_changes(before.instructions if before else "", version.instructions)),
        Part("Worked examples", line_changes(before.examples if before else "", version.examples)),
    ]
    return [part for part in parts if part.lines]


DECISIONS = frozenset({"value", "before"})  # details with one stored answer, if the log entry names a question
ANSWERS = DECISIONS | {"gold"}
LONGEST_SHOWN = 120  # characters of a changed value on the page
KEPT_BEFORE_CHANGE = 40  # characters that are the same in both values
EARLIER = "earlier"  # the earlier decision, from which `undo` restores it; `before` shows its value


@dataclass(frozen=True)
class Line:
    """One log entry: `who` carried out the action `verb`, possibly affecting the person `whom`. Each detail has a name,
    a value and, if a setting was changed, a new value.
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
    without_text = event.verb == "consented" and event.detail.get("version") is None
    return Line(
        at=event.at,
        who=str(event.user) if event.user else pseudonym or "Accord",
        verb="started" if without_text else event.verb,
        whom=pseudonym if event.user else "",
        reason=event.reason,
        details=[
            ("question", name_in(question, study), None)
            if question and name == "question"
            else _detail(name, value, partial(_printed, study, question if name in ANSWERS else None))
            for name, value in event.detail.items()
            if value not in (None, "") and name != EARLIER
        ],
    )


def _detail(name: str, value: Any, printed: Callable[[Any], str]) -> tuple[str, str, str | None]:
    """Return a detail of a log entry for display. A changed value is stored as [old value, new value]."""
    label = name.removeprefix("options.").replace("_", " ")
    if isinstance(value, list) and len(value) == 2 and name not in DECISIONS:
        return label, *_near_change(printed(value[0]), printed(value[1]))
    return label, printed(value), None


def _near_change(before: str, after: str) -> tuple[str, str]:
    """Shorten long values to begin just before their first difference, because the page cuts off their ends."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
    start = same - KEPT_BEFORE_CHANGE
    if start <= 0 or max(len(before), len(after)) <= LONGEST_SHOWN:
        return before, after
    return f"…{before[start:]}", f"…{after[start:]}"


def _printed(study: Study, question: Question | None, value: Any) -> str:
    """Return a value for display. If `question` is not None, the value is a stored answer to that question, and the
    task type describes the answer in words.
    """
    if question is not None and value is not None:
        return in_words(study, question, value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name.replace('_', ' ')} {_printed(study, None, each)}" for name, each in value.items())
    return "none" if value is None else str(value)


EARLY = 0.9  # share of the smallest number of judgements from which the number of further judgements is predicted


@dataclass(frozen=True)
class Target:
    """The target of a study, and the figure of the latest report that contains it.

    `counted` is the number of judgements in the scores, and `judgements` the number in the `report`. `missing` is the
    number of judgements below the minimum per question, or None before the first check. `planned` is the number of
    judgements that the study still plans, `at_end` the figure that they would give, and `most` the figure with 50
    judgements per question. `attained` is None before the first report with the figure, and the fields after it are
    None as long as the questions have fewer than `figure.fewest` judgements. `is_undefined` is true if the study has
    reports, but none of them contains the figure.
    """

    figure: TargetFigure
    value: float
    minimum: int
    pauses: bool
    paused_at: datetime | None
    counted: int
    missing: int | None
    planned: int
    report: str = ""
    judgements: int = 0
    attained: Attained | None = None
    needed: StillNeeded | None = None
    at_end: float | None = None
    most: float | None = None
    is_undefined: bool = False

    @property
    def reached(self) -> bool:
        """Whether the figure has reached the target and each question has the minimum number of judgements."""
        return self.needed is not None and self.needed.reached and self.missing == 0

    @property
    def outdated(self) -> bool:
        """Whether answers have been excluded since the report, so that the figure may be too favourable."""
        return self.counted < self.judgements

    @property
    def is_out_of_reach(self) -> bool:
        """Whether even 50 judgements per question would not reach the target."""
        return self.most is not None and not self.figure.reaches(self.most, self.value)

    @property
    def falls_short(self) -> bool:
        """Whether the target would not be reached even after all planned judgements."""
        return self.at_end is not None and not self.figure.reaches(self.at_end, self.value)


@dataclass(frozen=True)
class Savings:
    """The judgements and rewards of the slots that nobody has claimed."""

    judgements: int
    rewards: Decimal


def target_of(study: Study, reports: list[Snapshot] | None = None, counted: int | None = None) -> Target | None:
    """Return the target of a study, or None if the study has no target.

    The figure comes from the latest of `reports` that contains it, and `counted` is the number of judgements in the
    scores. Both are read if they are omitted.
    """
    figures = {figure.name: figure for figure in tasktypes.get(study.task_type).reports.targets}
    figure = figures.get(study.target_figure)
    if figure is None or study.target_value is None:
        return None
    value = float(study.target_value)
    counted = judgements_counted(study, in_scores=True) if counted is None else counted
    target = Target(
        figure=figure,
        value=value,
        minimum=study.target_minimum,
        pauses=study.target_pauses,
        paused_at=study.target_paused_at,
        counted=counted,
        missing=study.target_missing,
        planned=max(0, judgements_wanted(study) - counted - excluded_pilot(study)),
    )
    reports = snapshots(study) if reports is None else reports
    latest = _latest(reports, figure.name)
    if latest is None:
        return replace(target, is_undefined=any(report.judgements for report in reports))
    report, attained = latest
    target = replace(target, report=f"{report.kind} {report.number}", judgements=report.judgements, attained=attained)
    questions = _questions(study).count()
    if attained.size < EARLY * figure.fewest * questions and figure.fewest > 1:
        return target
    # Only the second and later judgements of a question make an interval narrower.
    first = max(0, questions - (report.judgements - attained.size)) if figure.kind == "width" else 0
    since = counted - report.judgements
    return replace(
        target,
        needed=_remaining(still_needed(attained, value), since - first),
        at_end=value_at(attained, max(attained.size, attained.size + since + target.planned - first)),
        most=value_at(attained, max(attained.size, (MOST_PER_QUESTION - (figure.kind == "width")) * questions)),
    )


def judgements_missing(study: Study) -> int:
    """Return the number of judgements missing until each question of the design has the minimum number."""
    questions = _questions(study)
    by_question = Answer.objects.counting().filter(question__in=questions).values("question")
    counted = by_question.annotate(answers=Least(Count("pk"), study.target_minimum)).aggregate(sum=Sum("answers"))
    return max(0, study.target_minimum * questions.count() - (counted["sum"] or 0))


def savings(study: Study) -> Savings:
    """Return the judgements and rewards of the slots that nobody has claimed."""
    slots = Slot.objects.filter(study=study, open=1)
    judgements = slots.aggregate(all=Count("hit__hit_questions"))["all"]
    return Savings(judgements, study.reward * slots.count())


def savings_sentences(study: Study) -> list[str]:
    """Return a sentence with the judgements and rewards saved by pausing the study at its target. The list is empty if
    Accord has not paused the study.
    """
    event = study.events.filter(verb="paused", detail__judgements_saved__isnull=False).order_by("-pk").first()
    if event is None:
        return []
    judgements, rewards = event.detail["judgements_saved"], Decimal(event.detail["rewards_saved"])
    noun = "judgement" if judgements == 1 else "judgements"
    and_rewards = f", and saves {money(rewards, study.currency)} in rewards" if rewards else ""
    return [f"The study needs {count(judgements)} fewer {noun} than planned{and_rewards}."]


def _questions(study: Study) -> QuerySet[Question]:
    """Return the design's regular questions, except those in adaptive rounds and in a pilot that the study excludes
    from its scores.
    """
    questions = study.questions.filter(kind=Question.Kind.REGULAR, adaptive_round=None).order_by()
    if study.pilot_hits and not study.pilot_counts:
        return questions.exclude(hit_questions__hit__number__lte=study.pilot_hits)
    return questions


def _latest(reports: list[Snapshot], name: str) -> tuple[Snapshot, Attained] | None:
    for report in reversed(reports):
        for attained in report.headline.attained:
            if attained.figure == name:
                return report, attained
    return None


def _remaining(needed: StillNeeded, since: int) -> StillNeeded:
    """Return how many judgements are still needed, taking into account the judgements since the report. The number
    stays at 1 or more until a report shows that the target is reached.
    """
    if needed.reached or needed.judgements is None:
        return needed
    ends = (max(1, end - since) for end in (needed.judgements, needed.low or 0, needed.high or 0))
    return StillNeeded(*ends)
