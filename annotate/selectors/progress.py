"""How far a study has come."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Q, Sum

from annotate.models import Answer, Assignment, HitQuestion, Participation, Question, Study


@dataclass(frozen=True)
class Progress:
    """Judgements counted and wanted, gold answers right and given, annotators by standing, money owed.

    `in_hand` is what the assignments that annotators are at would cost.
    """

    judgements: int
    wanted: int
    slots_open: int
    slots: int
    gold_right: int
    gold_given: int
    standings: dict[str, int]
    spent: Decimal
    in_hand: Decimal


def judgements_counted(study: Study, *, in_scores: bool = False) -> int:
    """Given answers to regular questions in done assignments, repeats aside.

    With `in_scores`, without those of a pilot that the study keeps out of its scores: what a report calls judgements.
    """
    counted = Answer.objects.filter(
        assignment__study=study,
        assignment__state=Assignment.State.DONE,
        assignment__kind=Assignment.Kind.REGULAR,
        question__kind=Question.Kind.REGULAR,
        repeat=False,
        given_at__isnull=False,
    )
    if in_scores and not study.pilot_counts:
        counted = counted.exclude(assignment__hit__number__lte=study.pilot_hits)
    return counted.count()


def progress_of(study: Study) -> Progress:
    """The figures of the overview, in five queries."""
    people = study.participations.exclude(annotator__platform="try")
    standings = dict.fromkeys(Participation.Standing.values, 0)
    standings |= dict(people.values_list("standing").annotate(Count("pk")))
    gold = Answer.objects.filter(
        participation__in=people, question__kind=Question.Kind.GOLD, tally__isnull=False
    ).aggregate(right=Count("pk", filter=Q(passed=True)), given=Count("pk"))
    slots = study.slots.aggregate(all=Count("pk"), open=Count("pk", filter=Q(open=1)))
    at_work = Q(kind=Assignment.Kind.REGULAR, state=Assignment.State.LEASED, credited=False)
    owed = study.assignments.aggregate(
        spent=Sum("reward", filter=Q(credited=True)), in_hand=Sum("reward", filter=at_work)
    )
    return Progress(
        judgements=judgements_counted(study),
        wanted=_wanted(study, slots["all"]),
        slots_open=slots["open"],
        slots=slots["all"],
        gold_right=gold["right"],
        gold_given=gold["given"],
        standings=standings,
        spent=owed["spent"] or Decimal(0),
        in_hand=owed["in_hand"] or Decimal(0),
    )


def _wanted(study: Study, slots: int) -> int:
    """Judgements that all slots together ask for; counted only where slots were added to what the design laid out."""
    if study.design is None:
        return 0
    if slots == study.design.result["slots"]:
        return int(study.design.result["judgements"])
    return HitQuestion.objects.filter(hit__study=study, hit__slots__isnull=False).count()
