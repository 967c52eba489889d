"""The annotators of a study as rows, and one of them whole. A constant number of queries, whatever their number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q, QuerySet

from annotate import tasktypes
from annotate.models import Annotator, Answer, Assignment, Event, Participation, Question, Study
from annotate.numerics.intervals import wilson_interval

from .counts import Totals, totals_by_annotator
from .reports import People

LOOK = "look"  # the filter for annotators whose figures ask for a look


@dataclass
class AnnotatorRow:
    """One annotator. `share` is accuracy on gold by the study's measure, `low` and `high` its 95 % Wilson interval.

    `figures` is the annotator's row of `people` in the latest results report; empty when it has none.
    """

    participation: Participation
    assignments: int
    gold_given: int
    gold_right: int
    credit: Decimal
    share: float | None
    low: float | None
    high: float | None
    figures: dict[str, Any]
    stop: Event | None = None
    gold: list[bool] = field(default_factory=list)
    same_network: list[str] = field(default_factory=list)  # pseudonyms of stopped annotators on the same network

    @property
    def flag(self) -> dict[str, str] | None:
        """What speaks against the annotator, as {title, detail}."""
        return self.figures.get("flag")

    @property
    def stopped(self) -> bool:
        return self.participation.standing == Participation.Standing.STOPPED

    @property
    def needs_a_look(self) -> bool:
        return self.flag is not None and not self.stopped


def annotator_rows(study: Study, people: People, participation: Participation | None = None) -> list[AnnotatorRow]:
    """Rows for all annotators, or for one annotator, without researchers' try-outs. Two queries."""
    task = tasktypes.get(study.task_type)
    participations = (
        study.participations.exclude(annotator__platform=Annotator.Platform.TRY)
        .select_related("annotator")
        .order_by("pseudonym")
    )
    if participation is not None:
        participations = participations.filter(pk=participation.pk)
    counted = totals_by_annotator(study, participation.pk if participation else None)
    rows = []
    for each in participations:
        own = counted.get(each.pk, Totals())
        given = own.gold_given
        share = task.accuracy(each.tallies, study.rule_measure)
        interval = wilson_interval(share * given, given) if share is not None and given else None
        rows.append(
            AnnotatorRow(
                participation=each,
                assignments=own.submitted,
                gold_given=given,
                gold_right=own.gold_right,
                credit=own.credit,
                share=share,
                low=interval[0] if interval else None,
                high=interval[1] if interval else None,
                figures=people.figures.get(each.pseudonym, {}),
            )
        )
    return rows


FIGURES = {"places": "places", "agreement": "agreement", "median_seconds": "time"}


def figures_known(rows: Iterable[AnnotatorRow]) -> dict[str, str]:
    """Which of the figures that task types may write some row has: key to word, in the order of the columns."""
    known = {name for row in rows for name in FIGURES if row.figures.get(name) is not None}
    return {name: word for name, word in FIGURES.items() if name in known}


SORTS = {
    "assignments": lambda row: row.assignments,
    "gold": lambda row: row.gold_given,
    "share": lambda row: row.share,
    "agreement": lambda row: row.figures.get("agreement"),
    "time": lambda row: row.figures.get("median_seconds"),
    "credit": lambda row: row.credit,
}


def chosen(rows: Sequence[AnnotatorRow], *, show: str = "", search: str = "", sort: str = "") -> list[AnnotatorRow]:
    """Those with a standing (or `look`), whose pseudonym or platform contains `search`, sorted.

    `sort` is a name in `SORTS`, with a leading minus for the largest first; anything else sorts by pseudonym. Rows
    without the figure come last either way.
    """
    term = search.strip().lower()
    kept = [row for row in rows if _shown(row, show) and _found(row, term)]
    key = SORTS.get(sort.removeprefix("-"))
    if key is None:
        return kept
    known = [row for row in kept if key(row) is not None]
    known.sort(key=key, reverse=sort.startswith("-"))
    return known + [row for row in kept if key(row) is None]


def _shown(row: AnnotatorRow, show: str) -> bool:
    if show == LOOK:
        return row.needs_a_look
    return not show or row.participation.standing == show


def _found(row: AnnotatorRow, term: str) -> bool:
    participation = row.participation
    return term in participation.pseudonym.lower() or term in participation.annotator.get_platform_display().lower()


def add_evidence(study: Study, rows: Sequence[AnnotatorRow]) -> None:
    """Add the gold answers, in the order in which they were given, and the current stop to these rows.

    Needs three queries for the rows of one page.
    """
    by_id = {row.participation.pk: row for row in rows}
    gold = set(study.questions.filter(kind=Question.Kind.GOLD).values_list("pk", flat=True))
    graded = Answer.objects.filter(participation__in=by_id, tally__isnull=False).order_by("given_at", "pk")
    for who, question, passed in graded.values_list("participation", "question", "passed"):
        if question in gold:
            by_id[who].gold.append(bool(passed))
    stopped = [pk for pk, row in by_id.items() if row.stopped]
    for event in (
        study.events.filter(verb="stopped", participation__in=stopped).select_related("user").order_by("at", "pk")
    ):
        by_id[event.participation_id or 0].stop = event


# ── one annotator ─────────────────────────────────────────────────────────────────────────────────────────────────


def timeline(participation: Participation) -> list[Event]:
    """What happened to the annotator in this study, newest first."""
    return list(participation.events.select_related("user").order_by("-at", "-pk"))


def assignments_of(participation: Participation) -> QuerySet[Assignment]:
    """Every HIT that the annotator took, newest first, with how many answers it has."""
    return (
        participation.assignments.select_related("hit")
        .annotate(given=Count("answers", filter=Q(answers__given_at__isnull=False)))
        .order_by("-pk")
    )


def gold_answers_of(participation: Participation) -> list[Answer]:
    """The annotator's graded answers, practice too, newest first."""
    return list(
        participation.answers.filter(tally__isnull=False)
        .select_related("question", "assignment", "assignment__hit")
        .order_by("-given_at", "-pk")
    )


def annotators_table(rows: Iterable[AnnotatorRow]) -> tuple[list[str], list[list[str]]]:
    """Columns and rows of annotators.csv: pseudonyms only, nothing that a platform knows them by.

    Every further number that the task type's report has of an annotator is a column of its own.
    """
    rows = list(rows)
    further = list(dict.fromkeys(["agreement", "median_seconds", *(name for row in rows for name in _numbers(row))]))
    columns = [
        *"pseudonym platform standing reason joined assignments gold_given gold_right accuracy low high".split(),
        *further, "flag", "credit",
    ]  # fmt: skip
    table = []
    for row in rows:
        who, figures = row.participation, _numbers(row)
        cells = [
            who.pseudonym, who.annotator.platform, who.standing, who.standing_reason,
            who.joined_at.strftime("%Y-%m-%dT%H:%M:%SZ"), row.assignments, row.gold_given, row.gold_right,
            _rounded(row.share), _rounded(row.low), _rounded(row.high),
            *(_rounded(figures.get(name)) for name in further),
            row.flag["title"] if row.flag else None, _amount(row.credit),
        ]  # fmt: skip
        table.append(["" if cell is None else str(cell) for cell in cells])
    return columns, table


def _numbers(row: AnnotatorRow) -> dict[str, float]:
    """The report's numbers of the annotator, without those that are counted anew."""
    anew = ("judgements", "gold_given", "gold_right")
    return {
        name: number for name, number in row.figures.items() if isinstance(number, int | float) and name not in anew
    }


def _amount(value: Decimal) -> str:
    """With two decimals, or more where a reward has parts of a cent."""
    exponent = value.normalize().as_tuple().exponent
    return f"{value:.{max(2, -exponent if isinstance(exponent, int) else 2)}f}"


def _rounded(value: float | None) -> float | None:
    """To four decimals; a whole number stays one."""
    return None if value is None else round(value, 4)
