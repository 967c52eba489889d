"""A study's annotators as table rows, and the details of one annotator. The number of queries does not depend on the
number of annotators.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from statistics import median
from typing import Any

from django.db.models import Count, F, Q, QuerySet

from accord_core.numerics.intervals import wilson_interval
from annotate import tasktypes
from annotate.core.selectors.counts import Totals, totals_by_annotator
from annotate.core.selectors.put_aside import unanswered_hits
from annotate.core.selectors.remarks import UNANSWERED
from annotate.integrity.selectors import Signs
from annotate.models import Answer, Assignment, Event, Participation, Question, Remark, Study
from annotate.questions.selectors.flags import reviewed_since
from annotate.results.selectors.reports import People

from .signs import LOW_GOLD, fast_answers, gold_signs, skipped_signs, strength, unanswered_signs


@dataclass(frozen=True)
class Shown:
    """One annotator's figure, with the ends of its 95% interval. The value and its interval are None if the figure is
    not known.
    """

    figure: tasktypes.PersonFigure
    value: float | None
    interval: tuple[float, float] | None


def figures_of_type(study: Study, rows: Iterable[Mapping[str, Any]]) -> list[tasktypes.PersonFigure]:
    """Return the figures of the study's task type that occur in at least one row of a report."""
    listed = list(rows)
    figures = tasktypes.get(study.task_type).person_figures
    return [each for each in figures if any(row.get(each.key) is not None for row in listed)]


def shown(figures: Iterable[tasktypes.PersonFigure], row: Mapping[str, Any]) -> list[Shown]:
    """Return one annotator's figures, in column order."""
    return [Shown(each, row.get(each.key), each.interval(row)) for each in figures]


LOOK = "look"  # the filter for annotators who need attention


@dataclass
class AnnotatorRow:
    """One annotator. `share` is the annotator's accuracy on gold questions, and `low` and `high` are the ends of its
    95% Wilson interval.

    `figures` is the annotator's row of `people` in the latest results report. `figures` is empty if there is no such
    row. `signs` are the signs of careless answers as {title, detail, p}, with the strongest evidence first. `reviewed`
    states whether a researcher has reviewed the answers since that report.
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
    signs: list[dict[str, Any]] = field(default_factory=list)
    reviewed: bool = False
    stop: Event | None = None
    objection: Remark | None = None  # a stopped annotator's objection that has no reply yet
    gold: list[bool] = field(default_factory=list)
    same_network: list[str] = field(default_factory=list)  # pseudonyms of stopped annotators on the same network
    integrity: Signs | None = None  # integrity indicators, which are shown beside the other figures

    @property
    def flag(self) -> dict[str, Any] | None:
        """Return the sign with the strongest evidence, or None if there is no sign or a researcher has reviewed the
        answers.
        """
        return None if self.reviewed or not self.signs else self.signs[0]

    @property
    def reasons(self) -> str:
        """Return the details of all warning signs as one string. Low gold accuracy is not included after a stop by the
        quality rule, which already states the accuracy.
        """
        known = LOW_GOLD if self.stop and self.stop.by_quality_rule else ""
        return " ".join(sign["detail"] for sign in self.signs if sign["title"] != known)

    @property
    def evidence(self) -> float | None:
        """Return the smallest probability among all signs. Signs without a probability are sorted after all other
        signs.
        """
        return None if self.flag is None else strength(self.flag)

    @property
    def in_parts(self) -> bool:
        """Return whether the quality rule also counts the correct parts of an answer, so that `share` is not the share
        of correct answers.
        """
        return self.share is not None and abs(self.share * self.gold_given - self.gold_right) > 1e-6

    @property
    def stopped(self) -> bool:
        return self.participation.standing == Participation.Standing.STOPPED

    @property
    def needs_a_look(self) -> bool:
        return self.objection is not None or (self.flag is not None and not self.stopped)


def annotator_rows(study: Study, people: People, participation: Participation | None = None) -> list[AnnotatorRow]:
    """Return rows for all annotators or for one annotator, excluding try-outs and programs. Needs five queries, and one
    more if annotators can skip questions.
    """
    task = tasktypes.get(study.task_type)
    chosen = study.participations.filter(pk=participation.pk) if participation else study.participations.annotators()
    participations = chosen.select_related("annotator", "group", "batch").order_by("pseudonym")
    counted = totals_by_annotator(study, participation.pk if participation else None)
    unanswered = unanswered_hits(study)
    reviewed, threshold = reviewed_since(study, people.at), float(study.rule_threshold)
    usual = _usual_seconds(people)
    skipped_hits, objections = _skipped_hits(study, participation), _objections(study)
    rows = []
    for each in participations:
        own = counted.get(each.pk, Totals())
        # The counts by hour exclude unanswered gold questions in imported HITs, which count as missed.
        gold_answers = max(own.gold_given, each.graded)
        share = task.accuracy(each.tallies, study.rule_measure)
        interval = wilson_interval(share * gold_answers, gold_answers) if share is not None and gold_answers else None
        figures = people.figures.get(each.pseudonym, {})
        rows.append(
            AnnotatorRow(
                participation=each,
                assignments=own.submitted,
                gold_given=gold_answers,
                gold_right=own.gold_right,
                credit=own.credit,
                share=share,
                low=interval[0] if interval else None,
                high=interval[1] if interval else None,
                figures=figures,
                signs=[
                    *gold_signs(figures, share, interval, own.gold_right, gold_answers, threshold),
                    *fast_answers(figures, usual),
                    *unanswered_signs(unanswered.get(each.pk, 0)),
                    *skipped_signs(skipped_hits.get(each.pk, 0), own.submitted),
                ],
                reviewed=each.pk in reviewed,
                objection=objections.get(each.pk),
            )
        )
    return rows


def needing_a_look(study: Study, people: People) -> list[AnnotatorRow]:
    """Return the annotators whose answers need review, strongest evidence first. Stopped annotators who object are not
    among them, because their objections are messages.
    """
    rows = chosen(annotator_rows(study, people), show=LOOK, sort="evidence")
    return [row for row in rows if row.objection is None]


def _objections(study: Study) -> dict[int, Remark]:
    """Return the objections of stopped annotators that have no reply yet, by participation."""
    stopped = study.participations.filter(standing=Participation.Standing.STOPPED)
    objections = Remark.objects.filter(UNANSWERED, participation__in=stopped, kind=Remark.Kind.OBJECTION)
    return {objection.participation_id: objection for objection in objections.order_by("pk")}


def _skipped_hits(study: Study, participation: Participation | None) -> dict[int, int]:
    """Return the numbers of submitted HITs in which every question was skipped, by participation."""
    if not study.skips_allowed:
        return {}
    hits = study.assignments.filter(kind=Assignment.Kind.REGULAR, skipped__gt=0)
    if participation is not None:
        hits = hits.filter(participation=participation)
    whole = hits.annotate(questions=Count("answers")).filter(questions=F("skipped"))
    return Counter(whole.values_list("participation", flat=True))


FIGURES = {"places": "positions chosen", "agreement": "agreement", "median_seconds": "median time"}


def figures_known(rows: Iterable[AnnotatorRow]) -> dict[str, str]:
    """Return a mapping from keys to labels for the figures that appear in at least one row, in column order."""
    present = {name for row in rows for name in FIGURES if row.figures.get(name) is not None}
    return {name: word for name, word in FIGURES.items() if name in present}


def _usual_seconds(people: People) -> float | None:
    """Return the median of the annotators' median times, or None if no time is known."""
    times = [figures.get("median_seconds") for figures in people.figures.values()]
    known = [each for each in times if each is not None]
    return median(known) if known else None


def _by_need(row: AnnotatorRow) -> tuple[int, float, float]:
    """Rank annotators who object to being stopped first, followed by those who need review, starting with the strongest
    evidence. Stopped annotators come last. All others are ranked by the lower end of the gold interval, so that few
    gold answers cannot make an annotator look good.
    """
    return (
        -1 if row.objection else 0 if row.needs_a_look else 2 if row.stopped else 1,
        (row.evidence or 0.0) if row.needs_a_look else 0.0,
        1.0 if row.low is None else row.low,
    )


SORTS = {
    "look": _by_need,
    "name": lambda row: row.participation.pseudonym,
    "assignments": lambda row: row.assignments,
    "share": lambda row: row.low,
    "agreement": lambda row: row.figures.get("agreement"),
    "time": lambda row: row.figures.get("median_seconds"),
    "evidence": lambda row: row.evidence,
}


def chosen(
    rows: Sequence[AnnotatorRow],
    *,
    show: str = "",
    search: str = "",
    sort: str = "",
    group: str = "",
    names: Mapping[str, str] | None = None,
) -> list[AnnotatorRow]:
    """Return the sorted rows of annotators who match the filter `show` and whose pseudonym, platform or name contains
    `search`. `show` is either an annotator's standing, or `look` for annotators who need review. `group` is a group's
    public ID, or empty for all annotators. `names` contains the names that the reader may see, by pseudonym.

    `sort` is a name in `SORTS`, with a leading minus for descending order. Any other value sorts by pseudonym. Rows
    without the figure always come last. The accuracy is ranked by the lower end of its interval, so that few gold
    answers cannot lead the list.
    """
    term = search.strip().lower()
    matches = [
        row for row in rows if _has_standing(row, show) and _contains(row, term, names or {}) and _is_in(row, group)
    ]
    key = SORTS.get(sort.removeprefix("-"))
    if key is None:
        return matches
    with_figure = [row for row in matches if key(row) is not None]
    with_figure.sort(key=key, reverse=sort.startswith("-"))
    return with_figure + [row for row in matches if key(row) is None]


def _has_standing(row: AnnotatorRow, show: str) -> bool:
    if show == LOOK:
        return row.needs_a_look
    return not show or row.participation.standing == show


def _is_in(row: AnnotatorRow, group: str) -> bool:
    own = row.participation.group
    return not group or (own is not None and own.public_id == group)


def _contains(row: AnnotatorRow, term: str, names: Mapping[str, str]) -> bool:
    pseudonym, platform = row.participation.pseudonym, row.participation.annotator.get_platform_display()
    return any(term in text.lower() for text in (pseudonym, platform, names.get(pseudonym, "")))


def add_evidence(study: Study, rows: Sequence[AnnotatorRow]) -> None:
    """Add each annotator's gold answers, in order, and the log entry about the current stop to the row.

    The function needs three queries for the rows of one page.
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
    """Return the study's log entries about the annotator, newest first."""
    return list(participation.events.select_related("user").order_by("-at", "-pk"))


def assignments_of(participation: Participation) -> QuerySet[Assignment]:
    """Return the annotator's assignments, newest first, each with its number of answers."""
    return (
        participation.assignments.select_related("hit")
        .annotate(given=Count("answers", filter=Q(answers__given_at__isnull=False)))
        .order_by("-pk")
    )
