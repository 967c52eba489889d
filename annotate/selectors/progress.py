"""The progress of a study."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Sum

from annotate.models import Answer, Assignment, Participation, Study

from .counts import gold_totals, totals


@dataclass(frozen=True)
class Progress:
    """The study's progress: judgements, gold answers, annotators by standing, and money owed.

    `in_hand` is the reward of assignments that annotators are working on.
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
    """Return the number of answers that count. With `in_scores`, pilot judgements that the study excludes from its
    scores are not counted.

    Results reports count judgements in the same way as `in_scores`.
    """
    return totals(study).judgements - (excluded_pilot(study) if in_scores else 0)


def excluded_pilot(study: Study) -> int:
    """Return the number of pilot judgements that the study excludes from its scores."""
    if study.pilot_counts or not study.pilot_hits:
        return 0
    pilot = Answer.objects.filter(assignment__hit__study=study, assignment__hit__number__lte=study.pilot_hits)
    return pilot.counting().count()


def progress_of(study: Study) -> Progress:
    """Return the figures for the overview in four queries on stored counts, open leases and annotators.

    A slot is closed while a leased or done assignment holds it.
    """
    people = study.participations.exclude(annotator__platform="try")
    standings = dict.fromkeys(Participation.Standing.values, 0)
    standings |= dict(people.values_list("standing").annotate(Count("pk")))
    counted = totals(study)
    gold = gold_totals(study).values()
    leased = study.assignments.filter(kind=Assignment.Kind.REGULAR, state=Assignment.State.LEASED)
    in_hand = leased.aggregate(number=Count("pk"), reward=Sum("reward"))
    gold_answers = sum(question.given for question in gold)
    return Progress(
        judgements=counted.judgements,
        wanted=study.judgements_wanted,
        slots_open=study.assignments_wanted - counted.hits - in_hand["number"],
        slots=study.assignments_wanted,
        gold_right=gold_answers - sum(question.missed for question in gold),
        gold_given=gold_answers,
        standings=standings,
        spent=counted.credit,
        in_hand=in_hand["reward"] or Decimal(0),
    )
